/** 草拟, 待对方确认, 已生效, 履约中, 待结算, 已完结, 提前终止, 作废. Apart from the contract's other rules: demands, awards and companies name its state. */
export const contractStatus = {
  draft: '0',
  sent: '1',
  inForce: '2',
  running: '3',
  settling: '4',
  closed: '5',
  terminated: '6',
  voided: '7',
} as const
export const contractStatuses = Object.values(contractStatus)
export type ContractStatus = (typeof contractStatus)[keyof typeof contractStatus]
