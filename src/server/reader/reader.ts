import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { RefusalCode } from '#shared/refusals.ts'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'

/** A picture to decode, one of our drawings to make a picture of, or one of our programs to run in a thread. */
export type Task =
  | { kind: 'picture'; content: Uint8Array; turn: number }
  | { kind: 'drawing'; svg: string }
  | { kind: 'thread'; program: string; data: unknown }
export type Asked = { id: number; task: Task }
export type Answer = { id: number; result: unknown } | { id: number; refusal: RefusalCode }

/** One of each kind at a time: the memory they take is that of one, and the other cores serve everybody else. */
const turns = {
  picture: new Semaphore({ total: 1, waiting: 40 }),
  drawing: new Semaphore({ total: 1, waiting: 20 }),
  thread: new Semaphore({ total: 1, waiting: 12 }),
}

/** Longer than the process gives its tasks; one that does not answer by then is killed. */
const timeMs = 30_000
const idleMs = 30_000
const heapMb = 64
/** glibc returns the memory of a task when it is freed, instead of keeping it for the next: 87 MB stay instead of 343 (decision 36). */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' }

type Pending = {
  child: ChildProcess
  kind: Task['kind']
  timer: NodeJS.Timeout
  done: (result: unknown) => void
  fail: (error: Error) => void
}
const pending = new Map<number, Pending>()
let reader: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined
let lastId = 0

/**
 * Runs a task on what strangers handed in, in a process of its own that has none of the server's settings, connections and threads (decision 36). Throws the refusal of the task, busy when too many wait or the process was lost while it had several tasks in hand, and
 * otherwise that the content cannot be read.
 */
export function runInReader<T>(task: Task): Promise<T> {
  return turns[task.kind].run(1, () => ask<T>(task))
}

function ask<T>(task: Task): Promise<T> {
  clearTimeout(idle)
  const child = reader?.connected ? reader : startReader()
  reader = child
  const id = ++lastId
  return new Promise<T>((done, fail) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeMs)
    pending.set(id, { child, kind: task.kind, timer, done: (result) => done(result as T), fail })
    child.send({ id, task } satisfies Asked, (error) => error && settle(id, ({ fail: lose }) => lose(error)))
  })
}

function settle(id: number, act: (one: Pending) => void): void {
  const one = pending.get(id)
  if (!one) return
  pending.delete(id)
  clearTimeout(one.timer)
  act(one)
  if (pending.size === 0) idle = setTimeout(stopReader, idleMs).unref()
}

function startReader(): ChildProcess {
  const child = fork(fileURLToPath(new URL('../reader-process.ts', import.meta.url)), {
    env: environment,
    // The server's folder may be one that only a held handle reaches (decision 40).
    cwd: '/',
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // The server ends without waiting for it; without the server it ends itself.
  child.unref()
  child.channel?.unref()
  child.on('message', (answer: Answer) =>
    settle(answer.id, ({ done, fail }) => ('refusal' in answer ? fail(new Refusal(answer.refusal)) : done(answer.result))),
  )
  child.on('error', (error) => {
    for (const id of tasksOf(child)) settle(id, ({ fail }) => fail(error))
  })
  child.on('exit', () => {
    const lost = tasksOf(child)
    for (const id of lost) settle(id, ({ kind, fail }) => fail(new Refusal(lost.length > 1 ? 'busy' : unreadable[kind])))
  })
  return child
}

const tasksOf = (child: ChildProcess) => [...pending].flatMap(([id, one]) => (one.child === child ? [id] : []))
/** What it means that the process was killed, or ended by the content itself. */
const unreadable = { picture: 'file_kind', drawing: 'busy', thread: 'import_bounds' } as const

function stopReader(): void {
  if (reader?.connected) reader.disconnect()
  reader = undefined
}
