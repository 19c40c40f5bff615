import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { RefusalCode } from '#shared/refusals.ts'
import { Refusal } from '../http/refusal.ts'

type Asked<Task> = { id: number; task: Task }
type Answer = { id: number; result: unknown } | { id: number; refusal: RefusalCode }

type Options<Task> = {
  program: URL
  flags: readonly string[]
  environment: Readonly<Record<string, string>>
  /** A process that has not answered by then is killed. */
  timeMs: number
  /** A process without work ends after so long. */
  idleMs: number
  /** What it means for a task that the process was killed, or ended by itself. */
  lost: (task: Task) => RefusalCode
}

type Pending<Task> = {
  child: ChildProcess
  task: Task
  timer: NodeJS.Timeout
  done: (result: unknown) => void
  fail: (error: Error) => void
}

/**
 * One of our programs in a process of its own, started with the first task and ended when it is idle. It has none of the server's settings,
 * connections and threads, so whatever a task does to it, everybody else is served on (decisions 36 and 53).
 */
export class ChildProgram<Task> {
  private readonly options: Options<Task>
  private readonly pending = new Map<number, Pending<Task>>()
  private process: ChildProcess | undefined
  private idle: NodeJS.Timeout | undefined
  private lastId = 0

  constructor(options: Options<Task>) {
    this.options = options
  }

  /** Throws the refusal of the task, busy when the process was lost while it had several tasks in hand, and otherwise `lost`. */
  run<T>(task: Task): Promise<T> {
    clearTimeout(this.idle)
    const child = this.process?.connected ? this.process : this.start()
    this.process = child
    const id = ++this.lastId
    return new Promise<T>((done, fail) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), this.options.timeMs)
      this.pending.set(id, { child, task, timer, done: (result) => done(result as T), fail })
      child.send({ id, task } satisfies Asked<Task>, (error) => error && this.settle(id, ({ fail: lose }) => lose(error)))
    })
  }

  private settle(id: number, act: (one: Pending<Task>) => void): void {
    const one = this.pending.get(id)
    if (!one) return
    this.pending.delete(id)
    clearTimeout(one.timer)
    act(one)
    if (this.pending.size === 0) this.idle = setTimeout(() => this.stop(), this.options.idleMs).unref()
  }

  private start(): ChildProcess {
    const { program, flags, environment, lost } = this.options
    const child = fork(fileURLToPath(program), {
      env: { ...environment },
      // The server's folder may be one that only a held handle reaches (decision 40).
      cwd: '/',
      execArgv: [...flags],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // The server ends without waiting for it; without the server it ends itself.
    child.unref()
    child.channel?.unref()
    child.on('message', (answer: Answer) =>
      this.settle(answer.id, ({ done, fail }) => ('refusal' in answer ? fail(new Refusal(answer.refusal)) : done(answer.result))),
    )
    child.on('error', (error) => {
      for (const id of this.tasksOf(child)) this.settle(id, ({ fail }) => fail(error))
    })
    child.on('exit', () => {
      const ids = this.tasksOf(child)
      for (const id of ids) this.settle(id, ({ task, fail }) => fail(new Refusal(ids.length > 1 ? 'busy' : lost(task))))
    })
    return child
  }

  private stop(): void {
    if (this.process?.connected) this.process.disconnect()
    this.process = undefined
  }

  private tasksOf(child: ChildProcess): number[] {
    return [...this.pending].flatMap(([id, one]) => (one.child === child ? [id] : []))
  }
}

/** Answers the tasks of the server, in the process of a program. An error that is no refusal ends the process. */
export function answerTasks<Task>(run: (task: Task) => Promise<unknown>): void {
  // A server that has ended in the meantime takes no answer, and this process ends as well.
  const reply = (answer: Answer) => process.send?.(answer, undefined, undefined, (error) => error && process.exit(0))
  process.on('message', ({ id, task }: Asked<Task>) => {
    run(task).then(
      (result) => reply({ id, result }),
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        reply({ id, refusal: error.code })
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}
