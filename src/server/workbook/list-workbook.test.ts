import { sql } from 'kysely'
import readSheets from 'read-excel-file/node'
import { afterAll, expect, test } from 'vitest'
import { maskPhone } from '#shared/account/rules.ts'
import { exportArticles, listManagedArticles } from '#shared/article/manage.ts'
import { exportAudit, listAudit } from '#shared/audit/contract.ts'
import { exportBlacklist, listBlacklist } from '#shared/blacklist/contract.ts'
import { exportCeilings, listCeilings, saveCeiling } from '#shared/ceiling/contract.ts'
import { exportCertifications } from '#shared/certification/contract.ts'
import { exportCompanies } from '#shared/company/manage.ts'
import { exportContracts, listContracts } from '#shared/contract/contract.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import { scanStatusOf } from '#shared/contract/status-text.ts'
import { exportOwnDemands, listOwnDemands } from '#shared/demand/contract.ts'
import { exportOwnEquipment, listOwnEquipment } from '#shared/equipment/contract.ts'
import { exportReviews, listReviews } from '#shared/equipment/manage.ts'
import { exportPeople, listPeople } from '#shared/person/contract.ts'
import { exportReport } from '#shared/statistics/report.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { listWorkbook } from './list-workbook.ts'

const world = await openWorld()
const { cast } = world
const { givenContract, givenDraft, send } = contractSteps(world)
afterAll(() => world.close())

type Cell = string | number | boolean | Date | null
/** The sheet as another program reads it: its headings, and each row by them. */
async function sheetOf(bytes: Buffer) {
  const [sheet] = await readSheets(bytes)
  const [head = [], ...rows] = (sheet?.data ?? []) as Cell[][]
  const labels = head.map(String)
  return { labels, rows: rows.map((row) => Object.fromEntries(labels.map((label, at) => [label, readCell(row[at] ?? null)]))) }
}
/** The fraction of a day that a moment is stored as is exact to a few milliseconds. */
const readCell = (cell: Cell) => (cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell)
const day = (text: string) => new Date(`${text}T00:00:00Z`)
const moment = (text: string | null) => text && new Date(`${text.replace(' ', 'T')}Z`)
const column = ({ rows }: Awaited<ReturnType<typeof sheetOf>>, label: string) => rows.map((row) => row[label])

test('the contracts are exported as they are listed, for a project, the organisation above it and a lessor', async () => {
  await givenContract()
  await givenContract({ alone: true })
  const words = zhCn.contract
  for (const [who, filter] of [
    [cast.project, {}],
    [cast.lessee, { keyword: '恒岳' }],
    [cast.lessor, { status: '2' }],
    [cast.lessor2, {}],
    [cast.auditor, { status: '2' }],
  ] as const) {
    const { data } = await who.call(listContracts, { query: { ...filter, pageSize: 100 } })
    const sheet = await sheetOf((await who.call(exportContracts, { query: filter })).bytes)
    expect(sheet.rows).toEqual(
      data.rows.map((row) =>
        expect.objectContaining({
          [words.code]: row.contractCode,
          [words.name]: row.title,
          [words.side.lessor]: row.lessor.companyName,
          [words.positions]: row.positions,
          [words.amountYuan]: Number(row.amount),
          [words.start]: day(row.planStart),
          [words.end]: day(row.planEnd),
          [zhCn.site.common.status]: words.status[row.status],
          [words.pages.lapseTime]: moment(row.lapsesAt),
          [words.pages.scans]: scanStatusOf(zhCn, row),
        }),
      ),
    )
  }
  const rowsOf = async (who: Person, query = {}) => (await sheetOf((await who.call(exportContracts, { query })).bytes)).rows.length
  expect([await rowsOf(cast.project), await rowsOf(cast.auditor), await rowsOf(cast.lessor)]).toEqual([2, 2, 2])
  // Nothing of it reaches another project, another organisation, another lessor, or the auditor of another organisation.
  expect([await rowsOf(cast.otherProject), await rowsOf(cast.stranger), await rowsOf(cast.lessor2)]).toEqual([0, 0, 0])
  expect(await rowsOf(cast.project, { keyword: '没有这个' })).toBe(0)
})

test('a sent contract waits for the other side in the sheet of the lessee, and for the own side in that of the lessor', async () => {
  const { id } = await givenDraft()
  expect((await send(cast.project, id)).code).toBe(200)
  const query = { status: contractStatus.sent }
  const statesFor = async (who: Person) =>
    column(await sheetOf((await who.call(exportContracts, { query })).bytes), zhCn.site.common.status)
  expect([await statesFor(cast.project), await statesFor(cast.lessor)]).toEqual([['待对方确认'], ['待本方确认']])
})

test('the own demands are exported as they are filtered and sorted, and nobody else’s', async () => {
  world.clock.set(monday)
  await world.givenDemand({ title: '=HYPERLINK("x") 两台装载机' })
  await world.givenDemand({ title: '第二份装载机需求' })
  await world.givenDemand({ title: '南湖的需求', deptId: world.depts.otherDept }, cast.otherProject)
  const query = { sort: '-publishTime', status: '3' }
  const { data } = await cast.project.call(listOwnDemands, { query: { ...query, pageSize: 100 } })
  const { http, bytes } = await cast.project.call(exportOwnDemands, { query })
  expect(http).toBe(200)
  const sheet = await sheetOf(bytes)
  // A title that starts like a formula is a text.
  expect(column(sheet, zhCn.demand.form.titleField)).toEqual(data.rows.map(({ title }) => title))
  expect(column(sheet, zhCn.demand.form.titleField)).toContain('=HYPERLINK("x") 两台装载机')
  expect(column(sheet, zhCn.demand.publishedAt)).toEqual(data.rows.map(({ publishTime }) => moment(publishTime)))
  expect(column(sheet, zhCn.demand.quoteCount)).toEqual(data.rows.map(({ quoteCount }) => quoteCount))
  const english = await sheetOf((await world.caller(cast.project.token, 'en-US')(exportOwnDemands, { query: { status: '9' } })).bytes)
  expect(english.labels).toContain('Landed cost, net of VAT (CNY)')
  expect(english.rows).toEqual([])
  expect((await cast.lessor.call(exportOwnDemands, { query: {} })).code).toBe(403)
})

test('machines are exported with prices as numbers and days as days, and only those of the own company', async () => {
  await world.givenMachine(cast.lessor.companyId)
  await world.givenMachine(cast.lessor2.companyId)
  const { data } = await cast.lessor.call(listOwnEquipment, { query: { pageSize: 100, sort: 'name' } })
  const sheet = await sheetOf((await cast.lessor.call(exportOwnEquipment, { query: { sort: 'name' } })).bytes)
  expect(column(sheet, zhCn.list.machine.code)).toEqual(data.rows.map(({ equipmentCode }) => equipmentCode))
  expect(column(sheet, zhCn.equipment.price)).toEqual(data.rows.map(({ monthPrice }) => monthPrice && Number(monthPrice)))
  expect(column(sheet, zhCn.list.machine.confirmedAt)).toEqual(data.rows.map(({ confirmedAt }) => moment(confirmedAt)))
  expect(column(sheet, zhCn.equipment.own.bookings)).toContain(zhCn.equipment.calendarFree)
  expect(column(sheet, zhCn.equipment.own.bookings).some((text) => String(text).includes(zhCn.equipment.own.booked.award ?? ''))).toBe(true)
  const none = await sheetOf((await cast.lessor.call(exportOwnEquipment, { query: { name: '没有这个' } })).bytes)
  expect(none.rows).toEqual([])
})

test('people are exported with their numbers masked and all their departments, as on the screen', async () => {
  await world.db.insertInto('accountDept').values({ accountId: cast.otherProject.id, deptId: world.depts.projectDept }).execute()
  const { data } = await cast.lessee.call(listPeople, { query: { pageSize: 100, status: '0' } })
  const sheet = await sheetOf((await cast.lessee.call(exportPeople, { query: { status: '0' } })).bytes)
  const { organization } = zhCn
  expect(column(sheet, organization.userName)).toEqual(data.rows.map(({ userName }) => userName))
  expect(column(sheet, organization.mobile)).toEqual(data.rows.map(({ phonenumber }) => maskPhone(phonenumber)))
  expect(data.rows.some(({ phonenumber }) => phonenumber.length === 11)).toBe(true)
  expect(column(sheet, organization.dept)).toEqual(data.rows.map(({ deptNames }) => deptNames.join('、')))
  expect(column(sheet, organization.dept)).toContain('南湖安置房、渝昌高铁5标')
  expect(column(sheet, organization.realName)).not.toContain('stranger甲')
})

test('ceilings and restrictions are exported to those who see their lists', async () => {
  const ceiling = { deptId: world.depts.root, categoryId: 106, rentUnit: 'M', price: 18_000, fromDay: '2026-01-01' }
  await cast.lessee.call(saveCeiling, { body: ceiling })
  const ceilings = await sheetOf((await cast.lessee.call(exportCeilings, { query: {} })).bytes)
  const { data } = await cast.lessee.call(listCeilings, { query: { pageSize: 100 } })
  expect(column(ceilings, zhCn.ceiling.price)).toEqual(data.rows.map(({ price }) => Number(price)))
  expect(column(ceilings, zhCn.ceiling.fromDay)).toEqual(data.rows.map(({ fromDay }) => day(fromDay)))
  expect(data.rows).toHaveLength(1)
  expect((await sheetOf((await cast.strangerAdmin.call(exportCeilings, { query: {} })).bytes)).rows).toEqual([])
  const facts = { reasonCode: 'quit' as const, facts: '合同生效后未按约定进场，'.repeat(6), fromDay: '2026-11-01', toDay: '2026-12-31' }
  await world.db
    .insertInto('blacklist')
    .values({
      ...facts,
      blacklistCode: 'HM202611230001',
      subjectKind: 'company',
      companyId: cast.lessor.companyId,
      level: 2,
      scopeDeptId: world.depts.root,
      status: '2',
      proposerId: cast.lessee.id,
      createTime: monday,
      updateTime: monday,
    })
    .execute()
  const entries = await cast.lessee.call(listBlacklist, { query: { status: '2' } })
  const restricted = await sheetOf((await cast.lessee.call(exportBlacklist, { query: { status: '2' } })).bytes)
  expect(restricted.rows).toMatchObject([
    {
      [zhCn.blacklist.subject]: '成都恒岳机械租赁有限公司',
      [zhCn.blacklist.from]: day('2026-11-01'),
      [zhCn.blacklist.to]: day('2026-12-31'),
    },
  ])
  expect(column(restricted, zhCn.blacklist.code)).toEqual(entries.data.rows.map(({ blacklistCode }) => blacklistCode))
  for (const who of [cast.strangerAdmin, cast.lessor2])
    expect((await sheetOf((await who.call(exportBlacklist, { query: {} })).bytes)).rows).toEqual([])
})

test('whoever does not see a list does not get it as a workbook', async () => {
  for (const [endpoint, who] of [
    [exportOwnEquipment, cast.project],
    [exportCeilings, cast.lessor],
    [exportCompanies, cast.lessee],
    [exportContracts, cast.newcomer],
    [exportContracts, cast.visitor],
    [exportOwnDemands, cast.visitor],
    [exportPeople, cast.newcomer],
    [exportBlacklist, cast.visitor],
    [exportArticles, cast.lessee],
    [exportReviews, cast.lessor],
    [exportCertifications, cast.lessor],
  ] as const)
    expect((await who.call(endpoint, { query: {} })).code, endpoint.url).toBeOneOf([401, 403])
  // An operator reads a contract after stating why, and has stated nothing.
  expect((await sheetOf((await cast.operator.call(exportContracts, { query: {} })).bytes)).rows).toEqual([])
})

test('a workbook that does not hold all rows says so in its last one', async () => {
  const book = async (total: number) => {
    const { content } = await listWorkbook({
      title: '合同',
      text: zhCn,
      columns: [{ label: '名称', width: 10, value: (row: string) => row }],
      list: { rows: ['甲', '乙'], total },
    })
    return column(await sheetOf(Buffer.from(content)), '名称')
  }
  expect(await book(2)).toEqual(['甲', '乙'])
  expect(await book(3)).toEqual(['甲', '乙', zhCn.list.exportCut(2, 3)])
  expect((await book(12_345)).at(-1)).toContain('共 12,345 条')
})

test('the lists of the console are workbooks: articles, machines to review, certifications without the people who applied', async () => {
  const articles = await sheetOf((await cast.operator.call(exportArticles, { query: { sort: 'publishTime' } })).bytes)
  const listed = await cast.operator.call(listManagedArticles, { query: { sort: 'publishTime', pageSize: 100 } })
  expect(column(articles, zhCn.admin.articles.titleField)).toEqual(listed.data.rows.map(({ title }) => title))
  const machine = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
  await world.db.updateTable('equipment').set({ auditStatus: '1' }).where('id', '=', machine).execute()
  const machines = await sheetOf((await cast.operator.call(exportReviews, { query: {} })).bytes)
  const waiting = await cast.operator.call(listReviews, { query: { pageSize: 100 } })
  expect(waiting.data.total).toBeGreaterThan(0)
  expect(column(machines, zhCn.list.machine.code)).toEqual(waiting.data.rows.map(({ equipmentCode }) => equipmentCode))
  await world.db
    .insertInto('certification')
    .values({
      accountId: cast.newcomer.id,
      kind: 'rentout',
      status: '1',
      name: '新来租赁',
      submittedAt: monday,
      createTime: monday,
      updateTime: monday,
    })
    .execute()
  const applied = await sheetOf((await cast.operator.call(exportCertifications, { query: { kind: 'rentout', status: '1' } })).bytes)
  expect(column(applied, zhCn.certification.review.name)).toEqual(['新来租赁'])
  expect(Object.keys(applied.rows[0] ?? {})).not.toContain(zhCn.certification.review.applicant)
})

test('an export of the platform’s companies stands in the audit log with its filter', async () => {
  const { bytes } = await cast.operator.call(exportCompanies, { query: { kind: 'lessor' } })
  const names = column(await sheetOf(bytes), zhCn.admin.companies.name)
  expect(names).toContain('成都恒岳机械租赁有限公司')
  expect(names).not.toContain('华拓建设集团有限公司')
  const log = await cast.operator.call(listAudit, { query: { action: 'company.export' } })
  expect(log.data.rows).toHaveLength(1)
})

test('the log has what staff export of lists and reports, with the filter, and nothing of what people export of their own', async () => {
  const period = { from: '2026-11-01', to: '2026-11-30' }
  const log = world.db.selectFrom('auditLog').select(['seq', 'who', 'action', 'companyId', 'after']).orderBy('seq')
  const last = (await log.execute()).at(-1)
  await cast.project.call(exportOwnDemands, { query: {} })
  await cast.lessee.call(exportReport, { query: period })
  for (const who of [cast.operator, cast.auditor]) {
    await who.call(exportOwnDemands, { query: { projectName: '塔吊 13812345678' } })
    await who.call(exportReport, { query: period })
    await who.call(exportBlacklist, { query: {} })
  }
  await cast.lessee.call(exportContracts, { query: {} })
  await cast.auditor.call(exportContracts, { query: {} })
  await cast.operator.call(exportCertifications, { query: {} })
  await cast.operator.call(exportReviews, { query: {} })
  await cast.operator.call(exportArticles, { query: { tab: '1' } })
  const taken = await log.where('seq', '>', Number(last?.seq ?? 0)).execute()
  const lists = [
    { action: 'demand.export', after: { projectName: '塔吊 138****5678' } },
    { action: 'demand.report', after: period },
    { action: 'blacklist.export' },
  ]
  expect(taken).toMatchObject([
    ...lists.map((entry) => ({ who: 'operator', ...entry })),
    ...lists.map((entry) => ({ who: 'auditor', companyId: cast.auditor.companyId, ...entry })),
    { who: 'auditor', companyId: cast.auditor.companyId, action: 'contract.list' },
    ...['certification.export', 'equipment.export'].map((action) => ({ who: 'operator', action })),
    { who: 'operator', action: 'article.export', after: { tab: '1' } },
  ])
})

test('the audit log is exported with all values of its entries, the newest first, as far as one workbook holds them', async () => {
  const words = zhCn.admin.audit.columns
  const entry = { at: monday, accountId: cast.operator.id, who: 'operator', bizType: 'article', bizId: '7', bizName: '帮助' } as const
  const add = (values: readonly object[]) =>
    world.db
      .insertInto('auditLog')
      .values(values.map((more) => ({ ...entry, action: 'article.edit' as const, ...more })))
      .execute()
  await add([{ before: JSON.stringify({ title: '=1+1' }), after: JSON.stringify({ title: '帮助' }), reason: '改标题' }, { reason: '再改' }])
  const query = { action: 'article.edit' } as const
  const read = async () => (await sheetOf((await cast.operator.call(exportAudit, { query })).bytes)).rows
  const { data } = await cast.operator.call(listAudit, { query })
  expect(await read()).toMatchObject([
    { [words.seq]: data.rows[0]?.seq, [words.at]: data.rows[0]?.at, [words.reason]: '再改', [words.before]: null },
    { [words.before]: '{"title": "=1+1"}', [words.after]: '{"title": "帮助"}', [words.biz]: '帮助 #7', [words.reason]: '改标题' },
  ])
  // A hundred and thirty articles of 40,000 letters are more than a workbook has room for.
  await add(Array.from({ length: 130 }, () => ({ after: JSON.stringify({ content: '文'.repeat(40_000) }) })))
  const rows = await read()
  const shown = rows.length - 1
  expect(shown).toBeGreaterThan(100)
  expect([shown < 130, rows.at(-1)?.[words.seq]]).toEqual([true, zhCn.list.exportCut(shown, 132)])
}, 60_000)

test('a workbook of certifications says how many it does not hold', async () => {
  await sql`insert into account (user_name, phonenumber, password_hash, create_time)
    select 'many' || n, '1460000' || lpad(n::text, 4, '0'), 'none', ${monday}::timestamptz from generate_series(1, 3400) n`.execute(
    world.db,
  )
  await sql`insert into certification (account_id, kind, status, name, submitted_at, create_time, update_time)
    select id, kind, '2', user_name, create_time, create_time, create_time
    from account, unnest(array['rentout', 'lease', 'dept']) kind where user_name like 'many%'`.execute(world.db)
  const applied = await sheetOf((await cast.operator.call(exportCertifications, { query: { status: '2' } })).bytes)
  expect(column(applied, zhCn.certification.review.name).at(-1)).toContain('10,200')
}, 60_000)
