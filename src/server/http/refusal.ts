import type { FieldProblem } from '#shared/endpoint.ts'
import type { RefusalCode } from '#shared/refusals.ts'

/** A refusal whose code has words in both languages. `data` travels in the envelope. */
export class Refusal extends Error {
  readonly code: RefusalCode
  readonly data: unknown
  constructor(code: RefusalCode, data: unknown = null) {
    super(code)
    this.code = code
    this.data = data
  }
}

/** Seconds after which a client that got 503 may call again. */
export const retrySeconds = 2

/** A no about fields: each `rule` is a code of the text catalogue's field rules. */
export class FieldRefusal extends Error {
  readonly problems: FieldProblem[]
  constructor(problems: FieldProblem[]) {
    super('invalid')
    this.problems = problems
  }
}

export function refuseField(path: FieldProblem['path'], rule: string): never {
  throw new FieldRefusal([{ path, rule }])
}
