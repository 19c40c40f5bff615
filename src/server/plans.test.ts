import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { getOverview, getSystemStatus } from '#shared/system/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openFilledMarket } from '#test/filled-market.ts'
import { inTransaction } from '#test/held-rows.ts'
import { rowsRead } from '#test/load/database-time.ts'
import { loadPeople } from '#test/load/questions.ts'
import { servicesOf } from '#test/services-of.ts'
import { cancellationPoints } from './account/cancellation.ts'
import { exportPersonalData } from './account/export.ts'
import { Api } from './api.ts'
import { releaseLines } from './award/release.ts'
import { listBroadcasts } from './broadcast/queries.ts'
import { remindOfPapers } from './certification/expiry.ts'
import { updateValidity } from './certification/standing.ts'
import { listCompanies } from './company/manage.ts'
import { listRelatedCompanies } from './company/related.ts'
import { readConfig } from './config.ts'
import { draftDueContracts } from './contract/draft.ts'
import { lapseDueAwards } from './contract/lapse.ts'
import type { Db } from './db/connect.ts'
import { remindOfEquipmentDocuments, takeExpiredOff } from './equipment/expiry.ts'
import { remindOfStaleFleets } from './equipment/freshness.ts'
import { getImport } from './equipment/import.ts'
import { takeFleetOff } from './equipment/shelf.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { deleteExpired } from './jobs/cleaning.ts'
import { Hub } from './message/hub.ts'
import { findMessagesAbout } from './message/queries.ts'
import { compareQuotes } from './quote/compare.ts'
import { findWon } from './quote/won.ts'
import { countPlatform } from './system/queries.ts'
import { systemRoutes } from './system/routes.ts'
import { findWaiting } from './system/waiting.ts'

/** What was won is booked, one unit for each line, and nothing is due: nearly all is decided, notified and of the future. */
const fewMore = `
  insert into equipment_booking (equipment_id, slot, period, reason, award_line_id)
    select e.id, 1 + l.id, daterange(current_date, current_date + 30), 'award', l.id
    from award_line l join (select distinct on (company_id) company_id, id from equipment order by company_id, id) e using (company_id);
  insert into quote_line_equipment (quote_line_id, equipment_id, qty)
    select l.id, e.id, 1 from quote_line l join quote q on q.id = l.quote_id
      join (select distinct on (company_id) company_id, id from equipment order by company_id, id) e using (company_id);
  insert into brand select distinct brand from equipment;
  insert into certification (account_id, company_id, kind, status, name, valid_to, form, submitted_at, create_time, update_time)
    select id, company_id, 'rentout', '2', user_name, current_date + 900, '{}', now(), now(), now() from account where user_type = '4';
  insert into contact_look (account_id, demand_id, at) select a.id, d.id, now() from (select min(id) as id from account) a, demand d;
  insert into sign_in (account_id, at, way, succeeded)
    select a.id, now() - n * interval '1 minute', 'password', true from (select min(id) as id from account) a, generate_series(1, 3000) n;
  insert into reminder (subject, subject_id, paper, valid_to, threshold, at) select 'fleet', id, 'availability', current_date, 7, now() from company;
  update message set biz_type = case when n % 3 = 0 then 'demand' else 'broadcast' end, biz_id = case when n % 3 = 0 then (n % 3000)::text else '1' end
    from (select id, row_number() over (order by id) as n from message) numbered where numbered.id = message.id and n % 3 < 2;
  update award set contract_due = now() + interval '90 days';
  update quote set drafted = true where status = '${quoteStatus.won}';
  update quote set account_id = a.id from account a where a.company_id = quote.company_id and a.user_type = '4';
  update contract set status = '${contractStatus.inForce}', confirmed_at = sent_at where status = '${contractStatus.sent}' and id > 60;
  update contract set sent_at = now() where status = '${contractStatus.sent}';
  update demand set open_time = open_time - id % 150 * interval '1 day' where open_time is not null;
  update equipment set confirmed_at = now() - interval '8 days' where id % 2 = 0;
  update equipment_document set valid_to = current_date + 20, remind_before = 7 where id % 10 = 0;
  update company set legal_person = '法人 ' || id, contact_phone = '0571-' || id, address = '路 ' || id || ' 号'`

const { db, pool, sent, stopwatch, close } = await openFilledMarket(fewMore)
afterAll(close)
const now = new Date()

type Step = { step: string; table: string; rows: number }

/** The steps in which the statements of a question read tables, with the rows that each reads. */
async function stepsOf(ask: (asked: Db) => Promise<unknown>): Promise<Step[]> {
  sent.length = 0
  await ask(db)
  const steps: Step[] = []
  for (const statement of sent.splice(0).filter(({ sql: text }) => /^\s*(select|with|update|delete)\b/.test(text)))
    for (const node of await stopwatch.nodes(statement)) {
      const table = node['Relation Name']
      const step = [node['Node Type'], node['Index Name']].filter(Boolean).join(' ')
      if (table && node['Actual Loops'] > 0) steps.push({ step, table, rows: rowsRead(node) })
    }
  return steps
}

/** The steps that read more rows of these tables than they should. */
async function excessOf(ask: (asked: Db) => Promise<unknown>, most: Record<string, number>): Promise<Step[]> {
  const steps = await stepsOf(ask)
  expect(steps.length).toBeGreaterThan(0)
  return steps.filter(({ table, rows }) => rows > (most[table] ?? Infinity))
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
  const few = { equipment_booking: 50, award_line: 50 }
  expect(await excessOf((asked) => findWon(asked, { companyId, demandIds: [demandId] }), few)).toEqual([])
  expect(await excessOf((asked) => compareQuotes(asked, demandId, now), few)).toEqual([])
  expect(await excessOf((asked) => inTransaction(asked, (tx) => releaseLines(tx, { awardId, quoteId })), few)).toEqual([])
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

test('an evidence pack finds the messages about its demand without those about others', async () => {
  const about = (asked: Db) => findMessagesAbout(asked, { bizType: 'demand', id: 3, companyId: null })
  expect((await about(db)).length).toBeGreaterThan(0)
  expect(await excessOf(about, { message: 20 })).toEqual([])
})

test('the clock finds the awards that wait for a contract without those that have theirs', async () => {
  const few = { award: 100, quote: 100, contract: 100 }
  expect(await excessOf((asked) => lapseDueAwards(servicesOf(asked, now)), few)).toEqual([])
  expect(await excessOf((asked) => draftDueContracts(servicesOf(asked, now)), few)).toEqual([])
})

test('the clock finds the documents that run out without those that do not', async () => {
  const { rows } = await pool.query<{ soon: number }>(
    'select count(*)::int as soon from equipment_document where valid_to < current_date + 45',
  )
  const few = { equipment_document: (rows[0]?.soon ?? 0) + 10, equipment: 10, reminder: 10 }
  expect(await excessOf((asked) => remindOfEquipmentDocuments(servicesOf(asked, now)), few)).toEqual([])
  expect(await excessOf((asked) => takeExpiredOff(servicesOf(asked, now)), few)).toEqual([])
})

test('the clock finds the certifications that run out without those that do not', async () => {
  expect(await excessOf((asked) => remindOfPapers(servicesOf(asked, now)), { certification: 10, certification_document: 10 })).toEqual([])
})

test('the certifications in force of a company are found without those of others', async () => {
  const ask = (asked: Db) => inTransaction(asked, (tx) => updateValidity({ db: tx, now }, { companyId: 50, kind: 'rentout' }))
  expect(await excessOf(ask, { certification: 10 })).toEqual([])
})

test('an import knows the brands on the shelf without the machines', async () => {
  const { lessor } = await loadPeople(db)
  const category = await db.selectFrom('category').where('level', '=', 1).orderBy('id').select('id').executeTakeFirst()
  const { id } = await db
    .insertInto('equipmentImport')
    .values({
      companyId: lessor.companyId ?? 0,
      accountId: lessor.accountId,
      fatherCategoryId: category?.id ?? 0,
      fileName: 'x.xlsx',
      createTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const ask = (asked: Db) => getImport({ db: asked, actor: lessor, now }, { id, text: zhCn })
  expect(await excessOf(ask, { equipment: 100 })).toEqual([])
})

test('the readers of a broadcast are counted without its messages', async () => {
  await pool.query(
    "insert into broadcast (account_id, title, content, audience, people, at) select min(id), '公告', '内容', '{}', 1, now() from account",
  )
  const steps = await stepsOf((asked) => listBroadcasts(asked, { pageNum: 1, pageSize: 10 }))
  expect(steps.filter(({ table }) => table === 'message').map(({ step }) => step)).toEqual(['Index Only Scan message_broadcast'])
})

test('the lessors of machines that nobody confirmed are found without the machines', async () => {
  const steps = await stepsOf((asked) => remindOfStaleFleets(servicesOf(asked, now)))
  expect(steps.filter(({ table }) => table === 'equipment').map(({ step }) => step)).toEqual(['Index Only Scan equipment_confirmed'])
})

test('old sign-ins are found without those of the last half year', async () => {
  expect(await excessOf((asked) => deleteExpired(servicesOf(asked, now)), { sign_in: 10 })).toEqual([])
})

test('what an account has under way, and its data, are found without those of others', async () => {
  const { accountId } = (await loadPeople(db)).lessor
  const few = { demand: 50, quote: 50, award: 50, award_line: 50, contract: 50, contract_person: 50 }
  expect(await excessOf((asked) => cancellationPoints(asked, accountId, dayOf(now)), few)).toEqual([])
  expect(await excessOf((asked) => exportPersonalData({ db: asked, secret: 'secret' }, accountId), few)).toEqual([])
})

test('the people of a company are counted without those of others', async () => {
  const ask = (asked: Db) => listCompanies(asked, { pageNum: 1, pageSize: 20, keyword: undefined, kind: 'lessee' })
  expect(await excessOf(ask, { account: 300 })).toEqual([])
})

test('related companies are found without all companies', async () => {
  expect(await excessOf((asked) => listRelatedCompanies(asked, 50), { company: 20 })).toEqual([])
})

test('the quotes of a week are counted by the demands that were opened in it', async () => {
  const { operator } = await loadPeople(db)
  expect(await excessOf((asked) => countPlatform(asked, operator, now), { quote: 1000 })).toEqual([])
})

test('equal questions of a moment count the platform and its files once', async () => {
  const services = servicesOf(db, now, { answerCache: new AnswerCache(0), config: readConfig({ DATA_DIR: '.' }), hub: new Hub(db) })
  const api = new Api(services)
  systemRoutes(api)
  const { operator: actor } = await loadPeople(db)
  sent.length = 0
  for (const contract of [getOverview, getSystemStatus]) {
    const route = api.routes.find(({ endpoint }) => endpoint === contract) ?? expect.fail()
    const caller = { actor, hadToken: true, token: null, locale: 'zh-CN', address: '', agent: '', log: console } as const
    const ask = async () => route.handler({ ...services, ...caller, now }, {})
    await Promise.all([ask(), ask()])
  }
  const texts = sent.splice(0).map(({ sql: text }) => text)
  expect([texts.filter((text) => text.includes('awards7')).length, texts.filter((text) => /from file\b/.test(text)).length]).toEqual([1, 1])
})

test('the machines of trusted lessors that wait for a look are counted up to a bound', async () => {
  await pool.query(`insert into equipment (equipment_code, company_id, father_category_id, category_id, name, brand, model, out_factory_date, province_id, city_id, audit_status, trusted, submit_time, search_text)
    select 'TRUST' || n, company_id, father_category_id, category_id, name, brand, model, out_factory_date, province_id, city_id, '2', true, now(), '' from equipment, generate_series(1, 10050) n where id = (select min(id) from equipment)`)
  const { operator } = await loadPeople(db)
  const waiting = await findWaiting(db, { ...operator, permissions: ['equipment:review'] })
  expect(waiting.find(({ kind }) => kind === 'trusted')?.count).toBe(10_000)
})

test('a fleet leaves the shelf in portions, so that a large one is not too much for a statement', async () => {
  const onShelf = () =>
    db.selectFrom('equipment').where('companyId', '=', 60).where('shelfStatus', '=', shelfStatus.on).select('id').execute()
  const machines = (await onShelf()).length
  expect(machines).toBeGreaterThan(1)
  sent.length = 0
  await inTransaction(db, (tx) => takeFleetOff(tx, { companyId: 60, now }, 1))
  expect(sent.filter(({ sql: text }) => text.startsWith('update'))).toHaveLength(machines + 1)
  expect(await onShelf()).toEqual([])
})
