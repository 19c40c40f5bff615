import type { clauseGroups } from '#shared/contract/clauses.ts'
import type { ClauseExample } from './rent-clauses.ts'

/** Examples of the clauses that say when what is paid, what secures it, and what follows a breach. */
export const paymentClauses: Record<(typeof clauseGroups)['payment' | 'tax' | 'security' | 'breach'][number], readonly ClauseExample[]> = {
  payRatio: [
    { values: { payRatio: 70 }, zh: '每期结算确认后，支付当期结算额的 70%。', en: 'Once a settlement is confirmed, 70% of it is paid.' },
    { values: { payRatio: 100 }, zh: '每期结算确认后，支付当期结算额的 100%。', en: 'Once a settlement is confirmed, 100% of it is paid.' },
  ],
  payDays: [
    {
      values: { payDays: 1 },
      zh: '进度款自双方确认结算之日起 1 日内支付，不以承租方收到第三方付款为条件。',
      en: 'Progress payments are made within 1 day of the confirmation by both, whether or not the lessee has been paid by somebody else.',
    },
    {
      values: { payDays: 60 },
      zh: '进度款自双方确认结算之日起 60 日内支付，不以承租方收到第三方付款为条件。',
      en: 'Progress payments are made within 60 days of the confirmation by both, whether or not the lessee has been paid by somebody else.',
    },
  ],
  restAt: [
    { values: { restAt: 'exit' }, zh: '余款在设备全部退场后支付。', en: 'The balance is due once all machines have left.' },
    { values: { restAt: 'final' }, zh: '余款在最终结算确认后支付。', en: 'The balance is due once the final settlement is confirmed.' },
  ],
  restDays: [
    { values: { restDays: 1 }, zh: '余款的付款期限为 1 日。', en: 'The balance is paid within 1 day.' },
    { values: { restDays: 60 }, zh: '余款的付款期限为 60 日。', en: 'The balance is paid within 60 days.' },
  ],
  nonCash: [
    { values: { nonCash: null }, zh: '全部以现金方式（含转账）支付。', en: 'Everything is paid in cash or by transfer.' },
    {
      values: { nonCash: { share: 50, months: 6 } },
      zh: '可以商业汇票等非现金方式支付不超过 50%的款项，票据期限不超过 6 个月。',
      en: 'Up to 50% may be paid by bills that mature within 6 months.',
    },
  ],
  advance: [
    { values: { advance: 0 }, zh: '不设预付款。', en: 'There is no advance payment.' },
    { values: { advance: 20 }, zh: '承租方按合同金额的 20%支付预付款。', en: 'The lessee pays 20% of the contract sum in advance.' },
  ],
  recoverAt: [
    { values: { advance: 0, recoverAt: 80 }, zh: '无预付款扣回。', en: 'There is no advance to recover.' },
    {
      values: { advance: 20, recoverAt: 80 },
      zh: '预付款自进度款中逐期扣回，累计结算达到合同金额的 80%时全部扣清。',
      en: 'The advance is recovered from progress payments, all of it by the time 80% of the sum is settled.',
    },
  ],
  bond: [
    { values: { bond: null }, zh: '不收取履约保证金。', en: 'No performance bond is asked for.' },
    {
      values: { bond: { share: 10, kind: 'cash' } },
      zh: '出租方按合同金额的 10%提交履约保证金，可以现金或保函形式。',
      en: 'The lessor gives a performance bond of 10% of the contract sum, in cash or as a letter of guarantee.',
    },
    {
      values: { bond: { share: 5, kind: 'letter' } },
      zh: '出租方按合同金额的 5%提交履约保证金，以保函形式。',
      en: 'The lessor gives a performance bond of 5% of the contract sum, as a letter of guarantee.',
    },
  ],
  retention: [
    { values: { retention: 0 }, zh: '不扣留质量保证金。', en: 'Nothing is retained.' },
    { values: { retention: 5 }, zh: '按结算额的 5%扣留质量保证金。', en: '5% of each settlement is retained.' },
  ],
  retentionDays: [
    { values: { retention: 0, retentionDays: 30 }, zh: '无质量保证金返还期。', en: 'No term for returning a retention applies.' },
    {
      values: { retention: 3, retentionDays: 365 },
      zh: '质量保证金自设备全部退场之日起 365 日内返还。',
      en: 'The retention is returned within 365 days of the day on which all machines have left.',
    },
  ],
  deposit: [
    { values: { depositFen: 0 }, zh: '不收取承租方押金。', en: 'The lessee pays no deposit.' },
    { values: { depositFen: 5000050 }, zh: '承租方支付押金 50,000.50 元。', en: 'The lessee pays a deposit of CNY 50,000.50.' },
  ],
  depositDays: [
    { values: { depositFen: 0, depositDays: 15 }, zh: '无押金退还期。', en: 'No term for returning a deposit applies.' },
    {
      values: { depositFen: 500000, depositDays: 15 },
      zh: '押金在最终结算后 15 日内退还。',
      en: 'The deposit is returned within 15 days of the final settlement.',
    },
  ],
  invoiceFirst: [
    { values: { invoiceFirst: true }, zh: '出租方先开具发票，承租方后付款。', en: 'The lessor invoices before the lessee pays.' },
    { values: { invoiceFirst: false }, zh: '承租方付款后，出租方开具发票。', en: 'The lessor invoices once the lessee has paid.' },
  ],
  taxChange: [
    {
      values: { taxChange: 'net' },
      zh: '税率变化时，租金的不含税单价不变，一次性费用的含税金额不变。',
      en: 'When a tax rate changes, rents without tax stay, and so do one-off fees with tax.',
    },
    {
      values: { taxChange: 'gross' },
      zh: '税率变化时，租金的含税单价和一次性费用的含税金额不变。',
      en: 'When a tax rate changes, rents and one-off fees with tax stay.',
    },
  ],
  answerDays: [
    { values: { answerDays: 3 }, zh: '一方提出结算后，另一方应在 3 日内答复。', en: 'A settlement is answered within 3 days.' },
    { values: { answerDays: 15 }, zh: '一方提出结算后，另一方应在 15 日内答复。', en: 'A settlement is answered within 15 days.' },
  ],
  silentClock: [
    {
      values: { silentClock: true },
      zh: '出租方提出的结算，承租方逾期未答复的，付款期限自答复期限届满之日起按所提金额起算，但不视为对金额的确认；承租方提出的结算，出租方答复前付款期限不起算。',
      en: 'Where the lessor sent the settlement and the lessee does not answer, the term of payment begins for the amount sent when that time ends, which does not confirm the amount; where the lessee sent it, no term begins until the lessor answers.',
    },
    {
      values: { silentClock: false },
      zh: '逾期未答复的，付款期限仍自双方确认之日起算。',
      en: 'Without an answer the term of payment still begins with the confirmation by both.',
    },
  ],
  lateRate: [
    { values: { lateRate: null }, zh: '逾期付款的，每日按逾期金额的 0.05%支付利息。', en: 'Late payments bear 0.05% a day.' },
    { values: { lateRate: 365 }, zh: '逾期付款的，按年利率 3.65%支付利息。', en: 'Late payments bear interest of 3.65% a year.' },
  ],
  entryPenalty: [
    { values: { entryPenalty: 0 }, zh: '迟到进场不计违约金。', en: 'A late entry bears no penalty.' },
    {
      values: { entryPenalty: 50 },
      zh: '出租方迟到进场的，每日按该机位日租金的 50%支付违约金。',
      en: "For each day of a late entry the lessor pays 50% of the position's rent for a day.",
    },
  ],
  quitPenalty: [
    {
      values: { quitPenalty: 0 },
      zh: '擅自撤场按实际损失赔偿。',
      en: 'A machine removed without agreement is compensated by the actual loss.',
    },
    {
      values: { quitPenalty: 100 },
      zh: '出租方擅自撤场的，按该机位月租金的 100%支付违约金。',
      en: "For a machine removed without agreement the lessor pays 100% of the position's rent for a month.",
    },
  ],
  outRatio: [
    {
      values: { outRatio: 0 },
      zh: '合同外项目的结算不超过合同金额的 0%，超出部分须另签补充协议。',
      en: 'Items outside the contract are settled up to 0% of its sum; more needs an amendment.',
    },
    {
      values: { outRatio: 10 },
      zh: '合同外项目的结算不超过合同金额的 10%，超出部分须另签补充协议。',
      en: 'Items outside the contract are settled up to 10% of its sum; more needs an amendment.',
    },
  ],
  venue: [
    {
      values: { venue: { kind: 'court', name: '' } },
      zh: '争议由项目所在地人民法院管辖。',
      en: "Disputes go to the court of the project's place.",
    },
    {
      values: { venue: { kind: 'arbitration', name: '成都仲裁委员会' } },
      zh: '争议提交成都仲裁委员会仲裁。',
      en: 'Disputes go to arbitration by 成都仲裁委员会.',
    },
  ],
  extras: [
    { values: { extras: [] }, zh: '无其他约定。', en: 'Nothing else is agreed.' },
    {
      values: { extras: ['设备须喷涂项目编号', '夜间施工另行约定'] },
      zh: '（1）设备须喷涂项目编号\n（2）夜间施工另行约定',
      en: '(1) 设备须喷涂项目编号\n(2) 夜间施工另行约定',
    },
  ],
}
