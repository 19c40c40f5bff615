import { afterAll, expect, test } from 'vitest'
import { accountStatus } from '#shared/account/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import { contractSource } from '#shared/contract/rules.ts'
import { listReviews as listReviewsCall } from '#shared/equipment/manage.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { openFilledMarket } from '#test/filled-market.ts'
import { planFaults } from '#test/load/plan-faults.ts'
import { privateRows } from '#test/load/private-rows.ts'
import type { Offers, People, Query } from '#test/load/question-parts.ts'
import { draw, lists, loadOffers, loadPeople } from '#test/load/questions.ts'
import { listReviews } from './equipment/review.ts'
import { findContractTasks } from './statistics/contract-tasks.ts'

/** Of the console: what waits is a small part. */
const fewMore = `
  insert into certification (account_id, kind, status, name, submitted_at, create_time, update_time)
    select id, 'rentout', case when id % 20 = 0 then '1' else '2' end, user_name, now(), now(), now() from account where user_type = '4';
  insert into certification (account_id, kind, status, name, dept_id, parent_dept_id, submitted_at, create_time, update_time)
    select a.id, 'dept', case when n % 20 = 0 then '1' else '2' end, user_name, d.id, d.parent_id, now(), now(), now()
    from (select id, user_name, row_number() over (order by id) as n from account) a
      join (select id, parent_id, row_number() over (order by id) - 1 as at, count(*) over () as of from dept where company_id > 1 or id % 5 = 0) d on d.at = n % d.of;
  insert into outbox (phonenumber, phone_hash, template, content, provider, status, create_time, not_before)
    select '', convert_to('hash' || n, 'UTF8'), 'notice', 'x', 'local', case when n % 50 = 0 then '2' else '1' end, now(), now() from generate_series(1, 3000) n;
  alter table audit_log disable trigger user;
  insert into audit_log (seq, at, who, action, biz_type, biz_id, biz_name, reason)
    select n, now() - n * interval '1 hour', case when n % 20 = 0 then 'operator' else 'lessor' || n % 40 end, (array['equipment.pass', 'demand.takeDown', 'company.grade', 'account.lock', 'category.add', 'staff.edit', 'company.lock'])[1 + n % 7],
      (array['account', 'company', 'contract'])[1 + n % 3], (n % 1000)::text, '对象' || n % 1000, '理由 ' || n from generate_series(1, 3000) n;
  update demand set publish_time = publish_time - id % 150 * interval '1 day' where publish_time is not null;
  update account set status = '${accountStatus.locked}' where id % 40 = 0;
  update contract set source = '${contractSource.direct}', award_id = null, demand_id = null where id % 40 = 1;
  update equipment set shelf_status = '${shelfStatus.takenDown}' where id % 100 = 0;
  update equipment set audit_status = '${equipmentAudit.submitted}', shelf_status = '${shelfStatus.off}' where id % 100 = 1`

const { db, pool, sent, stopwatch, close } = await openFilledMarket(fewMore, privateRows)
afterAll(close)
/** The rows are counted back from the time of the run, and so are the dates that are asked. */
const now = new Date()
const offers: Offers = await loadOffers(db, now)
const people: People = await loadPeople(db)
const sizes = new Map<string, number>()

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

const dayBefore = (days: number) => addDays(dayOf(now), -days)

/** The faults of every statement of a question, without an index where one is named. */
async function faultsOf({
  list,
  query,
  without,
  table: named,
}: {
  list: string
  query: Query
  without?: string
  table?: string
}): Promise<string[]> {
  const one = lists[list]
  if (!one) throw new Error(`there is no list ${list}`)
  const table = named ?? one.table
  const size = sizes.get(table) ?? (await sizeOf(table))
  sizes.set(table, size)
  sent.length = 0
  const { total, capped } = (await one.ask({ db, now: now, people }, query)) as { total: number; capped?: boolean }
  const plans = []
  for (const statement of sent.splice(0))
    plans.push(...(await (without ? stopwatch.nodesWithout(without, statement) : stopwatch.nodes(statement))))
  return planFaults(plans, { table, size, fits: capped ? size : total })
}

// The library of machines has plans of its own (`equipment/plans.test.ts`).
const drawnLists = Object.keys(lists).filter((list) => list !== 'equipment')

test.each(drawnLists)('the list "%s" finds its rows by indexes, whatever is asked', async (list) => {
  const drawn = draw(list, { offers, weights: 'even', count: 40 }).filter(isWithoutWords)
  expect(drawn.length).toBeGreaterThan(15)
  const different = new Map(drawn.map(({ query }) => [JSON.stringify(query), query]))
  for (const query of different.values()) expect.soft(await faultsOf({ list, query }), JSON.stringify(query)).toEqual([])
})

test.each(['group', 'project', 'lessor'] as const)('the contracts that wait for a %s are found by indexes', async (who) => {
  const size = await sizeOf('contract')
  sent.length = 0
  const tasks = await findContractTasks(db, { actor: people[who], now: now, side: who === 'lessor' ? 'lessor' : 'lessee' })
  const plans = []
  for (const statement of sent.splice(0)) plans.push(...(await stopwatch.nodes(statement)))
  expect(plans.length).toBeGreaterThan(3)
  expect(planFaults(plans, { table: 'contract', size, fits: Math.max(...tasks.map(({ count }) => count)) })).toEqual([])
})

// Words are found as in the library of machines.
test('the reviewer finds machines on the shelf by the beginning of their numbers along an index', async () => {
  const query = { scope: 'on', keyword: 'SB2026010112' }
  expect((await listReviews(db, listReviewsCall.query.parse(query))).total).toBeGreaterThan(50)
  expect(await faultsOf({ list: 'machines to review', query })).toEqual([])
})

/** The indexes of each list; `table`: the one that is read too much without them, where it is not the list's own. */
const dropped: readonly [indexes: string, list: string, query: Query, table?: string][] = [
  ['demand_library_region', 'demand', { provinceId: '330000' }],
  ['demand_by_kind', 'demand', { fatherCategoryId: '300' }],
  ['equipment_owner, equipment_father', 'lessor', { fatherCategoryId: '300' }, 'equipment'],
  ['article_list, article_managed', 'article', { tab: '1' }],
  ['demand_dept', 'demands of a project', {}],
  ['equipment_company', 'machines of a lessor', {}],
  ['equipment_company', 'market of a lessor', { scope: 'recommended' }, 'equipment'],
  ['message_own, message_newest', 'messages of a person', {}],
  ['contract_lessee, contract_status, contract_by_status', 'contracts of a group', { status: '2' }],
  ['contract_lessee', 'contracts of a project', {}],
  ['contract_lessor', 'contracts of a lessor', {}],
  ['contract_search', 'contracts of the platform', { keyword: 'HT12' }],
  ['contract_source', 'contracts of the platform', { source: contractSource.direct }],
  [
    'contract_company, contract_by_amount, contract_ending, contract_changed, contract_by_status',
    'contracts of the platform',
    { companyId: '50' },
  ],
  ['account_listed', 'accounts of the platform', { userType: '2' }],
  ['company_listed', 'companies of the platform', { provinceId: '330000' }],
  ['company_lessees', 'companies of the platform', { kind: 'lessee' }],
  ['certification_waiting', 'certifications to review', { status: '1' }],
  ['certification_parent, certification_dept', 'certifications of a group', {}],
  ['equipment_off', 'machines to review', { scope: 'off' }],
  ['equipment_waiting', 'machines to review', { scope: 'waiting' }],
  ['outbox_status', 'SMS of the platform', { status: '2' }],
  ['outbox_phone', 'SMS of the platform', { phonenumber: '14400000001' }],
  ['audit_log_who', 'audit log', { who: 'operator' }],
  ['audit_log_words', 'audit log', { keyword: '象71' }],
  ['audit_log_words', 'audit log', { keyword: '由 2718' }],
  ['audit_log_thing', 'audit log', { bizType: 'company', bizId: '7' }],
  ['account_by_dept', 'people of a group', {}],
  ['account_company', 'people of a lessor', {}],
  ['account_by_dept', 'people to pick', {}],
  ['sign_in_account', 'sign-ins of a person', {}],
  ['feedback_own', 'feedback of a person', {}],
  ['price_ceiling_dept, price_ceiling_lookup', 'ceilings', {}],
  ['demand_dept', 'demands of a group', { status: '9' }],
  ['demand_dept, demand_status', 'drafts of a group', {}],
  ['quote_of_company', 'quotes received', { demandId: '1' }],
  ['demand_published, demand_by_publishing, demand_status, demand_dept', 'demands of a report', { from: dayBefore(30), to: dayBefore(24) }],
  ['demand_exceptional', 'demands to look at', { kind: 'single' }],
  ['internal_machine_dept', 'idle machines of a group', { mine: '1' }],
  ['internal_transfer_from', 'transfers of a group', {}],
  ['blacklist_scope', 'blacklist of a group', {}],
  ['blacklist_subject', 'blacklist of a lessor', {}],
  ['blacklist_subject', 'blacklist of the platform', { status: '5' }],
  ['equipment_import_company', 'imports of a lessor', {}],
  ['feedback_status', 'feedback of the platform', { status: '2' }],
  ['cancellation_list', 'accounts to cancel', { status: '3' }],
  ['cancellation_list', 'accounts to cancel', { status: '3', sort: 'requestedAt' }],
  ['article_managed', 'articles of the platform', { tab: '1', state: 'draft' }],
  ['contact_waiting', 'requests for cooperation', { status: '0' }],
]
/** Nothing narrows the broadcasts. */
const withoutFilter = ['broadcasts of the platform']

test('each list has an index without which it is seen to read too much', () => {
  const shown = new Set([...dropped.map(([, list]) => list), ...withoutFilter])
  expect(drawnLists.filter((list) => !shown.has(list))).toEqual([])
})

test.each(dropped)('without %s the list "%s" is seen to read too much', async (without, list, query, table) => {
  expect(await faultsOf({ list, query, ...(table && { table }) })).toEqual([])
  expect(await faultsOf({ list, query, without, ...(table && { table }) })).not.toEqual([])
})
