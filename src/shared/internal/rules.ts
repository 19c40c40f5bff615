import type { Moves } from '../lifecycle.ts'

/** 待调出方确认, 待调入方确认, 办理完毕, 调出方未同意, 已撤回. */
export const transferStatus = { asked: '0', agreed: '1', received: '2', refused: '3', withdrawn: '4' } as const
export const transferStatuses = Object.values(transferStatus)
export type TransferStatus = (typeof transferStatus)[keyof typeof transferStatus]

const { asked, agreed, received, refused, withdrawn } = transferStatus
/** One of the two units is to act. */
export const openTransfers = [asked, agreed] as const
/** Their days are taken. */
export const agreedTransfers = [agreed, received] as const

/** What a transfer waits for. Work panel and list count by the same conditions (src/server/internal/queries.ts). */
export const transferTodos = ['transferAnswer', 'transferReceive'] as const
export type TransferTodo = (typeof transferTodos)[number]

/** An idle machine is offered to the group until its unit takes it off. */
export const internalStatus = { off: '0', offered: '1' } as const
export const internalStatuses = Object.values(internalStatus)

/** The unit that gives the machine, and the one that takes it. */
export const transferSides = ['from', 'to'] as const
export type TransferSide = (typeof transferSides)[number]

export const transferMoves = {
  agree: { from: [asked], to: agreed, by: ['from'] },
  refuse: { from: [asked], to: refused, by: ['from'] },
  receive: { from: [agreed], to: received, by: ['to'] },
  withdraw: { from: openTransfers, to: withdrawn, by: ['to'] },
} as const satisfies Moves<TransferStatus, TransferSide>
export type TransferMove = keyof typeof transferMoves

/** How many machines a department requests of the group in a day, those of its demands included. */
export const transfersADay = 50

/** Low-loader freight as the platform assumes it: fen for a kilometre, one way, and the least for a trip. */
const freight = { fenPerKm: 1200, leastFen: 80_000 } as const

/** There and back, for a distance between two city middles. */
export const transportEstimateFen = (km: number | null): number | null =>
  km === null ? null : 2 * Math.max(freight.leastFen, Math.round(km) * freight.fenPerKm)
