import { fork } from 'node:child_process'
import { once } from 'node:events'
import { StartRefused } from '../config.ts'
import { startEmbedded, type Embedded } from './embedded.ts'

type Report = { url: string } | { refused: string }

/**
 * Starts the embedded database under a process of root's own, for an app that leaves root: it could neither start the database again nor stop it.
 * That process reads nothing but the end of the app, and stops the database then, even if the app was killed. `lost`: it ended by itself.
 */
export async function startSupervised(folder: string, lost: () => void): Promise<Pick<Embedded, 'url' | 'stop'>> {
  // Its own group, so that Ctrl-C ends the app first.
  const supervisor = fork(import.meta.filename, [folder], { detached: true, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(supervisor, 'exit')
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
      if (supervisor.connected) supervisor.disconnect()
      await ended
    },
  }
}

async function supervise(folder: string): Promise<void> {
  const report = (message: Report) => process.send?.(message)
  // Sent to everything that runs here; the database stops when the app has.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
  const gone = once(process, 'disconnect')
  try {
    const embedded = await startEmbedded(folder, (line) => void process.stdout.write(`${line}\n`))
    report({ url: embedded.url })
    await gone
    await embedded.stop()
    process.exit(0)
  } catch (error) {
    report({ refused: error instanceof Error ? error.message : String(error) })
    process.disconnect()
  }
}

if (process.argv[1] === import.meta.filename) await supervise(process.argv[2] ?? '')
