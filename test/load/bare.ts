// The practical limit of this stack: node:http, one prepared statement for each call, and the rows as JSON, without checks, permissions or
// logs. The statements are the product's own. Settings: PORT, DATABASE_URL.
import { createServer } from 'node:http'
import pg from 'pg'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import { connect } from '#server/db/connect.ts'
import { machinePage, shelvedPage, similarTo } from '#server/equipment/queries.ts'

const url = process.env.DATABASE_URL ?? ''
const { db } = connect(url, 1)
// Values that stand for the parameters of the address.
const places = { provinceId: 900_000_001, categoryId: 900_000_002, beginPrice: 9_000_003, endPrice: 9_000_004, name: '', brand: '' }
const list = shelvedPage(db, EquipmentFilter.parse({ ...places, pageSize: '12' })).compile()
const detail = machinePage(db, { id: 900_000_005, today: '2026-01-01' }).compile()
const like = similarTo(db, { id: 900_000_005, categoryId: 900_000_002, provinceId: 900_000_001, mainValue: 900_000_006 }).compile()
const names = new Map<unknown, string>([
  [900_000_001, 'provinceId'],
  [900_000_002, 'categoryId'],
  [900_000_300, 'beginPrice'],
  [900_000_400, 'endPrice'],
])
const pool = new pg.Pool({ connectionString: url, max: 10 })
const fen = (text: string | null) => Math.round(Number(text) * 100)
const values = list.parameters.map((value): ((query: URLSearchParams) => unknown) => {
  const name = names.get(value)
  if (!name) return () => value
  return name.endsWith('Price') ? (query) => fen(query.get(name)) : (query) => Number(query.get(name))
})

/** The parameters of a statement with what they stand for put in. */
const filled = (parameters: readonly unknown[], given: Record<number, unknown>) =>
  parameters.map((value) => (typeof value === 'number' && value in given ? given[value] : value))

async function answer(asked: URL): Promise<unknown> {
  const id = Number(/\/firstPageList\/(\d+)$/.exec(asked.pathname)?.[1])
  if (!id) {
    const { rows } = await pool.query<{ total: string }>({
      name: 'list',
      text: list.sql,
      values: values.map((value) => value(asked.searchParams)),
    })
    return { code: 200, total: Number(rows[0]?.total ?? 0), rows }
  }
  const found = await pool.query<Record<string, unknown>>({
    name: 'detail',
    text: detail.sql,
    values: filled(detail.parameters, { 900000005: id }),
  })
  const [machine] = found.rows
  const { category_id, province_id, main_value } = machine ?? {}
  const given = { 900000005: id, 900000002: category_id, 900000001: province_id, 900000006: main_value }
  const { rows } = await pool.query({ name: 'like', text: like.sql, values: filled(like.parameters, given) })
  return { code: 200, data: { ...machine, similar: rows } }
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
