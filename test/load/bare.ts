// The practical limit of this stack: node:http, one prepared statement for each question over pg, and the rows as JSON, without checks, permissions or
// logs. It has every advantage that the product has: the same settings for plans, the vocabulary of the search in memory, and for a minute which machines
// are like another one. The list is its own statement for the question (`bare-list.ts`); the detail is read by its id with the columns that the product
// shows. What the product does not need it has besides: it parses no filter twice, keeps its texts without a bound and compresses nothing.
// Settings: PORT, DATABASE_URL.
import { createServer } from 'node:http'
import pg from 'pg'
import { understandSearch } from '#server/category/vocabulary.ts'
import { connect } from '#server/db/connect.ts'
import { cardsOf, machinePage, similarMs, similarTo } from '#server/equipment/queries.ts'
import { dayOf } from '#shared/calendar.ts'
import { bareList, loadCatalogue } from './bare-list.ts'

const url = process.env.DATABASE_URL ?? ''
const { db } = connect(url, 1)
const pool = new pg.Pool({ connectionString: url, max: 10, options: '-c plan_cache_mode=force_generic_plan' })

/** A statement of each text has a name, so every connection prepares it once. */
const names = new Map<string, string>()
function ask<Row extends object = Record<string, unknown>>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
  let name = names.get(text)
  if (!name) names.set(text, (name = `q${names.size}`))
  return pool.query<Row>({ name, text, values: [...values] })
}

const catalogue = await loadCatalogue(pool)
const place = { id: 900_000_005, categoryId: 900_000_002, provinceId: 900_000_001, mainValue: 900_000_006, today: '2026-01-01' }
const detail = machinePage(db, place).compile()
const like = similarTo(db, place).compile()
const alike = [900_000_007]
const cards = cardsOf(db, { ids: alike }).compile()

/** The parameters of a statement with what they stand for put in. */
const filled = (parameters: readonly unknown[], given: ReadonlyMap<unknown, unknown>) =>
  parameters.map((value) => (given.has(value) ? given.get(value) : value))

const similarOf = new Map<number, { ids: unknown[]; until: number }>()

/** Like the product: which machines are alike is searched once a minute, and their cards are read each time, because a machine may have left the shelf. */
async function similar(id: number, machine: Record<string, unknown>): Promise<object[]> {
  const cached = similarOf.get(id)
  if (cached && cached.until > performance.now()) {
    if (cached.ids.length === 0) return []
    return (await ask(cards.sql, filled(cards.parameters, new Map([[alike, cached.ids]])))).rows
  }
  const given = new Map([
    [place.id, id],
    [place.categoryId, machine.category_id],
    [place.provinceId, machine.province_id],
    [place.mainValue, machine.main_value],
  ])
  const { rows } = await ask(like.sql, filled(like.parameters, given))
  similarOf.set(id, { ids: rows.map((row) => row.id), until: performance.now() + similarMs })
  return rows
}

async function answer(asked: URL): Promise<unknown> {
  const id = Number(/\/firstPageList\/(\d+)$/.exec(asked.pathname)?.[1])
  if (id) {
    const given = new Map<unknown, unknown>([
      [place.id, id],
      [place.today, dayOf(new Date())],
    ])
    const { rows } = await ask(detail.sql, filled(detail.parameters, given))
    const [machine] = rows
    return { code: 200, data: machine && { ...machine, similar: await similar(id, machine) } }
  }
  const name = asked.searchParams.get('name')
  const { text, values } = bareList(asked.searchParams, catalogue, name ? await understandSearch(db, name) : undefined)
  const { rows } = await ask<{ total: number }>(text, values)
  return { code: 200, total: rows[0]?.total ?? 0, rows }
}

createServer((request, response) => {
  answer(new URL(request.url ?? '', 'http://127.0.0.1')).then(
    (content) => {
      const body = JSON.stringify(content)
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) })
      response.end(body)
    },
    (error: unknown) => {
      response.writeHead(500, { 'content-length': 0 })
      response.end()
      process.stderr.write(`${String(error)}\n`)
    },
  )
}).listen(Number(process.env.PORT), '127.0.0.1')
