import type { clauseGroups, ContractClauses } from '#shared/contract/clauses.ts'

/** Values of a clause, with the sentence that stands for them in the contract. A clause that depends on another names that one as well. */
export type ClauseExample = { values: Partial<ContractClauses>; zh: string; en: string }

/** Examples of the clauses that say for which time and work there is rent. */
export const rentClauses: Record<(typeof clauseGroups)['term' | 'counting' | 'work' | 'stops'][number], readonly ClauseExample[]> = {
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
  logRule: [
    {
      values: { logRule: 'needed' },
      zh: '每日填写台班记录，双方签认后作为结算依据。',
      en: 'A work log is written every day and signed by both; settlements rest on it.',
    },
    { values: { logRule: 'optional' }, zh: '按时间计租，台班记录由双方自愿填写。', en: 'Rent counts by time; work logs are voluntary.' },
  ],
}
