import { parentPort, Worker } from 'node:worker_threads'
import type { RefusalCode } from '#shared/refusals.ts'
import { Refusal } from '../http/refusal.ts'
import { threadLimits } from './limits.ts'

/** What the program of a thread posts: its result, or why it refuses. */
type Posted<T> = { result: T } | { refusal: RefusalCode }

type Options = {
  /** Shorter in tests. */
  timeMs?: number
  /** The thread waits for the next task of its program. Not where it reads a file that a stranger handed in: the next task must not meet what that left. */
  stays?: boolean
}

/** Threads that wait for a task, by their program. Another one would take 90 ms of a processor, half of it to compile. */
const waiting = new Map<string, Worker>()

/**
 * Runs one of our programs on `data` in a thread of its own. Where it takes too long it is ended with the refusal import_slow, where it takes too
 * much memory with import_bounds.
 */
export function runInThread<T>(program: URL, data: unknown, { timeMs = threadLimits.timeMs, stays = false }: Options = {}): Promise<T> {
  const thread = waiting.get(program.href) ?? startThread(program)
  waiting.delete(program.href)
  return new Promise((done, fail) => {
    const end = (settle: () => void, keep = false) => {
      clearTimeout(timer)
      thread.off('message', answered).off('error', failed).off('exit', lost)
      settle()
      if (keep && !waiting.has(program.href)) waiting.set(program.href, thread)
      else void thread.terminate()
    }
    const answered = (posted: Posted<T>) =>
      end(() => ('refusal' in posted ? fail(new Refusal(posted.refusal)) : done(posted.result)), stays)
    const failed = (error: NodeJS.ErrnoException) =>
      end(() => fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new Refusal('import_bounds') : error))
    const lost = () => end(() => fail(new Refusal('import_bounds')))
    const timer = setTimeout(() => end(() => fail(new Refusal('import_slow'))), timeMs)
    thread.on('message', answered).on('error', failed).on('exit', lost)
    thread.postMessage(data, [])
  })
}

function startThread(program: URL): Worker {
  const thread = new Worker(program, {
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: threadLimits.heapMb,
      maxYoungGenerationSizeMb: threadLimits.youngHeapMb,
      stackSizeMb: threadLimits.stackMb,
    },
  })
  thread.once('exit', () => {
    if (waiting.get(program.href) === thread) waiting.delete(program.href)
  })
  return thread
}

/** Answers the tasks of a thread, in its program. An error that is no refusal ends the thread. */
export function answerInThread<Data, T>(run: (data: Data) => T | Promise<T>): void {
  const post = (posted: Posted<T>) => parentPort?.postMessage(posted, [])
  const answer = async (data: Data) => {
    try {
      post({ result: await run(data) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      post({ refusal: error.code })
    }
  }
  parentPort?.on('message', (data: Data) => void answer(data))
}
