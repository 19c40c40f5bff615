import { AsyncLocalStorage } from 'node:async_hooks'
import { ChildProgram } from '../child/child-program.ts'
import { Semaphore } from '../http/semaphore.ts'

/** A picture to decode, one of our drawings to make a picture of, or one of our programs to run in a thread (`stays`: see `runInThread`). */
export type Task =
  | { kind: 'picture'; content: Uint8Array; turn: number }
  | { kind: 'drawing'; svg: string }
  | { kind: 'thread'; program: string; data: unknown; stays?: boolean }

/**
 * One of each kind at a time: the memory they take is that of one, and the other cores serve everybody else. Of the workbooks that wait only a few are of
 * one person, so nobody keeps everybody else from theirs.
 */
const turns = {
  picture: new Semaphore({ total: 1, waiting: 40 }),
  drawing: new Semaphore({ total: 1, waiting: 20 }),
  thread: new Semaphore({ total: 1, waiting: 12, waitingOfOne: 3 }),
}

const heapMb = 64

const reader = new ChildProgram<Task>({
  program: new URL('../reader-process.ts', import.meta.url),
  flags: [`--max-old-space-size=${heapMb}`],
  /** glibc returns the memory of a task when it is freed, instead of keeping it for the next: 87 MB stay instead of 343 (decision 36). */
  environment: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' },
  // Longer than the process gives its tasks.
  timeMs: 30_000,
  idleMs: 30_000,
  lost: ({ kind }) => unreadable[kind],
})

const unreadable = { picture: 'file_kind', drawing: 'busy', thread: 'import_bounds' } as const

const caller = new AsyncLocalStorage<string>()

/** Answers a call of somebody, by whom its tasks are counted. */
export const readFor = <T>(by: string, answer: () => T): T => caller.run(by, answer)

/**
 * Runs a task on what strangers handed in, in a process of its own (decision 36). Throws the refusal of the task, busy when too many wait or the
 * process was lost while it had several tasks in hand, and otherwise that the content cannot be read.
 */
export function runInReader<T>(task: Task): Promise<T> {
  return turns[task.kind].run(1, () => reader.run<T>(task), caller.getStore())
}
