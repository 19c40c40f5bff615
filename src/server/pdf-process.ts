import { setPriority } from 'node:os'
import { answerTasks } from './child/child-program.ts'
import { drawPrint } from './pdf/draw.ts'
import type { Print } from './pdf/print.ts'

/** Everything else on the machine goes first. */
const niceness = 5

setPriority(niceness)

/** What a print leaves is collected before the next one, or the process would keep the memory of two. */
answerTasks<Print>(async (print) => {
  const content = await drawPrint(print)
  setImmediate(() => globalThis.gc?.())
  return content
})
