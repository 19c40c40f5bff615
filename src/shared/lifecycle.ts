/** A change of state that a noun allows: from which states, to which, and by whom. */
type Move<Status extends string, Actor extends string> = {
  from: readonly Status[]
  to: Status
  by: readonly Actor[]
}

export type Moves<Status extends string, Actor extends string> = Record<string, Move<Status, Actor>>

/** Whether the move is allowed now. Buttons, server and tests all use this function. */
export function canMove<M extends Moves<string, string>>(moves: M, move: keyof M, status: string, actor: string): boolean {
  const { from, by } = moves[move] as Move<string, string>
  return from.includes(status) && by.includes(actor)
}

/** Whether a value belongs to a named set; afterwards its type is that of the set. */
export function isAmong<T extends string | number>(value: string | number | null | undefined, set: readonly T[]): value is T {
  return (set as readonly (string | number | null | undefined)[]).includes(value)
}

/** The table as a Mermaid state diagram, for the documents. */
export function diagram(moves: Moves<string, string>, label: (status: string) => string): string {
  const lines = Object.entries(moves).flatMap(([name, { from, to, by }]) =>
    from.map((state) => `  ${label(state)} --> ${label(to)}: ${name} (${by.join(', ')})`),
  )
  return ['stateDiagram-v2', ...lines].join('\n')
}
