import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { recordingDatabase, rowsRead, Stopwatch } from '#test/load/database-time.ts'
import { fillMarket } from '#test/load/large.ts'
import { copyDatabase } from '#test/template-db.ts'
import { releaseLines } from './award/release.ts'
import type { Db } from './db/connect.ts'
import { compareQuotes } from './quote/compare.ts'
import { findWon } from './quote/won.ts'

const { url, drop } = await copyDatabase(inject('template'))
const { db, pool, sent } = recordingDatabase(url)
// Small tables are planned as large ones are.
const stopwatch = await Stopwatch.open(url, { seqscan: 'off' })
const now = new Date()

afterAll(async () => {
  await stopwatch.close()
  await pool.end()
  await drop()
})
beforeAll(async () => {
  const client = new pg.Client(url)
  await client.connect()
  await fillMarket(client, { companies: 1200, machines: 3000, demands: 3000, messages: 9000 })
  await client.query(fewMore)
  await client.query('vacuum (analyze)')
  await client.end()
}, 60_000)

/** What was won is booked, one unit for each line. */
const fewMore = `
  insert into equipment_booking (equipment_id, slot, period, reason, award_line_id)
    select e.id, 1 + l.id, daterange(current_date, current_date + 30), 'award', l.id
    from award_line l join (select distinct on (company_id) company_id, id from equipment order by company_id, id) e using (company_id);
  insert into quote_line_equipment (quote_line_id, equipment_id, qty)
    select l.id, e.id, 1 from quote_line l join quote q on q.id = l.quote_id
      join (select distinct on (company_id) company_id, id from equipment order by company_id, id) e using (company_id)`

/** How many rows of each table the statements of a question read at most in one step. */
async function readsOf(ask: (asked: Db) => Promise<unknown>): Promise<Map<string, number>> {
  sent.length = 0
  await ask(db)
  const reads = new Map<string, number>()
  for (const statement of sent.splice(0).filter(({ sql: text }) => /^\s*(select|with|update|delete)\b/.test(text)))
    for (const node of await stopwatch.nodes(statement)) {
      const table = node['Relation Name']
      if (table && node['Actual Loops'] > 0) reads.set(table, Math.max(reads.get(table) ?? 0, rowsRead(node)))
    }
  return reads
}

/** An award of a lessor with its machines booked. */
async function findAward() {
  const { rows } = await pool.query<{ awardId: number; demandId: number; quoteId: number; companyId: number }>(
    `select l.award_id as "awardId", w.demand_id as "demandId", q.quote_id as "quoteId", l.company_id as "companyId"
      from award_line l join award w on w.id = l.award_id join quote_line q on q.id = l.quote_line_id
      where exists (select from equipment_booking b where b.award_line_id = l.id) order by l.id limit 1`,
  )
  const [award] = rows
  if (!award) throw new Error('nothing was awarded')
  return award
}

test('the machines of an award are found without the bookings of others', async () => {
  const { awardId, demandId, quoteId, companyId } = await findAward()
  const won = await readsOf((asked) => findWon(asked, { companyId, demandIds: [demandId] }))
  expect(won.get('equipment_booking')).toBeLessThan(20)
  expect((await readsOf((asked) => compareQuotes(asked, demandId, now))).get('equipment_booking')).toBeLessThan(50)
  const released = await readsOf((asked) => asked.transaction().execute((tx) => releaseLines(tx, { awardId, quoteId })))
  expect(Math.max(...released.values())).toBeLessThan(50)
})

const tableOf = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The tables from which the product deletes rows. */
function tablesDeletedFrom(): string[] {
  const folder = new URL('.', import.meta.url)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
  return files.flatMap((file) =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/deleteFrom\('(\w+)'|\bdelete from (\w+)/g)].map(([, named, written]) =>
      tableOf(named ?? written ?? ''),
    ),
  )
}

test('a row is deleted without reading the tables that may refer to it', async () => {
  const { rows } = await sql<{ reference: string }>`
    select format('%s.%s', k.conrelid::regclass, a.attname) as reference
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid::regclass::text = any(${tablesDeletedFrom()}::text[]) and not exists (
      select from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])`.execute(db)
  expect(rows).toEqual([])
})
