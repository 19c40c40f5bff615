import { sql } from 'kysely'
import readSheets from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { exportOwnDemands, getOwnDemand, listOwnDemands } from '#shared/demand/contract.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { compareQuotes, giveUpQuote } from '#shared/quote/contract.ts'
import { exportReport, getReport, getReportGroups, listReportRows, rowsOfFigure, type ReportGroup } from '#shared/statistics/report.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inTransaction, waitingForLocks } from '#test/held-rows.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'
import { countHome } from './home.ts'
import { groupSheet, rowsSheet } from './report-workbook.ts'

const world = await openWorld()
const { cast, clock, db, depts } = world
afterAll(() => world.close())

const period = { from: '2026-11-01', to: '2026-11-30' }
const report = async (who: Person, query: object = period) => (await who.call(getReport, { query: { ...query } })).data
const groups = async (who: Person, by: ReportGroup, query: object = period) =>
  (await who.call(getReportGroups, { query: { ...query, by } })).data

/**
 * Three demands: one of the first project awarded for one machine of two (offers 16,000 and 20,000 a month, 90 days,
 * ceiling 18,000), one of it cancelled, one of the sister project open. One of a stranger.
 */
beforeAll(async () => {
  const demand = await world.givenDemand({ items: [world.demandItem({ priceCeiling: 18_000 })] })
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(cast.lessor.companyId)])
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)], {
    unitPrice: 20_000,
    ceilingReason: '市场紧张',
  })
  const cancelled = await world.givenDemand({ deptId: depts.projectDept })
  await cast.project.call(cancelDemand, { params: { id: cancelled.id }, body: { reason: '方案调整' } })
  await world.givenDemand({ deptId: depts.otherDept }, cast.lessee)
  await world.givenDemand({ deptId: depts.strangerDept }, cast.stranger)
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: demand.id } })
  const line = data.quotes.find(({ companyId }) => companyId === cast.lessor.companyId)?.lines[0]
  const lines = [{ demandItemId: demand.items[0]?.id, quoteLineId: line?.id, qty: 1 }]
  const awarded = await cast.project.call(awardDemand, { params: { id: demand.id }, body: { lines } })
  if (awarded.code !== 200) throw new Error(awarded.msg)
  clock.set(monday)
})

describe('[S2.25][S7.6] statistics', () => {
  test('figures agree with the hand-worked case', async () => {
    const figures = await report(cast.lessee)
    // 16,000 × 3 months, fuel by the lessee, less 9 % VAT in the rent; the fuel is the same for both offers.
    expect(figures).toMatchObject({
      demands: 3,
      lines: 3,
      awarded: 1,
      failed: 0,
      cancelled: 1,
      quotesPerDemand: 2,
      daysToOpen: 4,
      daysToAward: 4,
    })
    // The rent alone, without the diesel that the lessee buys.
    expect(figures).toMatchObject({ machines: 1, quotes: 2, rent: '48000.00' })
    expect(Number(figures.net)).not.toBe(48_000)
    // (18,000 − 16,000) ÷ 18,000
    expect(figures.savedOnCeiling).toBe(0.1111)
    // The platform reads the award, so the figure would tell it the ceiling.
    expect((await report(cast.operator, { ...period, deptId: depts.root })).savedOnCeiling).toBeNull()
    const onCeiling = (who: Person) => who.call(listReportRows, { query: { ...period, figure: 'onCeiling' } })
    expect([(await onCeiling(cast.lessee)).data.total, (await onCeiling(cast.operator)).code]).toEqual([1, 403])
    const [lessor] = await groups(cast.lessee, 'lessor')
    const net = Number(figures.net)
    // The rents differ by 4,000 × 3 ÷ 1.09; the mean lies half of that above the award.
    expect(figures.savedOnMean).toBeCloseTo(6000 / 1.09 / (net + 6000 / 1.09), 3)
    expect(lessor).toMatchObject({
      name: '成都恒岳机械租赁有限公司',
      demands: 1,
      awarded: 1,
      machines: 1,
      quotes: 1,
      rent: '48000.00',
      net: figures.net,
    })
    for (const by of ['month', 'unit', 'category', 'region'] as const)
      expect((await groups(cast.lessee, by)).reduce((sum, { rent }) => sum + Number(rent), 0)).toBe(48_000)
  })

  test('a demand that was cancelled before the unit above approved it is unpublished, and no figure counts it', async () => {
    const before = await report(cast.lessee)
    await db.updateTable('dept').set({ approvesDemands: true }).where('id', '=', depts.root).execute()
    const { id } = await world.givenDemand()
    await db.updateTable('dept').set({ approvesDemands: false }).where('id', '=', depts.root).execute()
    const publishTime = async () => (await cast.project.call(getOwnDemand, { params: { id } })).data.publishTime
    expect(await publishTime()).toBeNull()
    expect((await cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })).code).toBe(200)
    expect(await report(cast.lessee)).toEqual(before)
    // An earlier version stored the moment at which it was submitted.
    await db.updateTable('demand').set({ publishTime: monday }).where('id', '=', id).execute()
    expect((await report(cast.lessee)).cancelled).toBe(before.cancelled + 1)
    await runMigration(world, '0182_published_when.sql')
    expect(await publishTime()).toBeNull()
    expect(await report(cast.lessee)).toEqual(before)
  })

  test('groups add up to the whole, by month, unit, region; a category and a unit open their rows', async () => {
    for (const by of ['month', 'unit', 'region'] as const)
      expect((await groups(cast.lessee, by)).reduce((sum, { demands }) => sum + demands, 0)).toBe(3)
    expect((await groups(cast.lessee, 'unit')).map(({ name, demands }) => [name, demands])).toEqual([
      ['第三工程公司', 2],
      ['南湖安置房', 1],
    ])
    expect((await groups(cast.lessee, 'month'))[0]).toMatchObject({ key: '2026-11', demands: 3, quotes: 2 })
    expect((await groups(cast.lessee, 'region'))[0]).toMatchObject({ name: '四川省', nameEn: 'Sichuan' })
    expect((await groups(cast.lessee, 'category'))[0]).toMatchObject({ key: '106', name: '轮式装载机', nameEn: 'Wheel loader', demands: 3 })
    for (const by of ['month', 'unit', 'region', 'category', 'lessor'] as const)
      for (const group of await groups(cast.lessee, by)) {
        const { data } = await cast.lessee.call(listReportRows, { query: { ...period, by, key: group.key } })
        expect([by, group.key, data.total]).toEqual([by, group.key, group.demands])
      }
    // A month that the period does not touch, and what is no month, a unit that is nobody's child, nobody's lessor.
    for (const [by, key] of [
      ['month', '2020-01'],
      ['month', '0000-01'],
      ['month', '202611'],
      ['unit', '999999'],
      ['lessor', '999999'],
    ] as const)
      expect([key, (await cast.lessee.call(listReportRows, { query: { ...period, by, key } })).data.total]).toEqual([key, 0])
    expect((await cast.lessee.call(listReportRows, { query: { ...period, by: 'month', key: '2026-13' } })).code).toBe(422)
    for (const [figure, n] of [
      ['awarded', 1],
      ['cancelled', 1],
      ['failed', 0],
      ['opened', 1],
      ['onCeiling', 1],
      ['onMean', 1],
    ] as const)
      expect((await cast.lessee.call(listReportRows, { query: { ...period, figure } })).data.total).toBe(n)
  })

  test('each figure opens as many demands as it counted, and a row shows rent, landed cost and saving', async () => {
    const figures = await report(cast.lessee)
    for (const name of ['demands', 'awarded', 'failed', 'cancelled'] as const) {
      const { data } = await cast.lessee.call(listReportRows, { query: { ...period, figure: rowsOfFigure[name] } })
      expect([name, data.total]).toEqual([name, figures[name]])
    }
    const { data } = await cast.lessee.call(listReportRows, { query: { ...period, figure: rowsOfFigure.rent } })
    expect(data.rows).toMatchObject([{ rent: figures.rent, net: figures.net, savedOnMean: figures.savedOnMean }])
  })

  test('a unit opens into its sub-units', async () => {
    expect(await report(cast.lessee, { ...period, deptId: depts.unit })).toMatchObject({ demands: 2 })
    expect((await groups(cast.lessee, 'unit', { ...period, deptId: depts.unit })).map(({ name }) => name)).toEqual(['渝昌高铁5标'])
  })

  test('[S6.2] project, sister project, stranger, auditor and operator each count their own demands; lessors count none', async () => {
    const counts = await Promise.all(
      [cast.project, cast.otherProject, cast.stranger, cast.auditor, cast.operator].map(async (who) => (await report(who)).demands),
    )
    expect(counts).toEqual([2, 1, 1, 3, 4])
    expect((await cast.lessor.call(getReport, { query: period })).code).toBe(403)
    // Another's unit in the address widens nothing.
    expect((await report(cast.stranger, { ...period, deptId: depts.root })).demands).toBe(0)
    expect(
      (await cast.stranger.call(listReportRows, { query: { ...period, by: 'lessor', key: String(cast.lessor.companyId) } })).data.total,
    ).toBe(0)
  })

  test('a period before all demands is empty', async () => {
    const empty = await report(cast.lessee, { from: '2020-01-01', to: '2020-12-31' })
    expect(empty).toMatchObject({ demands: 0, net: '0.00', savedOnMean: null, quotesPerDemand: null })
    expect((await cast.lessee.call(getReport, { query: { from: '2026-02-02', to: '2026-02-01' } })).code).toBe(422)
  })

  test('the workbook holds the figures, each breakdown and the demands', async () => {
    const { bytes } = await cast.lessee.call(exportReport, { query: period })
    const sheets = await readSheets(bytes)
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['概览', '按月', '按单位', '按类别', '按地区', '按出租方', '需求明细'])
    expect(sheets[0]?.data[2]).toEqual(['发布需求', 3])
    expect(sheets[6]?.data).toHaveLength(4)
    const [head = [], ...rows] = sheets[6]?.data ?? []
    const columnOf = (label: string) => rows.map((row) => row[head.indexOf(label)])
    expect(columnOf(zhCn.demand.publishedAt).every((cell) => cell instanceof Date)).toBe(true)
    const { savedOnMean } = await report(cast.lessee)
    expect(columnOf(zhCn.statistics.figures.savedOnMean).filter((cell) => cell !== null)).toEqual([savedOnMean])
    const { quotes } = zhCn.statistics.figures
    expect(sheets.map(({ data }) => data[0]?.includes(quotes))).toEqual([false, true, true, false, true, true, false])
    expect((await groups(cast.lessee, 'category'))[0]?.quotes).toBeNull()
  })
})

test('the workbook names the unit that it counts with all below it, and what it counts', async () => {
  const overviewOf = async (who: Person, query: object = period) =>
    (await readSheets((await who.call(exportReport, { query: { ...query } })).bytes))[0]?.data ?? []
  const [unit, chosen] = ['单位', { ...period, deptId: depts.unit }]
  for (const [rows, name] of [
    [await overviewOf(cast.lessee), '华拓建设集团'],
    [await overviewOf(cast.lessee, chosen), '第三工程公司'],
    [await overviewOf(cast.project), '渝昌高铁5标'],
    [await overviewOf(cast.auditor), '华拓建设集团'],
    [await overviewOf(cast.operator, chosen), '第三工程公司'],
  ] as const) {
    expect(rows[0]).toEqual([unit, `${name}及下级`])
    expect(rows.at(-1)?.[0]).toBe(zhCn.statistics.basis)
  }
  // An operator's report has every company, and a unit of somebody else is not named.
  for (const rows of [await overviewOf(cast.operator), await overviewOf(cast.stranger, chosen)])
    expect(rows[0]).toEqual([zhCn.statistics.period, '2026-11-01 – 2026-11-30'])
})

test('an award that its only winner gave up is counted as awarded by no figure, group or row, and shows no price', async () => {
  const quoteId = async () =>
    (await db.selectFrom('quote').where('companyId', '=', cast.lessor.companyId).select('id').executeTakeFirstOrThrow()).id
  const awarded = async () => {
    const inGroups = (['month', 'unit', 'region', 'category', 'lessor'] as const).map(async (by) =>
      (await groups(cast.lessee, by)).reduce((sum, group) => sum + group.awarded, 0),
    )
    const { total } = (await cast.lessee.call(listReportRows, { query: { ...period, figure: 'awarded' } })).data
    return [(await report(cast.lessee)).awarded, total, (await countHome(db)).deals, ...(await Promise.all(inGroups))]
  }
  expect(await awarded()).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  expect((await cast.lessor.call(giveUpQuote, { params: { id: await quoteId() }, body: { reason: '设备故障' } })).code).toBe(200)
  expect(await awarded()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  expect((await report(cast.lessee)).daysToAward).toBeNull()
  const { rows } = (await cast.lessee.call(listReportRows, { query: { ...period, figure: 'opened' } })).data
  expect(rows).toMatchObject([{ rent: null, net: null }])
  expect((await cast.lessee.call(listOwnDemands, { query: { status: '6' } })).data.rows).toMatchObject([{ net: null }])
  const books = [await cast.lessee.call(exportReport, { query: period }), await cast.lessee.call(exportOwnDemands, { query: {} })]
  const cells = await Promise.all(books.map(async ({ bytes }) => (await readSheets(bytes)).at(-1)?.data.flat() ?? []))
  expect(cells.map((sheet) => [sheet.includes(zhCn.demand.noWinner), sheet.includes(zhCn.demand.status['6'])])).toEqual([
    [true, false],
    [true, false],
  ])
  // It is sorted with the demands that have no amount, after one that has.
  await db.updateTable('demand').set({ awardedNetFen: 100 }).where('status', '=', demandStatus.cancelled).execute()
  const { rows: sorted } = (await cast.lessee.call(listOwnDemands, { query: { sort: 'net' } })).data
  expect(sorted[0]?.status).toBe(demandStatus.cancelled)
})

test('a sheet of the report that does not hold everything says so in its last row', () => {
  expect(rowsSheet({ rows: [], total: 0 }, zhCn).note).toBe('')
  expect(rowsSheet({ rows: [], total: 12_345 }, zhCn).note).toBe(zhCn.list.exportCut(0, 12_345))
  const group = {
    key: '1',
    name: '恒岳',
    nameEn: 'Hengyue',
    demands: 1,
    awarded: 1,
    machines: 1,
    quotes: 1,
    rent: 1,
    net: 1,
    savedOnMean: null,
  }
  const noteOf = (count: number) =>
    groupSheet(
      Array.from({ length: count }, () => group),
      'lessor',
      zhCn,
    ).note
  expect([noteOf(49), noteOf(50)]).toEqual(['', zhCn.statistics.groupsCut(50)])
})

test('reports of one account take three connections, a few wait, and somebody else is served', async () => {
  const [held, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(world.db, async (tx) => {
    await sql`lock table demand in access exclusive mode`.execute(tx)
    held.resolve()
    await finish.promise
  })
  await held.promise
  const ask = (who: Person, day: number) => who.call(getReport, { query: { from: '2026-10-01', to: `2026-10-${day}` } })
  const asked = Promise.all(Array.from({ length: 10 }, (_, n) => ask(cast.lessee, 10 + n)))
  await expect.poll(() => waitingForLocks(world.db)).toBe(3)
  const other = ask(cast.project, 10)
  expect((await cast.lessor.call(listOwnMessages, {})).code).toBe(200)
  expect(await waitingForLocks(world.db)).toBe(3)
  finish.resolve()
  await holding
  expect((await asked).map(({ code }) => code).toSorted()).toEqual([...Array<number>(6).fill(200), ...Array<number>(4).fill(503)])
  expect((await other).code).toBe(200)
})
