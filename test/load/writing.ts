// The rows of the bench that write, count over everything, or are about the process itself.
import pg from 'pg'
import { reportGroups } from '#shared/statistics/report.ts'
import type { Load, Measure } from './client.ts'
import { measure, pause, writeLine, startProgram, startServer, until } from './product.ts'
import { allAnswered, asBrowser, connections, failuresOf, rate } from './rates.ts'
import type { Bench } from './servers.ts'
import { rows as workbooks } from './workbooks.ts'
import { creating, demandBody, publishersQuery, quoteBody, biddersQuery, tokenOf, wheelLoaders } from './write-bodies.ts'

const names = ['publish', 'quote', 'compare', 'statistics', 'xlsx', 'start', 'two']

export async function rows(bench: Bench): Promise<void> {
  const { asked, put, servers, large, start } = bench
  if (!names.some(asked)) return
  const [url, folder, plain] = [await large.url(), await bench.folder(), await servers.plain()]
  const client = new pg.Client(url)
  await client.connect()
  const query = async <T extends object>(text: string, values: unknown[] = []) => (await client.query<T>(text, values)).rows
  const call = async (method: string, path: string, userName: string, body?: unknown) => {
    const answer = await fetch(`${plain.origin}/prod-api${path}`, {
      method,
      headers: { ...(method === 'POST' ? creating : tokenOf)(userName), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as { code: number; msg: string; data: never }
  }
  /** Waits for the work that the previous row left behind (notifying lessors, vacuuming), so the next row does not measure it. */
  const settle = async () => {
    await query('delete from demand_notice')
    await query('vacuum (analyze) demand, demand_item, demand_event, demand_notice, quote, quote_line, message')
    await query('checkpoint')
  }
  const noticesWaiting = async () => Number((await query<{ waiting: string }>('select count(*) as waiting from demand_notice'))[0]?.waiting)
  const ms = (value: number) => `${value.toFixed(0)} ms`
  /** Each once, of 16 people at a time; as with the questions, some seconds of the same come first, not counted. */
  const each = async (title: string, requests: Load['requests']) => {
    const ask = (some: Load['requests']) => measure({ port: plain.port, connections, seconds: 60, requests: some, once: true })
    await ask(requests.slice(0, 2000))
    const seen = await ask(requests.slice(2000))
    const done = seen.answers['200'] === requests.length - 2000
    put(title, `${rate(seen)}, p99 ${ms(seen.p99)}${failuresOf(seen)}`, '≥ 300/s, p99 ≤ 60 ms', done && seen.rate >= 300 && seen.p99 <= 60)
  }
  const projects = await query<{ user_name: string; dept_id: string }>(publishersQuery)
  try {
    if (asked('publish')) {
      const requests = Array.from({ length: 8000 }, (_, at) => {
        const { user_name: userName, dept_id: deptId } = projects[at % projects.length] ?? { user_name: '', dept_id: '' }
        return {
          method: 'POST',
          path: '/prod-api/business/leasingDemand',
          headers: creating(userName),
          body: JSON.stringify(demandBody(Number(deptId))),
        }
      })
      await each('demand published (16 connections)', requests)
      const before = await noticesWaiting()
      await pause(10_000)
      writeLine(`    lessors told of ${((before - (await noticesWaiting())) / 10).toFixed(0)} demands a second, 500 of each`)
    }
    if (asked('quote')) {
      const [project] = projects
      const machines = await query<{ user_name: string; id: string }>(biddersQuery, [60])
      // Lessors quote at the same time, each for a different demand.
      const rounds: Load['requests'][] = machines.map(() => [])
      for (let n = 0; n < 130; n++) {
        const { data, msg } = await call('POST', '/business/leasingDemand', project?.user_name ?? '', demandBody(Number(project?.dept_id)))
        const { id } = (data as { id: number } | null) ?? { id: 0 }
        if (!id) throw new Error(msg)
        const [item] = await query<{ id: string }>('select id from demand_item where demand_id = $1', [id])
        for (const [at, { user_name: userName, id: machine }] of machines.entries())
          rounds[at]?.push({
            method: 'POST',
            path: '/prod-api/business/leasingApply',
            headers: creating(userName),
            body: JSON.stringify(quoteBody(id, [Number(item?.id)], [Number(machine)])),
          })
      }
      const requests = rounds.flat()
      await settle()
      await each('quote submitted (16 connections)', requests)
    }
    if (asked('compare')) await compare()
    if (asked('statistics')) {
      await settle()
      const period = 'from=2020-01-01&to=2035-12-31'
      const paths = [`/business/statistics/report?${period}`, ...reportGroups.map((by) => `/business/statistics/groups?${period}&by=${by}`)]
      const worst: [number, string] = [0, '']
      for (const path of paths) {
        // Only the first view is measured, because later ones are cached.
        const began = performance.now()
        const answer = await fetch(`${plain.origin}/prod-api${path}`, { headers: tokenOf('group1') })
        const { code, msg } = (await answer.json()) as { code: number; msg: string }
        const took = performance.now() - began
        if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
        writeLine(`    ${path.slice(21).padEnd(60)} ${ms(took)}`)
        if (took > worst[0]) [worst[0], worst[1]] = [took, path.split('by=')[1] ?? 'figures']
      }
      put('statistics, whole organisation', `slowest ${ms(worst[0])} (${worst[1]})`, '≤ 300 ms', worst[0] <= 300)
    }
    if (asked('xlsx')) await workbooks({ put, plain })
    if (asked('start')) await starting()
    if (asked('two')) await two()
  } finally {
    await client.end()
  }

  /** 50 quotes of 20 lines each, opened, then compared. */
  async function compare(): Promise<void> {
    const [project] = projects
    const lessors = await query<{ user_name: string; company_id: string }>(
      `select user_name, company_id from account where user_type = '4' and id < 6000 order by id desc limit 50`,
    )
    await query(
      `insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, specs, main_value, out_factory_date,
         emission_stage, province_id, city_id, audit_status, shelf_status, month_price_fen)
       select 'CMP' || company || '-' || n || '-' || $2::text, company, 100, ${wheelLoaders}, '装载机', '柳工', '856H', '{"ratedLoad": 5}', 5, '2022-01-01', '3', 510000, 510100, '2', '1', 1600000
       from unnest($1::bigint[]) company, generate_series(1, 20) n`,
      [lessors.map(({ company_id: id }) => id), String(Date.now())],
    )
    await query(
      `insert into equipment_document (equipment_id, kind) select e.id, kind from equipment e, unnest(array['ownership', 'conformity', 'emission']) kind
       where e.equipment_code like 'CMP%' and not exists (select 1 from equipment_document d where d.equipment_id = e.id and d.kind = kind)`,
    )
    const { data, msg } = await call('POST', '/business/leasingDemand', project?.user_name ?? '', demandBody(Number(project?.dept_id), 20))
    const { id } = (data as { id: number } | null) ?? { id: 0 }
    if (!id) throw new Error(msg)
    const items = (await query<{ id: string }>('select id from demand_item where demand_id = $1 order by line_no', [id])).map((item) =>
      Number(item.id),
    )
    for (const { user_name: userName, company_id: company } of lessors) {
      const machines = await query<{ id: string }>(
        `select id from equipment where company_id = $1 and equipment_code like 'CMP%' order by id desc limit 20`,
        [company],
      )
      const answer = await call(
        'POST',
        '/business/leasingApply',
        userName,
        quoteBody(
          id,
          items,
          machines.map((machine) => Number(machine.id)),
        ),
      )
      if (answer.code !== 200) throw new Error(answer.msg)
    }
    await query(`update demand set quote_deadline = now() - interval '1 second', clarify_deadline = null where id = $1`, [id])
    await until(async () => (await query<{ status: string }>('select status from demand where id = $1', [id]))[0]?.status === '4', 30_000)
    const seen = await measure({
      port: plain.port,
      connections: 1,
      seconds: 3,
      requests: [{ path: `/prod-api/business/leasingApply/compare/${id}`, headers: tokenOf(project?.user_name ?? '') }],
    })
    put(
      'comparison of 50 quotes × 20 lines',
      `p50 ${ms(seen.p50)}, ${(seen.bytes / 1024).toFixed(0)} KB${failuresOf(seen)}`,
      '≤ 60 ms',
      seen.p50 <= 60 && allAnswered(seen),
    )
  }

  /** The demo market with its embedded database: a later start, and what an idle process holds. */
  async function starting(): Promise<void> {
    const settings = { DATA_DIR: `${folder}/demo`, DATABASE_URL: '', TOKEN_SECRET: '', DEMO: '1' }
    const first = await start(startProgram('src/server/main.ts', settings, '/'))
    await first.stop()
    const began = performance.now()
    const later = await start(startProgram('src/server/main.ts', settings, '/'))
    const took = performance.now() - began
    await pause(10_000)
    put('a later start, to the first page', ms(took), '≤ 8 s', took <= 8000)
    put('memory of the idle process', `${later.memoryMb().toFixed(0)} MB`, '≤ 250 MB', later.memoryMb() <= 250)
    await later.stop()
  }

  /** Pages that need no database, on one process and on two. */
  async function two(): Promise<void> {
    const other = await start(startServer(url, `${folder}/files`, { CACHE_MS: '0' }))
    const load = (port: number, people: number, seconds = 4) =>
      measure({ port, connections: people, seconds, requests: asBrowser([{ path: '/login' }]) })
    // The other has only just begun.
    await load(other.port, 8, 10)
    await load(plain.port, 8, 10)
    const rounds: { one: number; together: number }[] = []
    const seen: Measure[] = []
    for (let round = 0; round < 3; round++) {
      const alone = await load(plain.port, 8)
      const both = await Promise.all([load(plain.port, 8), load(other.port, 8)])
      seen.push(alone, ...both)
      rounds.push({ one: alone.rate, together: both.reduce((sum, { rate: one }) => sum + one, 0) })
    }
    rounds.sort((a, b) => a.together / a.one - b.together / b.one)
    const { one, together } = rounds[1] ?? { one: 1, together: 0 }
    put(
      'two processes against one, pages without a query',
      `${(together / one).toFixed(2)} × (${together.toFixed(0)}/s : ${one.toFixed(0)}/s)${failuresOf(...seen)}`,
      '≥ 1.5 ×',
      together / one >= 1.5 && allAnswered(...seen),
    )
    await other.stop()
  }
}
