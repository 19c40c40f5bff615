import { fork } from 'node:child_process'
import { once } from 'node:events'
import { StartRefused } from '../config.ts'
import { startEmbedded, type Embedded } from './embedded.ts'

type Report = { url: string } | { refused: string }

/**
 * Starts the embedded database under a process of root's own, for an app that leaves root: it could neither start the database again nor stop it.
 * That process reads nothing but the end of the app, and stops the database then, even if the app was killed. `lost`: it ended by itself.
 * `signal`: as for `startEmbedded`.
 */
export async function startSupervised(folder: string, lost: () => void, signal: AbortSignal): Promise<Pick<Embedded, 'url' | 'stop'>> {
  // Its own group, so that Ctrl-C ends the app first.
  const supervisor = fork(import.meta.filename, [folder], { detached: true, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(supervisor, 'exit')
  const leave = () => {
    if (supervisor.connected) supervisor.disconnect()
  }
  signal.addEventListener('abort', leave)
  const report = await Promise.race([once(supervisor, 'message').then(([message]) => message as Report), ended.then(() => null)])
  if (!report || 'refused' in report) throw new StartRefused(report?.refused ?? 'The database ended while it was started.')
  let stopping = false
  void ended.then(() => {
    if (!stopping) lost()
  })
  return {
    url: report.url,
    async stop() {
      stopping = true
      leave()
      await ended
    },
  }
}

async function supervise(folder: string): Promise<void> {
  const report = (message: Report) => new Promise((sent) => process.send?.(message, sent))
  // Sent to everything that runs here; the database stops when the app has.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const starting = new AbortController()
  const gone = once(process, 'disconnect').then(() => starting.abort())
  try {
    const embedded = await startEmbedded(folder, (line) => void process.stdout.write(`${line}\n`), { signal: starting.signal })
    await report({ url: embedded.url })
    await gone
    await embedded.stop()
    process.exit(0)
  } catch (error) {
    await report({ refused: error instanceof Error ? error.message : String(error) })
    // Its timers would keep it alive, and nobody could end it in order.
    process.exit(1)
  }
}

if (process.argv[1] === import.meta.filename) await supervise(process.argv[2] ?? '')
