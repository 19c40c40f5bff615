// Runs the product for the benches and the fault tests: a server as in production on an existing database.
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '#test/free-port.ts'
import { serverEnvironment, serverFlags } from '../../scripts/node.mjs'
import type { Load, Measure } from './client.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const writeLine = (line: string) => void process.stdout.write(`${line}\n`)

export const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

export async function until(check: () => Promise<boolean>, limitMs = 60_000): Promise<number> {
  const began = Date.now()
  while (Date.now() - began < limitMs) {
    if (await check().catch(() => false)) return Date.now() - began
    await pause(20)
  }
  throw new Error(`it did not come about in ${limitMs} ms`)
}

export type Running = {
  port: number
  origin: string
  child: ChildProcess
  memoryMb(): number
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts one of our TypeScript programs on its own port and waits until `ready` answers 200. */
export async function startProgram(file: string, environment: Record<string, string>, ready = '/readyz'): Promise<Running> {
  const port = Number(environment.PORT ?? (await freePort()))
  const child = spawn(process.execPath, [...serverFlags, `${root}${file}`], {
    cwd: root,
    stdio: ['ignore', process.env.VERBOSE ? 'inherit' : 'ignore', 'inherit'],
    env: {
      ...serverEnvironment,
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      REHEARSAL: '1',
      LOG_LEVEL: 'error',
      ...environment,
      PORT: String(port),
    },
  })
  const origin = `http://127.0.0.1:${port}`
  if (ready) await until(() => fetch(`${origin}${ready}`).then(({ ok }) => ok))
  return {
    port,
    origin,
    child,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill(signal)
      await ended
    },
  }
}

export const startServer = (databaseUrl: string, dataDir: string, more: Record<string, string> = {}): Promise<Running> =>
  startProgram('src/server/main.ts', {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    TOKEN_SECRET: 'a-secret-for-the-bench-of-more-than-32-letters',
    DEMO: '0',
    ...more,
  })

/** Measures from a process of its own. */
export function measure(load: Load): Promise<Measure> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [`${root}test/load/client.ts`], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.stdin.end(JSON.stringify(load))
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.once('exit', () => {
      try {
        done(JSON.parse(out) as Measure)
      } catch {
        fail(new Error(`the client failed: ${out.slice(0, 200)}`))
      }
    })
  })
}
