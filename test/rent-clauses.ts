import type { clauseGroups, ContractClauses } from '#shared/contract/clauses.ts'

/** Values of a clause, with the sentence that stands for them in the contract. A clause that depends on another names that one as well. */
export type ClauseExample = { values: Partial<ContractClauses>; zh: string; en: string }

/** Examples of the clauses that say for which time and work there is rent. */
export const rentClauses: Record<(typeof clauseGroups)['term' | 'counting' | 'work' | 'stops'][number], readonly ClauseExample[]> = {
  startRule: [
    { values: { startRule: 'accept' }, zh: '起租日为设备验收合格当日。', en: 'Rent starts on the day the machine passes acceptance.' },
    { values: { startRule: 'arrive' }, zh: '起租日为设备到场当日。', en: 'Rent starts on the day the machine arrives.' },
    {
      values: { startRule: 'joint' },
      zh: '起租日为各方联合验收合格当日。',
      en: 'Rent starts on the day all parties accept the machine jointly.',
    },
  ],
  acceptHours: [
    {
      values: { acceptHours: 4 },
      zh: '设备到场后 4 小时内，承租方应完成验收；起租日为验收合格当日的，承租方逾期未验收且未提出书面异议时，以期限届满之日为起租日。',
      en: 'The lessee accepts a machine within 4 hours of its arrival; where rent starts with that acceptance and the lessee neither accepts nor objects in writing, it starts on the day on which that time ends.',
    },
    {
      values: { acceptHours: 24 },
      zh: '设备到场后 24 小时内，承租方应完成验收；起租日为验收合格当日的，承租方逾期未验收且未提出书面异议时，以期限届满之日为起租日。',
      en: 'The lessee accepts a machine within 24 hours of its arrival; where rent starts with that acceptance and the lessee neither accepts nor objects in writing, it starts on the day on which that time ends.',
    },
    {
      values: { acceptHours: 72 },
      zh: '设备到场后 72 小时内，承租方应完成验收；起租日为验收合格当日的，承租方逾期未验收且未提出书面异议时，以期限届满之日为起租日。',
      en: 'The lessee accepts a machine within 72 hours of its arrival; where rent starts with that acceptance and the lessee neither accepts nor objects in writing, it starts on the day on which that time ends.',
    },
  ],
  endRule: [
    {
      values: { endRule: 'notice' },
      zh: '停租日为退场申请载明的停用日；该日早于申请之日加退场提前通知日数之日的，以后者为停租日。',
      en: 'Rent ends on the day that the exit request names, or on the day of the request plus the days of notice where that is the later day.',
    },
    {
      values: { endRule: 'exit' },
      zh: '停租日为退场检查后设备退场当日。',
      en: 'Rent ends on the day on which the machine leaves after the exit inspection.',
    },
    {
      values: { endRule: 'dismantled' },
      zh: '停租日为设备拆卸完毕、具备退场条件之日。',
      en: 'Rent ends on the day the machine is dismantled and ready to leave.',
    },
  ],
  noticeDays: [
    {
      values: { noticeDays: 0 },
      zh: '承租方可随时提出退场申请；以退场申请确定停租日的，停租日不早于申请之日。',
      en: 'The lessee may request an exit at any time; where the request decides when rent ends, that is no earlier than the day of the request.',
    },
    {
      values: { noticeDays: 1 },
      zh: '承租方应提前 1 日提出退场申请；以退场申请确定停租日的，停租日不早于申请之日后第 1 日。',
      en: 'The lessee requests an exit 1 day ahead; where the request decides when rent ends, that is no earlier than 1 day after the day of the request.',
    },
    {
      values: { noticeDays: 30 },
      zh: '承租方应提前 30 日提出退场申请；以退场申请确定停租日的，停租日不早于申请之日后第 30 日。',
      en: 'The lessee requests an exit 30 days ahead; where the request decides when rent ends, that is no earlier than 30 days after the day of the request.',
    },
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
      zh: '每台设备每个结算周期内，因双方认定的正常磨损或不明原因发生的故障停用，累计 0 小时以内不扣租金；租用不满整个周期的，该小时数按租用天数占周期天数的比例折算。超出的小时按一日的折算小时数折成天数扣减租金，以当期按全额计租的天数为限。操作不当造成的故障不扣减租金。',
      en: 'Faults that both sides put down to wear or to an unknown cause do not lower the rent for up to 0 hours for each machine and period, or as many as are in proportion to the days of hire in the period. Hours beyond that are converted into days, which are taken off up to the days of full rent. A fault by misuse does not lower the rent.',
    },
    {
      values: { faultHours: 20 },
      zh: '每台设备每个结算周期内，因双方认定的正常磨损或不明原因发生的故障停用，累计 20 小时以内不扣租金；租用不满整个周期的，该小时数按租用天数占周期天数的比例折算。超出的小时按一日的折算小时数折成天数扣减租金，以当期按全额计租的天数为限。操作不当造成的故障不扣减租金。',
      en: 'Faults that both sides put down to wear or to an unknown cause do not lower the rent for up to 20 hours for each machine and period, or as many as are in proportion to the days of hire in the period. Hours beyond that are converted into days, which are taken off up to the days of full rent. A fault by misuse does not lower the rent.',
    },
    {
      values: { faultHours: 240 },
      zh: '每台设备每个结算周期内，因双方认定的正常磨损或不明原因发生的故障停用，累计 240 小时以内不扣租金；租用不满整个周期的，该小时数按租用天数占周期天数的比例折算。超出的小时按一日的折算小时数折成天数扣减租金，以当期按全额计租的天数为限。操作不当造成的故障不扣减租金。',
      en: 'Faults that both sides put down to wear or to an unknown cause do not lower the rent for up to 240 hours for each machine and period, or as many as are in proportion to the days of hire in the period. Hours beyond that are converted into days, which are taken off up to the days of full rent. A fault by misuse does not lower the rent.',
    },
  ],
  dayHours: [
    { values: { dayHours: 8 }, zh: '一日按 8 小时折算。', en: 'A day counts as 8 hours.' },
    { values: { dayHours: 12 }, zh: '一日按 12 小时折算。', en: 'A day counts as 12 hours.' },
  ],
  hourCap: [
    {
      values: { hourCap: null },
      zh: '不约定月工作小时上限，按月计租的设备不计超时。',
      en: 'No cap on hours a month is agreed, and a machine hired by the month has no overtime.',
    },
    {
      values: { hourCap: 240 },
      zh: '按月计租的设备，每台每月工作上限为 240 小时；不足一个月的，上限按当期计租月数折算。',
      en: 'A machine hired by the month works at most 240 hours a month; for part of a month the cap is in proportion to the months charged.',
    },
  ],
  overFactor: [
    {
      values: { overFactor: 100, hourCap: null },
      zh: '超时每小时的价格：按日或台班计租的为单价除以台班小时数，再乘以 100%。',
      en: 'For hires by the day or shift, an hour of overtime costs 100% of the price divided by the hours of a shift.',
    },
    {
      values: { overFactor: 150, hourCap: 240 },
      zh: '超时每小时的价格：按月计租的为月租价除以月工作小时上限，按日或台班计租的为单价除以台班小时数，再乘以 150%。',
      en: 'An hour of overtime costs 150% of the month price divided by the cap on hours a month, and for hires by the day or shift 150% of the price divided by the hours of a shift.',
    },
  ],
  shiftHours: [
    {
      values: { shiftHours: 6 },
      zh: '一个台班为 6 小时，每份台班记录至多计一个台班；按日或台班计租的，每日或每班工作超过 6 小时的部分为超时。',
      en: 'A shift has 6 hours, and a work log counts as one shift at most; for hires by the day or shift, work beyond 6 hours on a day or in a shift is overtime.',
    },
    {
      values: { shiftHours: 8 },
      zh: '一个台班为 8 小时，每份台班记录至多计一个台班；按日或台班计租的，每日或每班工作超过 8 小时的部分为超时。',
      en: 'A shift has 8 hours, and a work log counts as one shift at most; for hires by the day or shift, work beyond 8 hours on a day or in a shift is overtime.',
    },
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
      zh: '待工（停滞）时间按单价的 0%结算：按台班计租的，以小时数除以台班小时数计；按小时计租的，以小时数计。',
      en: 'Standby is settled at 0% of the price: for hires by the shift, its hours divided by the hours of a shift; for hires by the hour, its hours.',
    },
    {
      values: { standbyRate: 50 },
      zh: '待工（停滞）时间按单价的 50%结算：按台班计租的，以小时数除以台班小时数计；按小时计租的，以小时数计。',
      en: 'Standby is settled at 50% of the price: for hires by the shift, its hours divided by the hours of a shift; for hires by the hour, its hours.',
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
      en: 'Rent while a machine stands by agreement: for Spring Festival the first 15 days of a year and position are free, then 100%; for the project owner 50%; for the lessee 50%; for bad weather 50%; for an order of the authorities 50%; for a fault of the machine 0%.',
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
      en: 'Rent while a machine stands by agreement: for Spring Festival 50%; for the project owner 50%; for the lessee the first 10 days of a year and position are free, then 100%; for bad weather the first 60 days of a year and position are free, then 0%; for an order of the authorities 50%; for a fault of the machine 50%.',
    },
  ],
  stopNotice: [
    {
      values: { stopNotice: 0 },
      zh: '报停最早自通知之日起计，此前各日按全额计租；恶劣天气报停最早可自通知之日前 2 日起计。',
      en: 'A stop counts from the day of its notice at the earliest; the days before cost the full rent. A stop for bad weather may count from 2 days before its notice.',
    },
    {
      values: { stopNotice: 1 },
      zh: '报停应提前 1 日通知对方，最早自通知之日后第 1 日起计，此前各日按全额计租；恶劣天气报停最早可自通知之日前 2 日起计。',
      en: 'A stop is announced 1 day ahead and counts no earlier than 1 day after the day of its notice; the days before cost the full rent. A stop for bad weather may count from 2 days before its notice.',
    },
    {
      values: { stopNotice: 15 },
      zh: '报停应提前 15 日通知对方，最早自通知之日后第 15 日起计，此前各日按全额计租；恶劣天气报停最早可自通知之日前 2 日起计。',
      en: 'A stop is announced 15 days ahead and counts no earlier than 15 days after the day of its notice; the days before cost the full rent. A stop for bad weather may count from 2 days before its notice.',
    },
  ],
  minUnits: [
    { values: { minUnits: null }, zh: '不约定保底工作量。', en: 'No minimum amount of work is agreed.' },
    {
      values: { minUnits: 26.5 },
      zh: '按台班或小时计租的设备，每 30 日保底 26.5 个计价单位；当期保底量为租用天数减去报停、气候停滞和故障的整日数，除以 30，再乘以 26.5。当期工作量不足保底量的，差额（保留两位小数）按单价补计；超时按小时数除以台班小时数、待工按其结算比例计入工作量。',
      en: 'Hires by the shift or hour have a minimum of 26.5 units in 30 days; that of a period is its days of hire without whole days of stops, weather and faults, divided by 30 and multiplied by 26.5. The units by which the work of the period falls short, to two places, are charged at the price; overtime counts as its hours divided by the hours of a shift, and standby at its rate.',
    },
  ],
  minPerDay: [
    { values: { minPerDay: null }, zh: '不约定每日起租量。', en: 'No minimum for a working day is agreed.' },
    {
      values: { minPerDay: 0.5 },
      zh: '有作业的每一日，工作量不足 0.5 个计价单位的，按 0.5 个计。',
      en: 'Less than 0.5 units on a day with work counts as 0.5.',
    },
  ],
  swapDays: [
    {
      values: { swapDays: 1 },
      zh: '故障停用超过 1 日未修复的，承租方可要求出租方更换同等设备，不另付进场费；也可另行租用，由出租方承担差价；或者因设备故障退场，不付退场费，不适用最短计费。自故障至换机，设备不能使用的整日不计租金。操作不当造成的故障除外。',
      en: 'Where a fault is not repaired within 1 day, the lessee may ask for an equal machine without another fee for transport in, hire elsewhere with the difference paid by the lessor, or end the hire for the fault without a fee for transport out and without the minimum term. Whole days without a usable machine between the fault and its replacement bear no rent. This does not hold for a fault by misuse.',
    },
    {
      values: { swapDays: 3 },
      zh: '故障停用超过 3 日未修复的，承租方可要求出租方更换同等设备，不另付进场费；也可另行租用，由出租方承担差价；或者因设备故障退场，不付退场费，不适用最短计费。自故障至换机，设备不能使用的整日不计租金。操作不当造成的故障除外。',
      en: 'Where a fault is not repaired within 3 days, the lessee may ask for an equal machine without another fee for transport in, hire elsewhere with the difference paid by the lessor, or end the hire for the fault without a fee for transport out and without the minimum term. Whole days without a usable machine between the fault and its replacement bear no rent. This does not hold for a fault by misuse.',
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
