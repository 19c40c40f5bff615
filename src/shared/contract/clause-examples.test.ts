import { expect, test } from 'vitest'
import { clauseWordsOf } from '../text/clause-words.ts'
import { en } from '../text/en.ts'
import { zhCn } from '../text/zh-cn.ts'
import { clauseKeys, ClausesInput, ClausesOut, clausesOut, defaultClauses, type ClauseKey, type ContractClauses } from './clauses.ts'

type Example = { values: Partial<ContractClauses>; zh: string; en: string }

/** Values of each clause, with the sentences that stand for them in the contract. A clause that depends on another names that one as well. */
const clauseExamples: Record<ClauseKey, readonly Example[]> = {
  startRule: [
    { values: { startRule: 'accept' }, zh: '租金自设备验收合格当日起算。', en: 'Rent starts on the day the machine passes acceptance.' },
    { values: { startRule: 'arrive' }, zh: '租金自设备到场当日起算。', en: 'Rent starts on the day the machine arrives.' },
    {
      values: { startRule: 'joint' },
      zh: '租金自各方联合验收合格当日起算。',
      en: 'Rent starts on the day all parties accept the machine jointly.',
    },
  ],
  acceptHours: [
    {
      values: { acceptHours: 4 },
      zh: '设备到场后 4 小时内，承租方应完成验收；逾期未验收且未提出书面异议的，租金自期限届满时起算。',
      en: 'The lessee accepts a machine within 4 hours of its arrival; where it neither does nor objects in writing, rent starts when that time ends.',
    },
    {
      values: { acceptHours: 24 },
      zh: '设备到场后 24 小时内，承租方应完成验收；逾期未验收且未提出书面异议的，租金自期限届满时起算。',
      en: 'The lessee accepts a machine within 24 hours of its arrival; where it neither does nor objects in writing, rent starts when that time ends.',
    },
    {
      values: { acceptHours: 72 },
      zh: '设备到场后 72 小时内，承租方应完成验收；逾期未验收且未提出书面异议的，租金自期限届满时起算。',
      en: 'The lessee accepts a machine within 72 hours of its arrival; where it neither does nor objects in writing, rent starts when that time ends.',
    },
  ],
  endRule: [
    { values: { endRule: 'notice' }, zh: '租金计至退场通知载明的停用日。', en: 'Rent ends on the day that the exit notice names.' },
    { values: { endRule: 'exit' }, zh: '租金计至退场检查当日。', en: 'Rent ends on the day of the exit inspection.' },
    {
      values: { endRule: 'dismantled' },
      zh: '租金计至设备拆卸完毕、具备退场条件之日。',
      en: 'Rent ends on the day the machine is dismantled and ready to leave.',
    },
  ],
  noticeDays: [
    { values: { noticeDays: 0 }, zh: '承租方应提前 0 日通知退场。', en: 'The lessee gives notice of an exit 0 days ahead.' },
    { values: { noticeDays: 1 }, zh: '承租方应提前 1 日通知退场。', en: 'The lessee gives notice of an exit 1 day ahead.' },
    { values: { noticeDays: 30 }, zh: '承租方应提前 30 日通知退场。', en: 'The lessee gives notice of an exit 30 days ahead.' },
  ],
  dayCount: [
    { values: { dayCount: 'both' }, zh: '租用天数起租日与停租日均计入。', en: 'The first and the last day both count.' },
    { values: { dayCount: 'head' }, zh: '租用天数计起租日、不计停租日。', en: 'The first day counts and the last does not.' },
    { values: { dayCount: 'tail' }, zh: '租用天数不计起租日、计停租日。', en: 'The last day counts and the first does not.' },
    { values: { dayCount: 'none' }, zh: '租用天数起租日与停租日均不计。', en: 'Neither the first nor the last day counts.' },
  ],
  cutDay: [
    {
      values: { cutDay: 1 },
      zh: '结算周期自每月 1 日起，至下一周期起始日的前一日止。',
      en: 'A settlement period runs from day 1 of a month to the day before the next one begins.',
    },
    {
      values: { cutDay: 26 },
      zh: '结算周期自每月 26 日起，至下一周期起始日的前一日止。',
      en: 'A settlement period runs from day 26 of a month to the day before the next one begins.',
    },
  ],
  partMonth: [
    {
      values: { partMonth: 'thirty' },
      zh: '不足一个月的，按月租价除以 30 乘以天数计，且不超过一个月租价。',
      en: 'Part of a month costs a thirtieth of the month price for each day, and no more than a month.',
    },
    { values: { partMonth: 'whole' }, zh: '不足一个月的，按一个月计。', en: 'Part of a month counts as a month.' },
  ],
  deductDay: [
    {
      values: { deductDay: 'period' },
      zh: '扣减一日租金，按当期租金除以当期计租天数计。',
      en: 'A day taken off is the rent of the period divided by its charged days.',
    },
    { values: { deductDay: 'thirty' }, zh: '扣减一日租金，按月租价除以 30 计。', en: 'A day taken off is a thirtieth of the month price.' },
  ],
  faultHours: [
    {
      values: { faultHours: 0 },
      zh: '每台设备每个结算周期累计 0 小时以内的故障维修不扣租金，超出部分按日扣减。',
      en: 'Repairs of up to 0 hours for each machine and period do not lower the rent; beyond that, days are taken off.',
    },
    {
      values: { faultHours: 20 },
      zh: '每台设备每个结算周期累计 20 小时以内的故障维修不扣租金，超出部分按日扣减。',
      en: 'Repairs of up to 20 hours for each machine and period do not lower the rent; beyond that, days are taken off.',
    },
    {
      values: { faultHours: 240 },
      zh: '每台设备每个结算周期累计 240 小时以内的故障维修不扣租金，超出部分按日扣减。',
      en: 'Repairs of up to 240 hours for each machine and period do not lower the rent; beyond that, days are taken off.',
    },
  ],
  dayHours: [
    { values: { dayHours: 8 }, zh: '一日按 8 小时折算。', en: 'A day counts as 8 hours.' },
    { values: { dayHours: 12 }, zh: '一日按 12 小时折算。', en: 'A day counts as 12 hours.' },
  ],
  hourCap: [
    { values: { hourCap: null }, zh: '不约定月工作小时上限。', en: 'No cap on hours a month is agreed.' },
    { values: { hourCap: 240 }, zh: '单台设备每月工作上限为 240 小时。', en: 'A machine works at most 240 hours a month.' },
  ],
  overFactor: [
    { values: { overFactor: 100 }, zh: '超出上限的工作时间，按单价的 100%计。', en: 'Hours above the cap cost 100% of the price.' },
    { values: { overFactor: 150 }, zh: '超出上限的工作时间，按单价的 150%计。', en: 'Hours above the cap cost 150% of the price.' },
  ],
  shiftHours: [
    { values: { shiftHours: 6 }, zh: '一个台班为 6 小时。', en: 'A shift has 6 hours.' },
    { values: { shiftHours: 8 }, zh: '一个台班为 8 小时。', en: 'A shift has 8 hours.' },
  ],
  shiftRound: [
    {
      values: { shiftRound: 'half' },
      zh: '不超过半个台班的按半个台班计，超过的按一个台班计。',
      en: 'Up to half a shift counts as half, anything above as one.',
    },
    {
      values: { shiftRound: 'exact' },
      zh: '台班数按实际小时除以台班小时计，保留两位小数。',
      en: 'Shifts are the hours worked divided by the hours of a shift, to two places.',
    },
  ],
  standbyRate: [
    {
      values: { standbyRate: 0 },
      zh: '待工（停滞）台班按台班单价的 0%结算。',
      en: 'A standby shift is settled at 0% of the price of a shift.',
    },
    {
      values: { standbyRate: 50 },
      zh: '待工（停滞）台班按台班单价的 50%结算。',
      en: 'A standby shift is settled at 50% of the price of a shift.',
    },
  ],
  weatherRate: [
    {
      values: { weatherRate: 0 },
      zh: '因天气停滞的台班按台班单价的 0%结算。',
      en: 'A shift lost to the weather is settled at 0% of the price of a shift.',
    },
    {
      values: { weatherRate: 30 },
      zh: '因天气停滞的台班按台班单价的 30%结算。',
      en: 'A shift lost to the weather is settled at 30% of the price of a shift.',
    },
  ],
  stopRules: [
    {
      values: {
        stopRules: {
          spring: { freeDays: 15, rate: 100 },
          owner: { freeDays: 0, rate: 50 },
          lessee: { freeDays: 0, rate: 50 },
          weather: { freeDays: 0, rate: 50 },
          government: { freeDays: 0, rate: 50 },
          fault: { freeDays: 0, rate: 0 },
        },
      },
      zh: '报停期间租金：春节停工，每年每机位前 15 日免租，其后按 100%计；建设单位原因按 50%计；承租方原因按 50%计；恶劣天气按 50%计；政府要求按 50%计；设备故障按 0%计。',
      en: 'Rent while a machine stands by agreement: for Spring Festival the first 15 days of a year and position are free, then 100%; for the employer 50%; for the lessee 50%; for bad weather 50%; for an order of the authorities 50%; for a fault of the machine 0%.',
    },
    {
      values: {
        stopRules: {
          spring: { freeDays: 0, rate: 50 },
          owner: { freeDays: 0, rate: 50 },
          lessee: { freeDays: 10, rate: 100 },
          weather: { freeDays: 60, rate: 0 },
          government: { freeDays: 0, rate: 50 },
          fault: { freeDays: 0, rate: 50 },
        },
      },
      zh: '报停期间租金：春节停工按 50%计；建设单位原因按 50%计；承租方原因，每年每机位前 10 日免租，其后按 100%计；恶劣天气，每年每机位前 60 日免租，其后按 0%计；政府要求按 50%计；设备故障按 50%计。',
      en: 'Rent while a machine stands by agreement: for Spring Festival 50%; for the employer 50%; for the lessee the first 10 days of a year and position are free, then 100%; for bad weather the first 60 days of a year and position are free, then 0%; for an order of the authorities 50%; for a fault of the machine 50%.',
    },
  ],
  stopNotice: [
    { values: { stopNotice: 1 }, zh: '报停应提前 1 日通知对方。', en: 'A stop is announced 1 day ahead.' },
    { values: { stopNotice: 15 }, zh: '报停应提前 15 日通知对方。', en: 'A stop is announced 15 days ahead.' },
  ],
  minUnits: [
    { values: { minUnits: null }, zh: '不约定保底工作量。', en: 'No minimum amount of work is agreed.' },
    {
      values: { minUnits: 26.5 },
      zh: '每 30 日工作量不足 26.5 个计价单位的，按 26.5 个计。',
      en: 'Less than 26.5 units in 30 days count as 26.5.',
    },
  ],
  minPerDay: [
    { values: { minPerDay: null }, zh: '不约定每日起租量。', en: 'No minimum for a working day is agreed.' },
    {
      values: { minPerDay: 0.5 },
      zh: '每个工作日工作量不足 0.5 个计价单位的，按 0.5 个计。',
      en: 'Less than 0.5 units on a working day count as 0.5.',
    },
  ],
  swapDays: [
    {
      values: { swapDays: 1 },
      zh: '故障超过 1 日未修复的，出租方应更换同等设备。',
      en: 'Where a fault is not repaired within 1 day, the lessor brings an equal machine.',
    },
    {
      values: { swapDays: 3 },
      zh: '故障超过 3 日未修复的，出租方应更换同等设备。',
      en: 'Where a fault is not repaired within 3 days, the lessor brings an equal machine.',
    },
  ],
  afterEnd: [
    {
      values: { afterEnd: 100 },
      zh: '计划租期届满后继续使用且未另行约定的，租价按原租价的 100%计。',
      en: 'A machine kept in use beyond the planned hire without another agreement costs 100% of its price.',
    },
    {
      values: { afterEnd: 120 },
      zh: '计划租期届满后继续使用且未另行约定的，租价按原租价的 120%计。',
      en: 'A machine kept in use beyond the planned hire without another agreement costs 120% of its price.',
    },
  ],
  fuelPrice: [
    { values: { fuelPriceFen: null }, zh: '双方不代供油料。', en: 'Neither side fuels for the other.' },
    {
      values: { fuelPriceFen: 760 },
      zh: '一方代对方加油的，按每升 7.60 元结算。',
      en: 'Fuel that one side supplies for the other costs CNY 7.60 a litre.',
    },
  ],
  payRatio: [
    { values: { payRatio: 70 }, zh: '每期结算确认后，支付当期结算额的 70%。', en: 'Once a settlement is confirmed, 70% of it is paid.' },
    { values: { payRatio: 100 }, zh: '每期结算确认后，支付当期结算额的 100%。', en: 'Once a settlement is confirmed, 100% of it is paid.' },
  ],
  payDays: [
    {
      values: { payDays: 1 },
      zh: '进度款自双方确认结算之日起 1 日内支付，不以承租方收到第三方付款为条件。',
      en: 'It is paid within 1 day of the confirmation by both, whether or not the lessee has been paid by somebody else.',
    },
    {
      values: { payDays: 60 },
      zh: '进度款自双方确认结算之日起 60 日内支付，不以承租方收到第三方付款为条件。',
      en: 'It is paid within 60 days of the confirmation by both, whether or not the lessee has been paid by somebody else.',
    },
  ],
  restAt: [
    { values: { restAt: 'exit' }, zh: '余款在设备全部退场后支付。', en: 'The rest is due once all machines have left.' },
    { values: { restAt: 'final' }, zh: '余款在最终结算确认后支付。', en: 'The rest is due once the final settlement is confirmed.' },
  ],
  restDays: [
    { values: { restDays: 1 }, zh: '余款的付款期限为 1 日。', en: 'The rest is paid within 1 day.' },
    { values: { restDays: 60 }, zh: '余款的付款期限为 60 日。', en: 'The rest is paid within 60 days.' },
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
      zh: '质量保证金在最终结算后 365 日返还。',
      en: 'The retention is returned 365 days after the final settlement.',
    },
  ],
  deposit: [
    { values: { depositFen: 0 }, zh: '不收取承租方押金。', en: 'The lessee pays no deposit.' },
    { values: { depositFen: 5000050 }, zh: '承租方支付押金 50000.50 元。', en: 'The lessee pays a deposit of CNY 50000.50.' },
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
    { values: { taxChange: 'net' }, zh: '税率变化时，不含税价不变。', en: 'When a tax rate changes, prices without tax stay.' },
    { values: { taxChange: 'gross' }, zh: '税率变化时，含税价不变。', en: 'When a tax rate changes, prices with tax stay.' },
  ],
  answerDays: [
    { values: { answerDays: 3 }, zh: '一方提出结算后，另一方应在 3 日内答复。', en: 'A settlement is answered within 3 days.' },
    { values: { answerDays: 15 }, zh: '一方提出结算后，另一方应在 15 日内答复。', en: 'A settlement is answered within 15 days.' },
  ],
  silentClock: [
    {
      values: { silentClock: true },
      zh: '逾期未答复的，付款期限自答复期限届满之日起算，但不视为对金额的确认。',
      en: 'Without an answer the term of payment begins when that time ends, which does not confirm the amount.',
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
  logRule: [
    {
      values: { logRule: 'needed' },
      zh: '每日填写台班记录，双方签认后作为结算依据。',
      en: 'A work log is written every day and signed by both; settlements rest on it.',
    },
    { values: { logRule: 'optional' }, zh: '按时间计租，台班记录由双方自愿填写。', en: 'Rent counts by time; work logs are voluntary.' },
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

const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })

test.each(clauseKeys)('%s is written in the contract as its examples say, in both languages', (key) => {
  const examples = clauseExamples[key]
  expect(examples.length).toBeGreaterThan(1)
  for (const { values, zh, en: english } of examples) {
    const standing = { ...clauses, ...values }
    // An example is a value that the clause takes.
    expect(ClausesInput.parse(ClausesOut.parse(clausesOut(standing)))).toEqual(standing)
    expect([zhCn, en].map((text) => clauseWordsOf(text).sentences[key](standing))).toEqual([zh, english])
  }
})
