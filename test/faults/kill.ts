// npm run faults: kills the app and the database with SIGKILL while lessors submit quotes, and counts what was
// acknowledged against what is found. Bounded: KILLS of each (50 unless set), on loopback, in a folder of its own.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'

const kills = Number(process.env.KILLS ?? 50)
const workers = 4
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-faults-'))
const port = await new Promise<number>((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = probe.address() as AddressInfo
    probe.close(() => done(free))
  })
})
const origin = `http://127.0.0.1:${port}`
const say = (line: string) => void process.stdout.write(`${line}\n`)

let app = launch()
function launch(): ChildProcess {
  return spawn(process.execPath, [join(root, 'src/server/main.ts')], {
    cwd: root,
    stdio: ['ignore', process.env.VERBOSE ? 'inherit' : 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      LOG_LEVEL: process.env.VERBOSE ? 'error' : 'silent',
      DATABASE_URL: '',
    },
  })
}

async function ready(limitMs: number): Promise<number> {
  const began = Date.now()
  while (Date.now() - began < limitMs) {
    const up = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (up) return Date.now() - began
    await pause(50)
  }
  throw new Error(`not ready within ${limitMs} ms`)
}

type Envelope = { code: number; msg: string; data: { id: number; access_token: string } }
async function call(method: string, path: string, token: string | null, body?: unknown): Promise<Envelope> {
  const answer = await fetch(`${origin}/prod-api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token && { authorization: token }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  return (await answer.json()) as Envelope
}

async function query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
  const password = readFileSync(join(folder, 'postgres/password'), 'utf8').trim()
  const [, , , databasePort] = readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')
  const client = new pg.Client(`postgres://postgres:${password}@127.0.0.1:${databasePort}/zhujitong`)
  await client.connect()
  try {
    return (await client.query<T>(text, values)).rows
  } finally {
    await client.end()
  }
}

await ready(90_000)
const lessors = await query<{ name: string; company: string; machine: string }>(`
  select distinct on (a.company_id) a.user_name as name, a.company_id as company, e.id as machine from account a join company c on c.id = a.company_id and c.blacklisted_at is null
  join equipment e on e.company_id = a.company_id and e.category_id = 106 and e.shelf_status = '1' and e.main_value >= 5 where a.user_type = '4' order by a.company_id`)
const tokens = new Map<string, string>()
for (const { name } of lessors)
  tokens.set(name, (await call('POST', '/auth/webLogin', null, { username: name, password: 'Zhuji@2026' })).data.access_token)
const { access_token: project } = (await call('POST', '/auth/webLogin', null, { username: 'project', password: 'Zhuji@2026' })).data
const [dept] = await query<{ id: string }>(`select dept_id as id from account where user_name = 'project'`)
say(`${lessors.length} lessors, ${kills} kills of the app and ${kills} of the database, ${workers} at a time`)

const start = addDays(dayOf(new Date()), 500)
type Pair = { demand: number; item: number; lessor: (typeof lessors)[number] }
const pairs: Pair[] = []
let published = 0
async function publish(): Promise<void> {
  const { data, code, msg } = await call('POST', '/business/leasingDemand', project, {
    title: `掉电演练第 ${++published} 条`,
    deptId: Number(dept?.id),
    provinceId: 510_000,
    cityId: 510_100,
    address: '工地驻地',
    contactName: '王样本',
    contactPhone: '14400000001',
    quoteDeadline: toMoment(new Date(Date.now() + 3 * 86_400_000)),
    items: [
      {
        fatherCategoryId: 100,
        categoryId: 106,
        specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '5' }],
        qty: 1,
        planStart: start,
        planEnd: addDays(start, 60),
        rentUnit: 'M',
      },
    ],
  })
  if (code !== 200) throw new Error(`not published: ${msg}`)
  const { data: detail } = (await call('GET', `/business/leasingDemand/${data.id}`, project)) as unknown as {
    data: { items: { id: number }[] }
  }
  for (const lessor of lessors) pairs.push({ demand: data.id, item: detail.items[0]?.id ?? 0, lessor })
}

const acknowledged = new Map<number, Pair>()
let unanswered = 0
/** Read by the workers in every round. */
const stream = { running: true }

async function work(): Promise<void> {
  while (stream.running) {
    const pair = pairs.shift()
    if (!pair) {
      await publish().catch(() => pause(100))
      continue
    }
    for (let done = false; !done && stream.running;) {
      try {
        const { code, data, msg } = await call('POST', '/business/leasingApply', tokens.get(pair.lessor.name) ?? null, {
          demandId: pair.demand,
          contactName: '陈调度',
          contactPhone: '14400000002',
          validUntil: addDays(dayOf(new Date()), 40),
          lines: [
            {
              demandItemId: pair.item,
              machines: [{ equipmentId: Number(pair.lessor.machine) }],
              unitPrice: 16_000,
              rentUnit: 'M',
              includesOperator: true,
              includesFuel: false,
              taxRate: 9,
              invoiceKind: 'special',
              earliestEntry: start,
              promisesRenewal: true,
            },
          ],
        })
        if (code === 200) acknowledged.set(data.id, pair)
        // Stored before the kill, but the answer was lost: neither acknowledged nor done twice.
        else if (code === 409) unanswered++
        else if (code !== 503) throw new Error(`${code} ${msg}`)
        done = code !== 503
      } catch (error) {
        if (error instanceof Error && /^\d{3} /.test(error.message)) throw error
        await pause(50)
      }
    }
  }
}

const recoveries: number[] = []
async function kill(what: 'app' | 'database'): Promise<void> {
  await pause(100 + Math.random() * 300)
  if (what === 'app') {
    const ended = new Promise((done) => app.once('exit', done))
    app.kill('SIGKILL')
    await ended
    app = launch()
  } else process.kill(Number(readFileSync(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  await pause(60)
  recoveries.push(60 + (await ready(30_000)))
}

const began = Date.now()
const streams = Promise.all(Array.from({ length: workers }, () => work()))
for (let round = 1; round <= kills; round++) {
  await kill('app')
  await kill('database')
  if (round % 10 === 0) say(`round ${round}: ${acknowledged.size} acknowledged`)
}
stream.running = false
await streams

await ready(30_000)
const found = await query<{ id: string; demand: string; company: string }>(
  `select id, demand_id as demand, company_id as company from quote where status = '1' and demand_id in (select id from demand where title like '掉电演练%')`,
)
const ids = new Set(found.map(({ id }) => Number(id)))
const lost = [...acknowledged.keys()].filter((id) => !ids.has(id))
const doubled = found.length - new Set(found.map(({ demand, company }) => `${demand} ${company}`)).size
const [counts] = await query<{ wrong: string }>(
  `select count(*) as wrong from demand d where title like '掉电演练%' and quote_count <> (select count(*) from quote q where q.demand_id = d.id and q.status = '1')`,
)
const orphans = await query(
  `select 1 from demand d where title like '掉电演练%' and not exists (select 1 from demand_item i where i.demand_id = d.id)`,
)
const ended = new Promise((done) => app.once('exit', done))
app.kill('SIGTERM')
await ended
rmSync(folder, { recursive: true, force: true })

const sorted = recoveries.toSorted((a, b) => a - b)
say(
  `${kills * 2} kills in ${Math.round((Date.now() - began) / 1000)} s; recovery median ${sorted[sorted.length >> 1]} ms, longest ${sorted.at(-1)} ms`,
)
say(
  `quotes acknowledged ${acknowledged.size}, found ${found.length} (of these stored without an answer having arrived: ${found.length - acknowledged.size}; retries told "already quoted": ${unanswered})`,
)
say(`lost ${lost.length}, double ${doubled}, demands with a wrong count ${counts?.wrong}, demands without lines ${orphans.length}`)
process.exit(lost.length + doubled + Number(counts?.wrong) + orphans.length === 0 ? 0 : 1)
