import { mkdirSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { seedDemo } from '#db/seed/demo.ts'
import { seedReference } from '#db/seed/reference.ts'
import { closeConsole, listDemoSignIns } from './account/exposed-demo.ts'
import { isDemo } from './account/queries.ts'
import { buildApp } from './app.ts'
import { isLoopback, readConfig, refuseUnsafe, StartRefused, storedSecret, type Config } from './config.ts'
import { CodeCounter } from './db/codes.ts'
import { connect } from './db/connect.ts'
import { holdFolder, startEmbedded } from './db/embedded.ts'
import { startSupervised } from './db/supervisor.ts'
import { migrate } from './db/migrate.ts'
import { jobBounds, startJobs } from './jobs/clock-jobs.ts'
import { Hub } from './message/hub.ts'
import { systemClock } from './outside/clock.ts'
import { clamdScan } from './outside/scanner.ts'
import { smsSender } from './outside/sms.ts'
import { storageOf } from './outside/storage.ts'
import type { Api } from './api.ts'
import { sealReadableContacts } from './seal/contacts.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { deleteAbandonedUploads } from './http/uploads.ts'
import { become, giveData, isRoot, plainUsers, readsCode, type PlainUser } from './plain-users.ts'
import type { Services } from './services.ts'
import { loadPages } from './web.ts'

/** For the jobs of this process, which work item by item. */
const jobConnections = 2

const writeLine = (line: string) => void process.stdout.write(`${line}\n`)

type Closers = (() => Promise<unknown> | void)[]

async function start(): Promise<void> {
  const began = Date.now()
  const config = readConfig(process.env)
  refuseUnsafe(config)
  const dataDir = resolve(config.dataDir)
  const closers: Closers = [config.databaseUrl ? () => undefined : holdFolder(dataDir)]
  const stop = stopper(config, closers)
  try {
    mkdirSync(dataDir, { recursive: true })
    const user = userToBecome(dataDir)
    // Held as the current folder, it can be reached later wherever it lies: a plain user may not pass through /root, for example.
    if (user) process.chdir(dataDir)
    config.dataDir = user ? '.' : dataDir
    const url = config.databaseUrl ?? (await startDatabase(dataDir, user, stop, closers))
    const services = await openServices(config, url, closers)
    const { db, hub } = services
    if (config.demo && (await seedDemo(services))) writeLine(`Demo market made.`)
    const holdsDemo = await isDemo(db)
    refuseUnsafe(config, holdsDemo)
    // A database of somebody's own is no demo, whatever the setting says: nobody reads its codes, and its operators need a second factor.
    config.demo &&= holdsDemo
    const passwords = holdsDemo && !isLoopback(config.host) ? await closeConsole(services) : []

    let api: Api | undefined
    const web = await loadPages(services, () => api as Api)
    const app = await buildApp(services, web)
    api = app.api
    await hub.listen(url, (error) => app.server.log.warn({ err: error }, 'listening for messages again'))
    closers.push(() => hub.stop())
    await listen(app.server, config)
    // Root was needed for the database and for a port below 1024, and is left before anybody is answered.
    if (user) {
      giveData(dataDir, user)
      // A plain user may not write where root keeps compiled modules.
      flushCompileCache()
      become(user)
    }
    deleteAbandonedUploads()
    const forJobs = connect(url, jobConnections, jobBounds)
    closers.push(() => forJobs.db.destroy())
    const stopJobs = startJobs({ ...services, ...forJobs }, app.server.log)
    // Side by side: a slow caller keeps no job going, and a job that waits for the SMS provider keeps no caller.
    closers.push(() => Promise.all([stopJobs(), app.drain(config.drainMs).then(() => app.close())]))
    writeLine(`${config.site.name} is ready on http://localhost:${config.port} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
    if (config.demo) await sayDemo(services, passwords)
    if (!web) writeLine('The pages are not built; run: npm run build')
  } catch (error) {
    const sentence =
      error instanceof StartRefused ? error.message : `It cannot start: ${error instanceof Error ? error.message : String(error)}`
    process.stderr.write(`${sentence}\n`)
    if (!(error instanceof StartRefused) && process.env.LOG_LEVEL === 'debug') process.stderr.write(`${(error as Error).stack}\n`)
    await stop(1)
  }
}

/** How the process ends, once, by a signal too. */
function stopper(config: Config, closers: Closers): (code: number) => Promise<void> {
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
  return stop
}

/** The plain user that the app becomes when root starts it; null where it is one already or cannot become one. */
function userToBecome(dataDir: string): PlainUser | null {
  if (!isRoot()) return null
  const { app } = plainUsers(join(dataDir, 'postgres/cluster'))
  if (app && readsCode(app)) return app
  writeLine(
    app
      ? `ATTENTION: it keeps running as root, because the user ${app.name} cannot read its code. Move it to a folder that everybody may enter, such as /srv.`
      : 'ATTENTION: it keeps running as root, because this machine has no plain user for it; make one with the name zhujitong.',
  )
  return null
}

async function startDatabase(
  dataDir: string,
  user: PlainUser | null,
  stop: (code: number) => Promise<void>,
  closers: Closers,
): Promise<string> {
  const folder = join(dataDir, 'postgres')
  const lost = () => {
    writeLine('The process that supervises the database has ended.')
    void stop(1)
  }
  const interrupted = new AbortController()
  const { signal } = interrupted
  const embedded = user ? startSupervised(folder, lost, signal) : startEmbedded(folder, writeLine, { signal })
  // A signal may come while the database is still starting.
  closers.push(async () => {
    interrupted.abort()
    await (await embedded.catch(() => null))?.stop()
  })
  return (await embedded).url
}

async function openServices(config: Config, url: string, closers: Closers): Promise<Services> {
  await migrate(url, { writeLine })
  const { db, pool } = connect(url, config.connections, config)
  closers.push(() => db.destroy())
  const codes = new CodeCounter(url, { statementSeconds: config.statementSeconds })
  closers.push(() => codes.end())
  const replica = config.replicaUrl ? connect(config.replicaUrl, config.connections, config).db : null
  closers.push(() => replica?.destroy())
  const services = {
    db,
    pool,
    replica,
    codes,
    config,
    secret: config.tokenSecret ?? storedSecret(config.dataDir),
    clock: systemClock,
    storage: storageOf(config, config.dataDir),
    scan: config.scanner ? clamdScan(config.scanner, writeLine) : null,
    hub: new Hub(db),
    answerCache: new AnswerCache(config.cacheMs),
    sms: smsSender(config.sms),
    writeLine,
  }
  await sealReadableContacts(services)
  await seedReference(db)
  return services
}

async function sayDemo({ db, config: { host } }: Services, console: readonly { userName: string; password: string }[]): Promise<void> {
  if (!isLoopback(host)) {
    writeLine(
      `ATTENTION: everybody who reaches ${host} can sign in to this demo, because its passwords are published. Use it on a network you trust,`,
    )
    writeLine('and never with real data. The accounts of the console have passwords of their own, shown only now and only here:')
    if (console.length === 0) writeLine('  (shown at an earlier start; npm run manage -- reset-password --user operator gives a new one)')
    for (const { userName, password } of console) writeLine(`  ${userName.padEnd(10)} ${password}`)
  }
  const { password, accounts } = await listDemoSignIns(db)
  writeLine(`Demo sign-ins, password ${password}:`)
  for (const { userName, kind } of accounts) writeLine(`  ${userName.padEnd(10)} ${kind}`)
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
