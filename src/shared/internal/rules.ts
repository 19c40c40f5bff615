import type { Moves } from '../lifecycle.ts'

/** 待调出方确认, 待调入方确认, 办理完毕, 审核不通过, 已撤回. */
export const transferStatuses = ['0', '1', '2', '3', '4'] as const
export type TransferStatus = (typeof transferStatuses)[number]

export const transferMoves = {
  agree: { from: ['0'], to: '1', by: ['from'] },
  refuse: { from: ['0'], to: '3', by: ['from'] },
  receive: { from: ['1'], to: '2', by: ['to'] },
  withdraw: { from: ['0', '1'], to: '4', by: ['to'] },
} as const satisfies Moves<TransferStatus, 'from' | 'to'>
export type TransferMove = keyof typeof transferMoves

/** Low-loader freight as the platform assumes it: fen for a kilometre, one way, and the least for a trip. */
export const freight = { fenPerKm: 1200, leastFen: 80_000 } as const

/** There and back, for a distance between two city middles. */
export const transportEstimateFen = (km: number | null): number | null =>
  km === null ? null : 2 * Math.max(freight.leastFen, Math.round(km) * freight.fenPerKm)
