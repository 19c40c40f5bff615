import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { seedDemo } from '#db/seed/demo.ts'
import { seedReference } from '#db/seed/reference.ts'
import { demoPassword, demoSignIns } from '#db/seed/cast.ts'
import { buildApp } from './app.ts'
import { keptSecret, readConfig, StartRefused, type Config } from './config.ts'
import { CodeCounter } from './db/codes.ts'
import { connect } from './db/connect.ts'
import { holdFolder, startEmbedded, type Embedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { startJobs } from './jobs/clock-jobs.ts'
import { Hub } from './message/hub.ts'
import { systemClock } from './outside/clock.ts'
import { smsSender } from './outside/sms.ts'
import { storageOf } from './outside/storage.ts'
import type { Api } from './api.ts'
import { sealReadableContacts } from './quote/seal-contacts.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { loadPages } from './web.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const began = Date.now()
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  const release = config.databaseUrl ? () => undefined : holdFolder(dataDir)
  const closers: (() => Promise<unknown> | void)[] = [release]
  let stopping = false
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    // However slow a part is, the process ends.
    setTimeout(() => process.exit(code), 15_000 + config.drainMs).unref()
    for (const close of closers.toReversed()) await close()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  process.on('SIGHUP', () => void stop(0))

  try {
    mkdirSync(dataDir, { recursive: true })
    let embedded: Embedded | null = null
    if (!config.databaseUrl) {
      embedded = await startEmbedded(join(dataDir, 'postgres'), say)
      closers.push(() => embedded?.stop())
    }
    const url = config.databaseUrl ?? embedded?.url ?? ''
    await migrate(url)
    const { db, pool } = connect(url, config.connections)
    closers.push(() => db.destroy())
    const codes = new CodeCounter(url)
    closers.push(() => codes.end())
    const replica = config.replicaUrl ? connect(config.replicaUrl, config.connections).db : null
    closers.push(() => replica?.destroy())
    const hub = new Hub()
    const services = {
      db,
      pool,
      replica,
      codes,
      config,
      secret: config.tokenSecret ?? keptSecret(dataDir),
      clock: systemClock,
      storage: storageOf(config, dataDir),
      hub,
      answerCache: new AnswerCache(config.cacheMs),
      sms: smsSender(config.sms),
      say,
    }
    await sealReadableContacts(services)
    await seedReference(db)
    if (config.demo && (await seedDemo(services))) say(`Demo market made.`)

    let api: Api | undefined
    const web = await loadPages(services, () => api as Api)
    const app = await buildApp(services, web)
    api = app.api
    await hub.listen(url, (error) => app.server.log.warn({ err: error }, 'listening for messages again'))
    closers.push(() => hub.stop())
    closers.push(startJobs(services, app.server.log))
    await listen(app.server, config)
    closers.push(() => app.server.close())
    closers.push(() => app.drain(config.drainMs))
    say(`${config.site.name} is ready on http://localhost:${config.port} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
    if (config.demo) {
      say(`Demo sign-ins, password ${demoPassword}:`)
      for (const { userName, kind } of demoSignIns) say(`  ${userName.padEnd(10)} ${kind}`)
    }
    if (!web) say('The pages are not built; run: npm run build')
  } catch (error) {
    const sentence =
      error instanceof StartRefused ? error.message : `It cannot start: ${error instanceof Error ? error.message : String(error)}`
    process.stderr.write(`${sentence}\n`)
    if (!(error instanceof StartRefused) && process.env.LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`)
    await stop(1)
  }
}

async function listen(server: Awaited<ReturnType<typeof buildApp>>['server'], { port, host }: Config): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new StartRefused(`Port ${port} is in use; set PORT to another one or stop what uses it.`)
    if (code === 'EACCES') throw new StartRefused(`Port ${port} may not be opened by this user; set PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartRefused(`The setting HOST (${host}) is not an address of this machine.`)
    throw error
  }
}

try {
  await start()
} catch (error) {
  process.stderr.write(`${error instanceof StartRefused ? error.message : String(error)}\n`)
  process.exit(1)
}
