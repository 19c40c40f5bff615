import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cancellationSorts, listCancellations } from '#shared/account/cancellation.ts'
import { accountSorts, listAccounts } from '#shared/account/manage.ts'
import { articleSorts, listManagedArticles } from '#shared/article/manage.ts'
import { auditSorts, listAudit } from '#shared/audit/contract.ts'
import { certificationSorts, listCertifications } from '#shared/certification/contract.ts'
import { companySorts, gradeCompany, listCompanies } from '#shared/company/manage.ts'
import { contactSorts, listContacts } from '#shared/contact/manage.ts'
import { contractSorts, listContracts } from '#shared/contract/contract.ts'
import { listAllContracts, watchedSorts } from '#shared/contract/manage.ts'
import { deleteDrafts, listDrafts, listOwnDemands, ownDemandSorts, saveDraft } from '#shared/demand/contract.ts'
import { countOwnShelves, listOwnCategories, listOwnEquipment, ownEquipmentSorts, setShelves } from '#shared/equipment/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listReviews, reviewSorts } from '#shared/equipment/manage.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { listOutbox, outboxSorts } from '#shared/outbox/contract.ts'
import { listPeople, peopleSorts } from '#shared/person/contract.ts'
import { inTransaction } from '#test/held-rows.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db } = world
afterAll(() => world.close())

const cheap = await world.givenMachine(cast.lessor.companyId, { priceFen: 900_000 })
const dear = await world.givenMachine(cast.lessor.companyId, { priceFen: 2_400_000 })
const lot = await world.givenMachine(cast.lessor.companyId, { priceFen: 1_200_000, qty: 5 })
const late = await world.givenMachine(cast.lessor.companyId, { paperTo: '2026-01-01', shelfStatus: '0' })
beforeAll(() => db.updateTable('equipment').set({ monthPriceFen: null }).where('id', '=', late).execute())

const machines = async (query: object) => (await cast.lessor.call(listOwnEquipment, { query })).data.rows.map(({ id }) => id)

test('a list is sorted by a column in both directions; rows without a value come last in both', async () => {
  expect(await machines({ sort: 'monthPrice' })).toEqual([cheap, lot, dear, late])
  expect(await machines({ sort: '-monthPrice' })).toEqual([dear, lot, cheap, late])
  expect(await machines({ sort: '' })).toEqual([late, lot, dear, cheap])
  expect(await machines({ sort: 'monthPrice', pageSize: 2, pageNum: 2 })).toEqual([dear, late])
  expect((await cast.lessor.call(listOwnEquipment, { query: { sort: 'companyId' } })).code).toBe(422)
})

test('every sorting of every list is answered', async () => {
  for (const [who, endpoint, names] of [
    [cast.project, listOwnDemands, ownDemandSorts],
    [cast.lessor, listOwnEquipment, ownEquipmentSorts],
    [cast.lessee, listPeople, peopleSorts],
    [cast.operator, listCompanies, companySorts],
    [cast.operator, listAllContracts, watchedSorts],
    [cast.project, listContracts, contractSorts],
    [cast.operator, listAccounts, accountSorts],
    [cast.operator, listOutbox, outboxSorts],
    [cast.operator, listCertifications, certificationSorts],
    [cast.operator, listManagedArticles, articleSorts],
    [cast.operator, listContacts, contactSorts],
    [cast.operator, listCancellations, cancellationSorts],
    [cast.operator, listAudit, auditSorts],
    [cast.operator, listReviews, reviewSorts],
  ] as const)
    for (const name of names)
      for (const sort of [name, `-${name}`]) {
        const { code, msg } = await who.call(endpoint, { query: { sort } })
        expect(code, `${endpoint.url} ${sort} ${msg}`).toBe(200)
      }
})

type Order = { table: string; column: string; where: RawBuilder<unknown>; direction: 'asc' | 'desc' }

/** The plan of a page in this order when an index serves it, on a table too small to need one. */
const planInOrder = ({ table, column, where, direction }: Order) =>
  inTransaction(db, async (tx) => {
    await sql`set local enable_seqscan = off`.execute(tx)
    await sql`set local enable_sort = off`.execute(tx)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from ${sql.table(table)} ${where}
      order by ${sql.ref(column)} ${sql.raw(direction)}, id ${sql.raw(direction)} limit 20`.execute(tx)
    return JSON.stringify(rows)
  })

test.each([
  ['account', 'create_time', `where del_flag = '0'`],
  ['outbox', 'create_time', ''],
  ['certification', 'submitted_at', ''],
  ['article', 'publish_time', ''],
  ['contact', 'create_time', ''],
  ['cancellation', 'requested_at', ''],
])('the list of every %s is sorted by its time along an index', async (table, column, where) => {
  for (const direction of ['asc', 'desc'] as const) {
    const plan = await planInOrder({ table, column, where: sql.raw(where), direction })
    expect(plan, direction).toContain(`${table}_by_time`)
    expect(plan, direction).not.toContain('Sort')
  }
})

test('accounts and the audit log turn around when they are sorted by time', async () => {
  const accounts = async (sort: string) =>
    (await cast.operator.call(listAccounts, { query: { sort, pageSize: 100 } })).data.rows.map(({ createTime }) => createTime)
  const oldest = await accounts('createTime')
  expect(oldest).toEqual(oldest.toSorted())
  expect(await accounts('-createTime')).toEqual(oldest.toReversed())
  await cast.operator.call(gradeCompany, { params: { id: cast.lessor.companyId }, body: { grade: 'B', before: null, reason: '年度评定' } })
  await cast.operator.call(gradeCompany, { params: { id: cast.lessor.companyId }, body: { grade: 'A', before: 'B', reason: '年度复评' } })
  const entries = async (sort: string) => (await cast.operator.call(listAudit, { query: { sort } })).data.rows.map(({ seq }) => seq)
  const first = await entries('at')
  expect(first.length).toBeGreaterThan(1)
  expect(first).toEqual(first.toSorted((a, b) => a - b))
  expect(await entries('-at')).toEqual(await entries(''))
})

test.each([
  ['company', 'company_by_', { enterpriseName: 'enterprise_name', createTime: 'create_time' }, companySorts],
  ['contract', 'contract_by_', { planEnd: 'plan_end', updateTime: 'update_time' }, watchedSorts],
] as const)('the platform sorts every %s along an index, without sorting them', async (table, index, columns, sorts) => {
  expect(Object.keys(columns)).toEqual(sorts)
  const filter = table === 'company' ? sql`where del_flag = '0'` : sql``
  for (const column of Object.values(columns))
    for (const direction of ['asc', 'desc'] as const) {
      const plan = await planInOrder({ table, column, where: filter, direction })
      expect(plan, column).toContain(index)
      expect(plan, column).not.toContain('Sort')
    }
})

test('the list of all companies has the opposite order in the other direction', async () => {
  const names = async (sort: string) =>
    (await cast.operator.call(listCompanies, { query: { sort, pageSize: 100 } })).data.rows.map(({ enterpriseName }) => enterpriseName)
  expect(await names('-enterpriseName')).toEqual((await names('enterpriseName')).toReversed())
})

test('several machines move by themselves: one that may not go on the shelf does not hold up the others', async () => {
  const move = (ids: number[], to: string, by = cast.lessor) => by.call(setShelves, { body: { ids, shelfStatus: to } })
  const off = await move([cheap, dear, cheap], shelfStatus.off)
  expect(off.data).toEqual({ done: 2, left: [] })
  const on = await move([cheap, late, dear, 999_999], shelfStatus.on)
  expect(on.data.done).toBe(2)
  expect(on.data.left.map(({ id }) => id)).toEqual([late, 999_999])
  expect(on.data.left.every(({ msg }) => msg.length > 3)).toBe(true)
  expect((await move([cheap], shelfStatus.off, cast.lessor2)).data).toMatchObject({ done: 0, left: [{ id: cheap }] })
  expect((await move([], shelfStatus.off)).code).toBe(422)
})

test('the units of a lot that are taken are counted, and the filter has the own categories only', async () => {
  await db
    .insertInto('equipmentBooking')
    .values([1, 2].map((slot) => ({ equipmentId: lot, slot, period: '[2026-11-20,2026-12-20)', reason: 'own' as const })))
    .execute()
  const { data } = await cast.lessor.call(listOwnEquipment, { query: {} })
  expect(data.rows.find(({ id }) => id === lot)?.bookings).toEqual([{ from: '2026-11-20', to: '2026-12-20', reason: 'own', qty: 2 }])
  expect((await cast.lessor.call(listOwnCategories, {})).data).toMatchObject([{ categoryId: 106, count: 4 }])
  expect((await cast.lessor2.call(listOwnCategories, {})).data).toEqual([])
  const counts = async (query: object) => (await cast.lessor.call(countOwnShelves, { query })).data
  expect(await counts({})).toEqual({ [shelfStatus.on]: 3, [shelfStatus.off]: 1 })
  for (const query of [{ auditStatus: equipmentAudit.passed }, { categoryId: 106, name: '柳工' }, { categoryId: 101 }]) {
    const totals = [shelfStatus.on, shelfStatus.off, shelfStatus.takenDown].map(async (shelf) => {
      const { total } = (await cast.lessor.call(listOwnEquipment, { query: { ...query, shelfStatus: shelf } })).data
      return total > 0 ? [[shelf, total]] : []
    })
    expect([query, await counts(query)]).toEqual([query, Object.fromEntries((await Promise.all(totals)).flat())])
  }
  expect(await counts({ categoryId: 101 })).toEqual({})
})

test('several drafts are deleted; a stranger’s stays', async () => {
  const draft = async (by = cast.project) => (await by.call(saveDraft, { body: { deptId: by.deptId, form: { title: '半份' } } })).data.id
  const [first, second, strange] = [await draft(), await draft(), await draft(cast.stranger)]
  const { data } = await cast.project.call(deleteDrafts, { body: { ids: [first, strange, second] } })
  expect(data).toMatchObject({ done: 2, left: [{ id: strange }] })
  expect((await cast.project.call(listDrafts, { query: {} })).data.total).toBe(0)
  expect((await cast.stranger.call(listDrafts, { query: {} })).data.total).toBe(1)
})

test('unread messages come first, and of each kind the newest, whatever their ids', async () => {
  const message = (title: string, day: number, isRead: '0' | '1') => ({
    accountId: cast.newcomer.id,
    systemSubject: '系统公告' as const,
    kind: 'announcement' as const,
    params: '{}',
    title,
    content: title,
    isRead,
    createTime: new Date(`2026-11-${day}T10:00:00+08:00`),
  })
  await db
    .insertInto('message')
    .values([message('新', 22, '0'), message('旧', 20, '0'), message('已读新', 23, '1'), message('中', 21, '0')])
    .execute()
  const { data } = await cast.newcomer.call(listOwnMessages, { query: {} })
  expect(data.rows.map(({ title }) => title)).toEqual(['新', '中', '旧', '已读新'])
})
