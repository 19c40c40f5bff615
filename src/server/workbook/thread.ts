import { Worker } from 'node:worker_threads'
import type { RefusalCode } from '#shared/refusals.ts'
import { Refusal } from '../http/refusal.ts'
import { threadLimits } from './limits.ts'

/** What the program of a thread posts: its result, or why it refuses. */
export type Posted<T> = { result: T } | { refusal: RefusalCode }

/**
 * Runs one of our programs on `data` in a thread of its own. Where it takes too long it is ended with the refusal import_slow, where it takes too
 * much memory with import_bounds. `timeMs` is shorter in tests.
 */
export function runInThread<T>(program: URL, data: unknown, timeMs: number = threadLimits.timeMs): Promise<T> {
  return new Promise((done, fail) => {
    const thread = new Worker(program, {
      workerData: data,
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: threadLimits.heapMb,
        maxYoungGenerationSizeMb: threadLimits.youngHeapMb,
        stackSizeMb: threadLimits.stackMb,
      },
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      settle()
      void thread.terminate()
    }
    const timer = setTimeout(() => end(() => fail(new Refusal('import_slow'))), timeMs)
    thread.once('message', (posted: Posted<T>) =>
      end(() => ('refusal' in posted ? fail(new Refusal(posted.refusal)) : done(posted.result))),
    )
    thread.once('error', (error: NodeJS.ErrnoException) =>
      end(() => fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Refusal('import_bounds') : error)),
    )
    thread.once('exit', () => end(() => fail(new Refusal('import_bounds'))))
  })
}
