import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#test/free-port.ts'
import { demoSecret } from '#test/template-db.ts'
import { serverEnvironment, serverFlags } from '../../scripts/node.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))

let portOfProcess: number | undefined

/** The port of this process, where one server follows another: what the browser keeps of the scripts belongs to an address. */
export async function ownPort(): Promise<number> {
  portOfProcess ??= await freePort()
  return portOfProcess
}

/**
 * Runs the built product as in production on that database, with the files in its data folder. INSTANCES=2 runs two of them behind nginx
 * with deploy/nginx.conf.
 */
export async function startServer(url: string, folder: string) {
  const several = Number(process.env.INSTANCES ?? 1)
  const port = await ownPort()
  const ports = several > 1 ? await Promise.all(Array.from({ length: several }, freePort)) : [port]
  const origin = `http://127.0.0.1:${port}`
  const run = (own: number) =>
    spawn(process.execPath, [...serverFlags, join(root, 'src/server/main.ts')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...serverEnvironment,
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(own),
        HOST: '127.0.0.1',
        DATA_DIR: folder,
        DATABASE_URL: url,
        DATABASE_CONNECTIONS: String(12 / several),
        TOKEN_SECRET: demoSecret,
        DEMO: '1',
        REHEARSAL: '1',
        LOG_LEVEL: 'error',
      },
    })
  const end = async (child: ChildProcess) => {
    // One that has gone by itself tells nobody again.
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
  const up = (own: number, child: ChildProcess) => untilUp(`http://127.0.0.1:${own}`, child)
  const servers = ports.map((own) => ({ own, child: run(own) }))
  await Promise.all(servers.map(({ own, child }) => up(own, child)))
  const nginx = several > 1 ? startNginx(folder, port, ports) : null
  if (nginx) await untilUp(origin, nginx)
  return {
    origin,
    stop: async () => {
      if (nginx) await end(nginx)
      await Promise.all(servers.map(({ child }) => end(child)))
    },
    /** Ends each process and starts it again on the same port, with the pages still open; `meanwhile` runs while it is away. */
    restart: async (meanwhile = () => Promise.resolve()) => {
      for (const server of servers) {
        await end(server.child)
        try {
          await meanwhile()
        } finally {
          server.child = run(server.own)
          await up(server.own, server.child)
        }
      }
    },
  }
}

function startNginx(folder: string, port: number, ports: readonly number[]): ChildProcess {
  const file = join(folder, 'nginx.conf')
  const settings = readFileSync(join(root, 'deploy/nginx.conf'), 'utf8')
    .replace('@APPS@', ports.map((own) => `server 127.0.0.1:${own} max_fails=0;`).join(' '))
    .replace('@LISTEN@', `127.0.0.1:${port}`)
    .replaceAll('/tmp/zhujitong-nginx', `/tmp/zhujitong-nginx-${port}`)
  writeFileSync(file, settings)
  return spawn('nginx', ['-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'inherit', 'inherit'] })
}

async function untilUp(origin: string, server: ChildProcess): Promise<void> {
  // Far above the seconds that it takes: a busy machine is slow.
  for (let tries = 0; tries < 1800; tries++) {
    if (server.exitCode !== null) throw new Error('the product did not start')
    const up = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (up) return
    await new Promise((done) => {
      setTimeout(done, 100)
    })
  }
  // One that comes up later would answer the next file on this port, from another database.
  server.kill('SIGKILL')
  throw new Error('the product did not come up within three minutes')
}
