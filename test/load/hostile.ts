// npm run hostile: hands the hostile corpus to a running product, eight files at once, and measures how long everybody else waits and how much
// memory it takes. Ends with 1 where a bar is missed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { seedReference } from '#db/seed/reference.ts'
import { connect } from '#server/db/connect.ts'
import { hostileFiles, type Hostile } from '#test/hostile/corpus.ts'
import { addressOf, clearAnswers, feed, formOf, insertSenders } from '#test/hostile/feed.ts'
import { withTemplate } from '#test/template-db.ts'
import { pause, writeLine, startServer, type Running } from './product.ts'

const bars = { waitMs: 5000, growthMb: 200 }
const atOnce = 8
/** For how long the others ask alone first. */
const ordinaryMs = 90_000
/** An account may hand in 60 files a minute to a call, however many sessions it has. */
const filesOfAccount = 40
const asked = ['/prod-api/business/region/tree', '/prod-api/business/equipment/firstPageList', '/healthz']

const dataDir = mkdtempSync(join(tmpdir(), 'zhujitong-hostile-'))
await withTemplate(async (url) => {
  const made: Hostile[] = []
  for (const file of hostileFiles()) {
    const content = await file.content()
    made.push({ ...file, content: () => content })
  }
  const files = mixed(made)
  const sessions = await signedIn(url, Math.ceil(files.length / filesOfAccount))
  const app = await startServer(url, dataDir)
  try {
    await run(app, files, sessions)
  } finally {
    await app.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** The kinds take turns, so that the reader has a picture and a workbook in hand at once for as long as there are both. */
function mixed(files: readonly Hostile[]): Hostile[] {
  const ofKind = (kind: Hostile['kind']) => files.filter((one) => one.kind === kind)
  const kinds = [ofKind('workbook'), ofKind('picture').toReversed(), ofKind('pdf')]
  return Array.from({ length: Math.max(...kinds.map(({ length }) => length)) }, (_, at) => kinds.flatMap((kind) => kind[at] ?? [])).flat()
}

/** Sessions of as many people of a certified lessor. */
async function signedIn(url: string, count: number): Promise<string[]> {
  const { db } = connect(url, 2)
  await seedReference(db)
  const { id: companyId } = await db
    .insertInto('company')
    .values({ enterpriseName: 'Hostile', creditCode: '91110108DEM000001X', isLessor: true, lessorAudit: '2', searchText: '' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sessions = await insertSenders(db, { companyId, count, now: new Date() })
  await db.destroy()
  return sessions
}

async function run(app: Running, files: readonly Hostile[], sessions: readonly string[]): Promise<void> {
  const others = { asked: 0, worstMs: 0, refused: 0 }
  const end = new AbortController()
  const ask = async (path: string) => {
    while (!end.signal.aborted) {
      const began = performance.now()
      const { ok } = await fetch(app.origin + path)
      others.asked++
      others.worstMs = Math.max(others.worstMs, performance.now() - began)
      if (!ok) others.refused++
      await pause(20)
    }
  }
  await handPhotograph(app, sessions[0] ?? '')
  const running = asked.map(ask)
  // A process collects its memory seldom: what ordinary calls alone let it grow to is no growth by the files.
  const { most: before } = await mostMemory(app, () => pause(ordinaryMs))
  const began = performance.now()
  const { most, result: handed } = await mostMemory(app, () =>
    feed(files, atOnce, (file, content, index) =>
      hand(app, sessions[index % sessions.length] ?? '', { address: addressOf(file), content }),
    ),
  )
  const seconds = (performance.now() - began) / 1000
  end.abort()
  await Promise.all(running)
  const growthMb = most.together - before.server - before.reader
  const unclear = handed.filter(({ code }) => !clearAnswers.includes(code))
  const slowest = handed.toSorted((a, b) => b.ms - a.ms)[0]
  const alive = app.child.exitCode === null && app.child.signalCode === null
  writeLine(
    `${handed.length} files, ${atOnce} at once, in ${seconds.toFixed(0)} s; the slowest: ${slowest?.name}, ${slowest?.ms.toFixed(0)} ms`,
  )
  writeLine(`answers: ${JSON.stringify(countBy(handed.map(({ code }) => code)))}`)
  for (const { name, code } of unclear) writeLine(`! no clear answer: ${name}: ${code}`)
  writeLine(
    `others: ${others.asked} calls, ${others.refused} refused, the longest ${others.worstMs.toFixed(0)} ms (bar: ${bars.waitMs} ms)`,
  )
  writeLine(
    `memory at most, without files and with them: server ${mb(before.server)}, ${mb(most.server)}; reader ${mb(before.reader)}, ${mb(most.reader)}`,
  )
  writeLine(`growth of both together: ${mb(growthMb)} (bar: ${mb(bars.growthMb)})`)
  const held = alive && unclear.length === 0 && others.refused === 0 && others.worstMs <= bars.waitMs && growthMb <= bars.growthMb
  writeLine(held ? 'held' : '! not held')
  if (!held) process.exitCode = 1
}

function mb(value: number): string {
  return `${value.toFixed(0)} MB`
}

async function handPhotograph(app: Running, session: string): Promise<void> {
  const content = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer()
  await hand(app, session, { address: '/prod-api/file/upload', content })
}

/** The most memory that the server and its reader hold while `work` runs. */
async function mostMemory<T>(app: Running, work: () => Promise<T>) {
  const most = { server: 0, reader: 0, together: 0 }
  const end = new AbortController()
  const watch = async () => {
    while (!end.signal.aborted) {
      const { server, reader } = memoryOf(app)
      most.server = Math.max(most.server, server)
      most.reader = Math.max(most.reader, reader)
      most.together = Math.max(most.together, server + reader)
      await pause(20)
    }
  }
  const watching = watch()
  const result = await work()
  end.abort()
  await watching
  return { most, result }
}

async function hand(app: Running, session: string, { address, content }: { address: string; content: Buffer }) {
  const answer = await fetch(app.origin + address, {
    method: 'POST',
    headers: { authorization: session, 'content-type': 'multipart/form-data; boundary=zzzz' },
    body: new Uint8Array(formOf(content, 'zzzz')),
  })
  const { code, msg } = (await answer.json()) as { code: number; msg: string }
  return { http: answer.status, code, msg }
}

function countBy(codes: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** Resident memory of the server, and of the processes that it started. */
function memoryOf({ child, memoryMb }: Running): { server: number; reader: number } {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean)
  const ofChild = (pid: string) => {
    try {
      return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    } catch {
      // It ended between the list and the measurement.
      return 0
    }
  }
  return { server: memoryMb(), reader: children.reduce((sum, pid) => sum + ofChild(pid), 0) }
}
