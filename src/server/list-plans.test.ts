import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { accountStatus } from '#shared/account/rules.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { recordingDatabase, Stopwatch } from '#test/load/database-time.ts'
import { fillMarket } from '#test/load/large.ts'
import { planFaults } from '#test/load/plan-faults.ts'
import type { Offers, People, Query } from '#test/load/question-parts.ts'
import { draw, lists, loadOffers, loadPeople } from '#test/load/questions.ts'
import { copyDatabase } from '#test/template-db.ts'
import { monday } from '#test/world.ts'
import { findContractTasks } from './statistics/contract-tasks.ts'

const { url, drop } = await copyDatabase(inject('template'))
const { db, pool, sent } = recordingDatabase(url)
const stopwatch = await Stopwatch.open(url, { seqscan: 'off' })
let offers: Offers
let people: People
const sizes = new Map<string, number>()

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
  await client.query('vacuum (analyze) certification, outbox, audit_log, equipment, account')
  await client.end()
  offers = await loadOffers(db, monday)
  people = await loadPeople(db)
}, 60_000)

/** Of the console: what waits is a small part. */
const fewMore = `
  insert into certification (account_id, kind, status, name, submitted_at, create_time, update_time)
    select id, 'rentout', case when id % 20 = 0 then '1' else '2' end, user_name, now(), now(), now() from account where user_type = '4';
  insert into outbox (phonenumber, phone_hash, template, content, provider, status, create_time, not_before)
    select '', convert_to('hash' || n, 'UTF8'), 'notice', 'x', 'local', case when n % 50 = 0 then '2' else '1' end, now(), now() from generate_series(1, 3000) n;
  alter table audit_log disable trigger user;
  insert into audit_log (seq, at, who, action, biz_type, biz_id)
    select n, now() - n * interval '1 hour', case when n % 20 = 0 then 'operator' else 'lessor' || n % 40 end, (array['equipment.pass', 'demand.takeDown', 'company.grade', 'account.lock', 'category.add', 'staff.edit', 'company.lock'])[1 + n % 7],
      (array['account', 'company', 'contract'])[1 + n % 3], (n % 1000)::text from generate_series(1, 3000) n;
  update account set status = '${accountStatus.locked}' where id % 40 = 0;
  update equipment set shelf_status = '${shelfStatus.takenDown}' where id % 100 = 0;
  update equipment set audit_status = '${equipmentAudit.submitted}', shelf_status = '${shelfStatus.off}' where id % 100 = 1`

/**
 * Words have indexes of their own, whose worth a prepared plan does not know, as it does not know how many of the own contracts end soon: these are
 * looked for among the own ones.
 */
const isWithoutWords = ({ query }: { query: Query }) =>
  !['name', 'keyword', 'projectName', 'enterpriseName', 'endsWithin'].some((name) => query[name])

const sizeOf = async (table: string) => {
  const { rows } = await pool.query<{ n: string }>(`select count(*) as n from ${table}`)
  return Number(rows[0]?.n)
}

/** The faults of every statement of a question, without an index where one is named. */
async function faultsOf({
  list,
  table,
  query,
  without,
}: {
  list: string
  table: string
  query: Query
  without?: string
}): Promise<string[]> {
  const size = sizes.get(table) ?? (await sizeOf(table))
  sizes.set(table, size)
  sent.length = 0
  const one = lists[list]
  if (!one) throw new Error(`there is no list ${list}`)
  const { total, capped } = (await one.ask({ db, now: monday, people }, query)) as { total: number; capped?: boolean }
  const plans = []
  for (const statement of sent.splice(0))
    plans.push(...(await (without ? stopwatch.nodesWithout(without, statement) : stopwatch.nodes(statement))))
  return planFaults(plans, { table, size, fits: capped ? size : total })
}

test.each([
  ['demand', 'demand'],
  ['lessor', 'company'],
  ['article', 'article'],
  ['demands of a group', 'demand'],
  ['demands of a project', 'demand'],
  ['machines of a lessor', 'equipment'],
  ['market of a lessor', 'demand'],
  ['messages of a person', 'message'],
  ['contracts of a group', 'contract'],
  ['contracts of a project', 'contract'],
  ['contracts of a lessor', 'contract'],
  ['accounts of the platform', 'account'],
  ['companies of the platform', 'company'],
  ['contracts of the platform', 'contract'],
  ['certifications to review', 'certification'],
  ['machines to review', 'equipment'],
  ['SMS of the platform', 'outbox'],
  ['audit log', 'audit_log'],
] as const)('the list "%s" finds its rows by indexes, whatever is asked', async (list, table) => {
  const drawn = draw(list, { offers, weights: 'even', count: 60 }).filter(isWithoutWords)
  expect(drawn.length).toBeGreaterThan(20)
  for (const { query } of drawn) expect.soft(await faultsOf({ list, table, query }), JSON.stringify(query)).toEqual([])
})

test.each(['group', 'project', 'lessor'] as const)('the contracts that wait for a %s are found by indexes', async (who) => {
  const size = await sizeOf('contract')
  sent.length = 0
  const tasks = await findContractTasks(db, { actor: people[who], now: monday, side: who === 'lessor' ? 'lessor' : 'lessee' })
  const plans = []
  for (const statement of sent.splice(0)) plans.push(...(await stopwatch.nodes(statement)))
  expect(plans.length).toBeGreaterThan(3)
  expect(planFaults(plans, { table: 'contract', size, fits: Math.max(...tasks.map(({ count }) => count)) })).toEqual([])
})

test.each([
  ['demand_library_region, demand_region', 'demand', 'demand', { provinceId: '330000' }],
  ['demand_item_father', 'demand', 'demand_item', { fatherCategoryId: '300' }],
  ['equipment_father', 'lessor', 'equipment', { fatherCategoryId: '300' }],
  ['article_list', 'article', 'article', { tab: '1' }],
  ['demand_dept', 'demands of a project', 'demand', {}],
  ['equipment_company', 'machines of a lessor', 'equipment', {}],
  ['equipment_company', 'market of a lessor', 'equipment', { scope: 'recommended' }],
  ['message_own', 'messages of a person', 'message', {}],
  ['contract_lessee, contract_status', 'contracts of a group', 'contract', { status: '2' }],
  ['contract_lessee', 'contracts of a project', 'contract', {}],
  ['contract_lessor', 'contracts of a lessor', 'contract', {}],
  ['contract_search', 'contracts of the platform', 'contract', { keyword: 'HT12' }],
  ['contract_company', 'contracts of the platform', 'contract', { companyId: '50' }],
  ['account_listed', 'accounts of the platform', 'account', { userType: '2' }],
  ['company_listed', 'companies of the platform', 'company', { provinceId: '330000' }],
  ['company_lessees', 'companies of the platform', 'company', { kind: 'lessee' }],
  ['certification_waiting', 'certifications to review', 'certification', { status: '1' }],
  ['equipment_off', 'machines to review', 'equipment', { scope: 'off' }],
  ['equipment_waiting', 'machines to review', 'equipment', { scope: 'waiting' }],
  ['outbox_status', 'SMS of the platform', 'outbox', { status: '2' }],
  ['outbox_phone', 'SMS of the platform', 'outbox', { phonenumber: '14400000001' }],
  ['audit_log_who', 'audit log', 'audit_log', { who: 'operator' }],
  ['audit_log_thing', 'audit log', 'audit_log', { bizType: 'company', bizId: '7' }],
] as const)('without %s the list "%s" is seen to read too much', async (without, list, table, query) => {
  expect(await faultsOf({ list, table, query })).toEqual([])
  expect(await faultsOf({ list, table, query, without })).not.toEqual([])
})
