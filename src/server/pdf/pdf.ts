import type { Download } from '#shared/endpoint.ts'
import { ChildProgram } from '../child/child-program.ts'
import { Semaphore } from '../http/semaphore.ts'
import type { Print } from './print.ts'

/**
 * How many are drawn at once, each in a process of its own, and how many wait for their turn, of one person and of all; the next is told to try again.
 * While others wait nobody has two drawn at once.
 */
const bounds = { total: 2, waiting: 20, waitingOfOne: 5 }

/**
 * Enough for the largest contract there may be: 200 positions and 20 further agreements, each as long as allowed and of letters that the font lacks.
 * pdfmake makes many short-lived objects: with a young generation of 16 MB the process of a usual contract takes 260 MB, with
 * these flags 130.
 */
const flags = ['--max-old-space-size=72', '--max-semi-space-size=2', '--expose-gc']

const startProgram = () =>
  new ChildProgram<Print>({
    program: new URL('../pdf-process.ts', import.meta.url),
    flags,
    // As those of the reader (decision 36).
    environment: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' },
    timeMs: 60_000,
    idleMs: 60_000,
    lost: () => 'pdf_failed',
  })

const turns = new Semaphore(bounds)
/** Those that draw nothing; the one that drew last is taken first, so that a second process starts only where two are needed. */
const free = Array.from({ length: bounds.total }, startProgram)

/**
 * Draws a print as a PDF for somebody, outside the server's process (decision 53). Throws busy where too many wait, and pdf_failed where it takes too long or
 * too much memory.
 */
export async function makePdf(name: string, print: Print, by?: string): Promise<Download> {
  const content = await turns.run(
    1,
    async () => {
      const program = free.pop() ?? startProgram()
      try {
        return await program.run<Uint8Array>(print)
      } finally {
        free.push(program)
      }
    },
    by,
  )
  return { name: `${name}.pdf`, mime: 'application/pdf', content }
}
