/** What a demand may wait for on its owner's side. Work panel and list count by the same conditions (src/server/demand/todo.ts). */
export const demandTodos = ['short', 'judge', 'approveAward', 'approve', 'question', 'closing', 'rejected'] as const
export type DemandTodo = (typeof demandTodos)[number]

/** A deadline is announced this many hours before it. */
export const closingHours = 24
