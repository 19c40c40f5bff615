import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { openFilledMarket } from '#test/filled-market.ts'
import { rowsRead } from '#test/load/database-time.ts'
import { privateRows } from '#test/load/private-rows.ts'
import { parse, type Query } from '#test/load/question-parts.ts'
import { draw, lists, loadOffers, loadPeople } from '#test/load/questions.ts'
import { exportCompanies } from '#shared/company/manage.ts'
import { exportAllContracts } from '#shared/contract/manage.ts'
import { yesNo } from '#shared/rules.ts'
import { listCompanies } from '../company/manage.ts'
import { listAllContracts } from '../contract/manage.ts'
import { connect } from './connect.ts'

const { db, sent, stopwatch, close } = await openFilledMarket(privateRows)
afterAll(close)
const now = new Date()
const offers = await loadOffers(db, now)
const people = await loadPeople(db)

type Answer = { total: number; capped?: boolean; rows: { id?: number }[] }

async function ask(list: string, query: Query) {
  const one = lists[list]
  if (!one) throw new Error(`there is no list ${list}`)
  sent.length = 0
  const { total, capped = false, rows } = (await one.ask({ db, now, people }, query)) as Answer
  return { total, capped, ids: rows.map(({ id }) => id), statements: sent.splice(0) }
}

test.each(Object.keys(lists))(
  'a page of the list "%s" beyond the end is empty and has the total, without another statement',
  async (list) => {
    for (const { query } of draw(list, { offers, weights: 'even', count: 6 })) {
      const { pageNum: _, ...first } = query
      const page = await ask(list, first)
      const beyond = await ask(list, { ...first, pageNum: '400' })
      expect(beyond.ids, JSON.stringify(query)).toEqual([])
      // Rows before the page are counted beyond the bound as well.
      if (page.capped) expect(beyond.total, JSON.stringify(query)).toBeGreaterThanOrEqual(page.total)
      else expect(beyond, JSON.stringify(query)).toMatchObject({ total: page.total, capped: false })
      expect(beyond.statements.length, JSON.stringify(query)).toBeLessThanOrEqual(page.statements.length)
    }
  },
)

test.each(['equipment', 'demand', 'lessor'])(
  'the exact number of the list "%s" is that of its rows, and changes none of them',
  async (list) => {
    for (const query of [{}, ...draw(list, { offers, weights: 'even', count: 4 }).map(({ query: drawn }) => drawn)]) {
      const { pageNum: _, ...first }: Query = query
      const page = await ask(list, first)
      const exact = await ask(list, { ...first, exact: yesNo.yes })
      expect(exact, JSON.stringify(first)).toMatchObject({ ids: page.ids, capped: false })
      if (page.capped) expect(exact.total, JSON.stringify(first)).toBeGreaterThanOrEqual(page.total)
      else expect(exact.total, JSON.stringify(first)).toBe(page.total)
    }
  },
)

test('all companies and all contracts are exported each once', async () => {
  const whole = { pageNum: 1, pageSize: 10_000, exact: true }
  const companies = await listCompanies(db, { ...parse(exportCompanies.query, {}), ...whole })
  const contracts = await listAllContracts(db, { ...parse(exportAllContracts.query, {}), ...whole })
  for (const { rows, total } of [companies, contracts]) {
    expect(rows.length).toBe(total)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(total)
  }
})

/** Lists whose pages are found in different ways: sorted out of few, along the order of many, or among those that are counted. */
test.each<[string, Query]>([
  ['equipment', {}],
  ['equipment', { brand: '三一' }],
  ['equipment', { brand: '三一', sort: 'distance', nearCityId: '330100' }],
  ['equipment', { sort: 'distance', nearCityId: '330100', name: '机' }],
  ['equipment', { name: '10' }],
  ['demand', { fatherCategoryId: '300' }],
  ['demand', { keyword: '起重机' }],
  ['demand', { keyword: '起重机', fatherCategoryId: '300' }],
  ['lessor', { fatherCategoryId: '300' }],
  ['market of a lessor', { scope: 'open' }],
  ['market of a lessor', { scope: 'open', projectName: '起重机' }],
  ['market of a lessor', { scope: 'recommended', projectName: '起重机' }],
  ['demands of a group', { projectName: '起重机', sort: 'quoteDeadline' }],
  ['contracts of a group', { keyword: 'HT', sort: '-amount' }],
  ['contracts of a group', { keyword: 'HT', status: '2' }],
  ['contracts of a group', { endsWithin: '90' }],
  ['contracts of the platform', {}],
  ['companies of the platform', { sort: 'enterpriseName' }],
  ['articles of the platform', { state: 'published' }],
])('the pages of the list "%s" with %o follow one another', async (list, query) => {
  const whole = await ask(list, { ...query, pageSize: '60' })
  expect(whole.ids.length).toBeGreaterThan(10)
  const pages = []
  for (const pageNum of [1, 2, 3, 4, 5, 6]) pages.push(...(await ask(list, { ...query, pageSize: '10', pageNum: String(pageNum) })).ids)
  expect(pages).toEqual(whole.ids)
})

test('words that no open demand holds are looked up without reading the open demands', async () => {
  const { total, statements } = await ask('market of a lessor', { scope: 'recommended', projectName: '挂篮' })
  expect(total).toBe(0)
  const nodes = []
  // One after the other: they share a connection.
  for (const statement of statements) nodes.push(...(await stopwatch.nodes(statement)))
  const read = nodes.filter((node) => node['Relation Name'] === 'demand' && node['Actual Loops'] > 0).map(rowsRead)
  expect(Math.max(0, ...read)).toBe(0)
})

test('a statement of a request is run by one process', async () => {
  const { db: product, pool } = connect(inject('template'), 1)
  const { rows } = await sql<{ workers: string }>`select current_setting('max_parallel_workers_per_gather') as workers`.execute(product)
  await pool.end()
  expect(rows).toEqual([{ workers: '0' }])
})
