import { amountText } from '../../amount-text.ts'
import type { ClauseKey, ContractClauses, StopKind } from '../../contract/clauses.ts'

const percent = (value: number) => `${value}%`
const stopKinds = {
  spring: '春节停工',
  owner: '建设单位原因',
  lessee: '承租方原因',
  weather: '恶劣天气',
  government: '政府要求',
  fault: '设备故障',
} satisfies Record<StopKind, string>

/** The sentence of each clause, as it stands in the text that both sides confirm. */
const sentences: { [K in ClauseKey]: (clauses: ContractClauses) => string } = {
  startRule: ({ startRule }) =>
    ({
      accept: '起租日为设备验收合格当日。',
      arrive: '起租日为设备到场当日。',
      joint: '起租日为各方联合验收合格当日。',
    })[startRule],
  acceptHours: ({ acceptHours }) =>
    `设备到场后 ${acceptHours} 小时内，承租方应完成验收；起租日为验收合格当日的，承租方逾期未验收且未提出书面异议时，以期限届满之日为起租日。`,
  endRule: ({ endRule }) =>
    ({
      notice: '停租日为退场申请载明的停用日；该日早于申请之日加退场提前通知日数之日的，以后者为停租日。',
      exit: '停租日为退场检查后设备退场当日。',
      dismantled: '停租日为设备拆卸完毕、具备退场条件之日。',
    })[endRule],
  noticeDays: ({ noticeDays }) =>
    noticeDays === 0
      ? '承租方可随时提出退场申请；以退场申请确定停租日的，停租日不早于申请之日。'
      : `承租方应提前 ${noticeDays} 日提出退场申请；以退场申请确定停租日的，停租日不早于申请之日后第 ${noticeDays} 日。`,
  afterEnd: ({ afterEnd }) => `计划租期届满后继续使用且未另行约定的，租价按原租价的 ${percent(afterEnd)}计。`,
  dayCount: ({ dayCount }) =>
    `租用天数${{ both: '起租日与停租日均计入', head: '计起租日、不计停租日', tail: '不计起租日、计停租日', none: '起租日与停租日均不计' }[dayCount]}。`,
  cutDay: ({ cutDay }) => `结算周期自每月 ${cutDay} 日起，至下一周期起始日的前一日止。`,
  partMonth: ({ partMonth }) =>
    partMonth === 'thirty' ? '不足一个月的，按月租价除以 30 乘以天数计，且不超过一个月租价。' : '不足一个月的，按一个月计。',
  deductDay: ({ deductDay }) =>
    deductDay === 'period' ? '扣减一日租金，按当期租金除以当期计租天数计。' : '扣减一日租金，按月租价除以 30 计。',
  minUnits: ({ minUnits }) =>
    minUnits === null
      ? '不约定保底工作量。'
      : `按台班或小时计租的设备，每 30 日保底 ${minUnits} 个计价单位；当期保底量为租用天数减去报停、气候停滞和故障的整日数，除以 30，再乘以 ${minUnits}。当期工作量不足保底量的，差额（保留两位小数）按单价补计；超时按小时数除以台班小时数、待工按其结算比例计入工作量。`,
  minPerDay: ({ minPerDay }) =>
    minPerDay === null ? '不约定每日起租量。' : `有作业的每一日，工作量不足 ${minPerDay} 个计价单位的，按 ${minPerDay} 个计。`,
  logRule: ({ logRule }) => (logRule === 'needed' ? '每日填写台班记录，双方签认后作为结算依据。' : '按时间计租，台班记录由双方自愿填写。'),
  dayHours: ({ dayHours }) => `一日按 ${dayHours} 小时折算。`,
  hourCap: ({ hourCap }) =>
    hourCap === null
      ? '不约定月工作小时上限，按月计租的设备不计超时。'
      : `按月计租的设备，每台每月工作上限为 ${hourCap} 小时；不足一个月的，上限按当期计租月数折算。`,
  overFactor: ({ overFactor, hourCap }) =>
    `超时每小时的价格：${hourCap === null ? '' : '按月计租的为月租价除以月工作小时上限，'}按日或台班计租的为单价除以台班小时数，再乘以 ${percent(overFactor)}。`,
  shiftHours: ({ shiftHours }) =>
    `一个台班为 ${shiftHours} 小时，每份台班记录至多计一个台班；按日或台班计租的，每日或每班工作超过 ${shiftHours} 小时的部分为超时。`,
  shiftRound: ({ shiftRound }) =>
    shiftRound === 'half' ? '不超过半个台班的按半个台班计，超过的按一个台班计。' : '台班数按实际小时除以台班小时计，保留两位小数。',
  standbyRate: ({ standbyRate }) =>
    `待工（停滞）时间按单价的 ${percent(standbyRate)}结算：按台班计租的，以小时数除以台班小时数计；按小时计租的，以小时数计。`,
  weatherRate: ({ weatherRate }) => `因天气停滞的台班按台班单价的 ${percent(weatherRate)}结算。`,
  fuelPrice: ({ fuelPriceFen }) =>
    fuelPriceFen === null ? '双方不代供油料。' : `一方代对方加油的，按每升 ${amountText(fuelPriceFen)} 元结算。`,
  stopRules: ({ stopRules }) =>
    `报停期间租金：${(Object.keys(stopKinds) as StopKind[])
      .map((kind) => {
        const { freeDays, rate } = stopRules[kind]
        return `${stopKinds[kind]}${freeDays > 0 ? `，每年每机位前 ${freeDays} 日免租，其后` : ''}按 ${percent(rate)}计`
      })
      .join('；')}。`,
  stopNotice: ({ stopNotice }) =>
    `${stopNotice === 0 ? '报停最早自通知之日起计' : `报停应提前 ${stopNotice} 日通知对方，最早自通知之日后第 ${stopNotice} 日起计`}，此前各日按全额计租；恶劣天气报停最早可自通知之日前 2 日起计。`,
  faultHours: ({ faultHours }) =>
    `每台设备每个结算周期内，因双方认定的正常磨损或不明原因发生的故障停用，累计 ${faultHours} 小时以内不扣租金；租用不满整个周期的，该小时数按租用天数占周期天数的比例折算。超出的小时按一日的折算小时数折成天数扣减租金，以当期按全额计租的天数为限。操作不当造成的故障不扣减租金。`,
  swapDays: ({ swapDays }) =>
    `故障停用超过 ${swapDays} 日未修复的，承租方可要求出租方更换同等设备，不另付进场费；也可另行租用，由出租方承担差价；或者因设备故障退场，不付退场费，不适用最短计费。自故障至换机，设备不能使用的整日不计租金。操作不当造成的故障除外。`,
  payRatio: ({ payRatio }) => `每期结算确认后，支付当期结算额的 ${percent(payRatio)}。`,
  payDays: ({ payDays }) => `进度款自双方确认结算之日起 ${payDays} 日内支付，不以承租方收到第三方付款为条件。`,
  restAt: ({ restAt }) => (restAt === 'exit' ? '余款在设备全部退场后支付。' : '余款在最终结算确认后支付。'),
  restDays: ({ restDays }) => `余款的付款期限为 ${restDays} 日。`,
  nonCash: ({ nonCash }) =>
    nonCash === null
      ? '全部以现金方式（含转账）支付。'
      : `可以商业汇票等非现金方式支付不超过 ${percent(nonCash.share)}的款项，票据期限不超过 ${nonCash.months} 个月。`,
  advance: ({ advance }) => (advance === 0 ? '不设预付款。' : `承租方按合同金额的 ${percent(advance)}支付预付款。`),
  recoverAt: ({ advance, recoverAt }) =>
    advance === 0 ? '无预付款扣回。' : `预付款自进度款中逐期扣回，累计结算达到合同金额的 ${percent(recoverAt)}时全部扣清。`,
  answerDays: ({ answerDays }) => `一方提出结算后，另一方应在 ${answerDays} 日内答复。`,
  silentClock: ({ silentClock }) =>
    silentClock
      ? '出租方提出的结算，承租方逾期未答复的，付款期限自答复期限届满之日起按所提金额起算，但不视为对金额的确认；承租方提出的结算，出租方答复前付款期限不起算。'
      : '逾期未答复的，付款期限仍自双方确认之日起算。',
  lateRate: ({ lateRate }) =>
    lateRate === null ? '逾期付款的，每日按逾期金额的 0.05%支付利息。' : `逾期付款的，按年利率 ${(lateRate / 100).toFixed(2)}%支付利息。`,
  invoiceFirst: ({ invoiceFirst }) => (invoiceFirst ? '出租方先开具发票，承租方后付款。' : '承租方付款后，出租方开具发票。'),
  taxChange: ({ taxChange }) =>
    taxChange === 'net'
      ? '税率变化时，租金的不含税单价不变，一次性费用的含税金额不变。'
      : '税率变化时，租金的含税单价和一次性费用的含税金额不变。',
  bond: ({ bond }) =>
    bond === null
      ? '不收取履约保证金。'
      : `出租方按合同金额的 ${percent(bond.share)}提交履约保证金，${bond.kind === 'letter' ? '以保函形式' : '可以现金或保函形式'}。`,
  retention: ({ retention }) => (retention === 0 ? '不扣留质量保证金。' : `按结算额的 ${percent(retention)}扣留质量保证金。`),
  retentionDays: ({ retention, retentionDays }) =>
    retention === 0 ? '无质量保证金返还期。' : `质量保证金自设备全部退场之日起 ${retentionDays} 日内返还。`,
  deposit: ({ depositFen }) => (depositFen === 0 ? '不收取承租方押金。' : `承租方支付押金 ${amountText(depositFen)} 元。`),
  depositDays: ({ depositFen, depositDays }) => (depositFen === 0 ? '无押金退还期。' : `押金在最终结算后 ${depositDays} 日内退还。`),
  entryPenalty: ({ entryPenalty }) =>
    entryPenalty === 0 ? '迟到进场不计违约金。' : `出租方迟到进场的，每日按该机位日租金的 ${percent(entryPenalty)}支付违约金。`,
  quitPenalty: ({ quitPenalty }) =>
    quitPenalty === 0 ? '擅自撤场按实际损失赔偿。' : `出租方擅自撤场的，按该机位月租金的 ${percent(quitPenalty)}支付违约金。`,
  outRatio: ({ outRatio }) => `合同外项目的结算不超过合同金额的 ${percent(outRatio)}，超出部分须另签补充协议。`,
  venue: ({ venue }) => (venue.kind === 'court' ? '争议由项目所在地人民法院管辖。' : `争议提交${venue.name}仲裁。`),
  extras: ({ extras }) => (extras.length === 0 ? '无其他约定。' : extras.map((text, index) => `（${index + 1}）${text}`).join('\n')),
}

/** The words of the text that both sides confirm. Only the pages of contracts fetch them. */
export const clauseWords = {
  sentences,
  stopKinds,
  /** What a draft takes over from the demand and the quote. */
  agreed: {
    duties: (transport: string, erection: string, lodging: string) =>
      `进出场运输由${transport}负责，安装拆卸由${erection}负责，操作人员食宿由${lodging}负责；已计入机位单价和一次性费用的，不另行计费。`,
    cycle: {
      quarter: '需求约定季结：每季各期的结算合并付款，付款期限自当季最后一期结算经双方确认之日起算。',
      end: '需求约定完工结：各期结算完工后合并付款，付款期限自最终结算经双方确认之日起算。',
    },
    renewal: (positions: string) => `${positions} 号机位的设备证照在退场前到期的，出租方按报价时的承诺，在到期前完成续期。`,
    deviation: (positions: string, deviation: string) => `${positions} 号机位与需求的偏差：${deviation}`,
    note: (note: string) => `报价说明：${note}`,
    terms: (terms: string) => `需求的其他要求：${terms}`,
    more: '需求与报价的其余约定以双方在平台所存的原文为准。',
  },
  document: {
    title: '建筑机械租赁合同',
    parties: '合同双方',
    lessee: (company: string, dept: string) => `承租方（甲方）：${company}（${dept}）`,
    lessor: (company: string) => `出租方（乙方）：${company}`,
    head: '基本信息',
    name: (title: string) => `合同名称：${title}`,
    code: (code: string, own: string) => `合同编号：${code}${own ? `；承租方编号：${own}` : ''}`,
    project: (name: string, place: string) => `工程与地点：${name}，${place}`,
    period: (from: string, to: string) => `计划租期：${from} 起，至 ${to} 前一日止`,
    holds: (revision: number, day: string) => `适用日期：第 ${revision} 版自 ${day} 起适用，此前的日期适用此前各版`,
    amount: (amount: string, capital: string, net: string, tax: string) =>
      `合同金额（含税，暂估）：¥${amount}（${capital}），其中不含税 ¥${net}，税额 ¥${tax}；以结算为准`,
    scales: (lessee: string, lessor: string) => `签约时企业规模（自行声明）：承租方 ${lessee}，出租方 ${lessor}`,
    noScale: '未声明',
    positions: '机位',
    position: (no: number, name: string, spec: string, code: string, qty: string) =>
      `${no} 号机位：${name}${spec ? `，${spec}` : ''}，设备编号 ${code}，数量 ${qty}`,
    price: (price: string, unit: string, rate: number, invoice: string) => `　每台单价 ¥${price}/${unit}（含税 ${rate}%，${invoice}）`,
    /** `price` is the sentence of the price. */
    priceFrom: (day: string, price: string) => `　自 ${day} 起：${price.trim()}`,
    dates: (from: string, to: string, min: number) => `　租期 ${from} 至 ${to} 前一日${min > 0 ? `，最短计费 ${min} 日` : ''}`,
    fees: (parts: string) => `　一次性费用（每台）：${parts}`,
    noFees: '　无一次性费用',
    positionCancelled: '　已按补充协议取消',
    separator: '、',
    fee: { entry: '进场费', exit: '退场费', erection: '安拆费', inspection: '检测费', other: '其他费' },
    duties: (driver: boolean, fuel: boolean) => `　${driver ? '含' : '不含'}操作人员，${fuel ? '含' : '不含'}油料`,
    indent: '　',
    work: (shift: string, quantity: string) => `${shift}作业${quantity ? `，预计工作量每台 ${quantity}` : ''}`,
    clauses: '附件一 计价与付款条款',
    minTerm:
      '租用天数少于机位最短计费日数的，最终结算时按不足的日数补计租金：按月计租的，每日为月租价除以 30；按日计租的，每日为日租价。因设备故障退场、出租方拒绝换机或者出租方终止合同的，不补计。',
    binding: '计价以附件一为准：其他约定与本表不一致的，金额按本表计算。',
    ownForm: '附件二 承租方格式文本',
    ownFormBinding: (files: number) =>
      `承租方提供的格式文本共 ${files} 个文件，内容以下列哈希为准。计价以附件一为准；格式文本与附件一不一致的，以附件一为准。`,
    ownFormFile: (no: number, name: string, size: number, sha256: string) => `附件 2-${no}：${name}，${size} 字节，SHA-256 ${sha256}`,
    noOwnForm: '无。',
    safety: '附件三 安全协议（建筑起重机械）',
    safetyLines: [
      '出租方出具特种设备制造许可证、产品合格证、制造监督检验证明、备案证明和自检合格证明，提交安装使用说明书（《建筑起重机械安全监督管理规定》第四条、第六条）。',
      '出租方对设备的安全性能负责，租期内按说明书保养检查；检查维修记录随设备。',
      '承租方提供符合要求的基础与作业环境，配备专职安全生产管理人员现场监督。',
      '安装、拆卸由具备资质的单位编制方案并实施；验收合格前不得使用。',
    ],
    account:
      '收款账户由出租方在确认合同时填写，与本合同一并记入存证链；变更须签补充协议，自承租方确认之时起满 24 小时生效，提出、确认和生效时均以短信告知承租方。',
    traceTitle: '平台确认留痕',
    trace: '双方在平台以短信验证码确认本文本；该确认是留痕，不是可靠的电子签名。双方盖章的纸质合同与本文本一致时以纸质合同为凭。',
    /** Of a version after the first: nobody signs it with a code. */
    traceOfChange: (code: string) =>
      `第 1 版由双方以短信验证码确认；本版由补充协议 ${code} 形成，双方已在平台确认该补充协议。这些确认是留痕，不是可靠的电子签名。双方盖章的纸质合同连同各份补充协议与本文本一致时，以其为凭。`,
  },
}
