import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { getHomeFigures } from '#shared/statistics/contract.ts'
import { compareEquipment, listBrands, listPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import { confirmEquipment } from '#shared/equipment/own.ts'
import * as contract from '#shared/favourite/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { suggest } from '#shared/search/contract.ts'
import { monday, openWorld } from '#test/world.ts'
import { alertSavedSearches } from './saved-searches.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const machine = await world.givenMachine(cast.lessor.companyId)
const small = await world.givenMachine(cast.lessor2.companyId, { value: 3, priceFen: 900_000 })

test('kept things come back in order, once each; what is no longer public is only named', async () => {
  const set = (bizType: string, bizId: number, kept: boolean) =>
    cast.project.call(contract.setFavourite, { body: { bizType, bizId, kept } })
  const { id: demand } = await world.givenDemand()
  for (const [type, id] of [
    ['equipment', machine],
    ['equipment', small],
    ['equipment', small],
    ['supplier', cast.lessor.companyId],
    ['demand', demand],
  ] as const) {
    expect((await set(type, id, true)).code).toBe(200)
    clock.set(new Date(clock.now().getTime() + 1000))
  }
  const { data } = await cast.project.call(contract.listFavourites, {})
  expect([data.equipment.map(({ id }) => id), data.supplier.length, data.demand.length, data.gone]).toEqual([[small, machine], 1, 1, []])
  await db.updateTable('equipment').set({ shelfStatus: '0' }).where('id', '=', small).execute()
  expect((await cast.project.call(contract.listFavourites, {})).data.gone).toEqual([{ bizType: 'equipment', bizId: small }])
  expect((await set('equipment', small, false)).code).toBe(200)
  expect((await set('equipment', small, true)).code).toBe(404)
  await db.updateTable('equipment').set({ shelfStatus: '1' }).where('id', '=', small).execute()
  expect((await cast.project.call(contract.listFavouriteIds, {})).data).toHaveLength(3)
  expect((await cast.lessor.call(contract.listFavouriteIds, {})).data).toEqual([])
})

test('a saved search tells of what is new, once, to the one who saved it', async () => {
  const save = (list: string, query: string, by = cast.otherProject) =>
    by.call(contract.addSavedSearch, { body: { list, name: '5吨装载机', query } })
  expect((await save('equipment', 'categoryId=106&spec_ratedLoad_min=4&pageNum=3')).code).toBe(200)
  expect((await save('demand', 'categoryId=106', cast.lessor2)).code).toBe(200)
  const own = (await cast.otherProject.call(contract.listSavedSearches, {})).data
  expect(own[0]).toMatchObject({ query: 'categoryId=106&spec_ratedLoad_min=4', alert: true })
  const later = (minutes: number) => clock.set(new Date(monday.getTime() + minutes * 60_000))
  later(6)
  expect(await alertSavedSearches(world.services)).toBe(0)
  later(7)
  await db.updateTable('equipment').set({ confirmedAt: clock.now() }).where('id', 'in', [machine, small]).execute()
  await world.givenDemand()
  later(12)
  expect(await alertSavedSearches(world.services)).toBe(2)
  const [told] = (await cast.otherProject.call(listOwnMessages, {})).data.rows
  expect(told).toMatchObject({ title: '“5吨装载机”有新内容', link: '/equipment?categoryId=106&spec_ratedLoad_min=4' })
  expect(told?.content).toContain('1 条')
  later(30)
  expect(await alertSavedSearches(world.services)).toBe(0)
  const { id } = own[0] ?? { id: 0 }
  await cast.otherProject.call(contract.editSavedSearch, { params: { id }, body: { alert: false } })
  await db.updateTable('equipment').set({ confirmedAt: clock.now() }).where('id', '=', machine).execute()
  later(60)
  expect(await alertSavedSearches(world.services)).toBe(0)
  expect((await cast.otherProject.call(contract.deleteSavedSearch, { params: { id } })).code).toBe(200)
  for (let n = 0; n < 20; n++) await save('demand', '')
  expect((await save('demand', '')).msg).toBe('您已保存 20 条查询，达到上限；请先在“我的收藏 - 保存的查询”中删除一条')
})

test('a machine that is confirmed, or put on the shelf, again within a day is no news; news that nobody has read is one message', async () => {
  const { otherProject, lessor, lessor2 } = cast
  const confirm = (who: typeof lessor, id: number) => who.call(confirmEquipment, { body: { ids: [id] } })
  const later = (minutes: number) => clock.set(new Date(monday.getTime() + minutes * 60_000))
  const unread = async () =>
    (await otherProject.call(listOwnMessages, { query: { isRead: '0' } })).data.rows.map(({ content }) => /\d+ 条/.exec(content)?.[0])
  await db.deleteFrom('savedSearch').execute()
  await db.updateTable('message').set({ isRead: '1' }).execute()
  await db
    .updateTable('equipment')
    .set({ confirmedAt: new Date(monday.getTime() - 2 * 86_400_000) })
    .execute()
  await otherProject.call(contract.addSavedSearch, { body: { list: 'equipment', name: '装载机', query: 'categoryId=106' } })
  later(7)
  expect((await confirm(lessor, machine)).data.confirmed).toBe(1)
  later(12)
  expect(await alertSavedSearches(world.services)).toBe(1)
  expect(await unread()).toEqual(['1 条'])
  later(40)
  expect((await confirm(lessor, machine)).data.confirmed).toBe(1)
  for (const shelfStatus of ['0', '1'] as const)
    expect((await lessor.call(setShelf, { params: { id: machine }, body: { shelfStatus } })).code).toBe(200)
  later(60)
  expect(await alertSavedSearches(world.services)).toBe(0)
  expect((await confirm(lessor2, small)).data.confirmed).toBe(1)
  later(70)
  expect(await alertSavedSearches(world.services)).toBe(1)
  expect(await unread()).toEqual(['2 条'])
  await db.deleteFrom('savedSearch').execute()
})

test('a machine that was added today is news when it first comes on the shelf', async () => {
  const later = (minutes: number) => clock.set(new Date(monday.getTime() + minutes * 60_000))
  await db.updateTable('equipment').set({ confirmedAt: monday, createTime: monday, shelfStatus: '0' }).where('id', '=', small).execute()
  later(60)
  await cast.otherProject.call(contract.addSavedSearch, { body: { list: 'equipment', name: '装载机', query: 'categoryId=106' } })
  later(61)
  expect((await cast.lessor2.call(setShelf, { params: { id: small }, body: { shelfStatus: '1' } })).code).toBe(200)
  later(70)
  expect(await alertSavedSearches(world.services)).toBe(1)
  await db.deleteFrom('savedSearch').execute()
})

test('a lessor’s saved search tells of a demand that invites them, nobody else’s does; what is published this moment is told at the next check', async () => {
  await db.deleteFrom('savedSearch').execute()
  const at = (seconds: number) => clock.set(new Date(monday.getTime() + seconds * 1000))
  for (const who of [cast.lessor, cast.lessor2, cast.project])
    await who.call(contract.addSavedSearch, { body: { list: 'demand', name: '定向', query: 'demandType=2' } })
  at(295)
  await world.givenDemand({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })
  at(300)
  expect(await alertSavedSearches(world.services)).toBe(0)
  at(600)
  expect(await alertSavedSearches(world.services)).toBe(1)
  expect((await cast.lessor.call(listOwnMessages, {})).data.rows[0]).toMatchObject({ title: '“定向”有新内容' })
  at(900)
  expect(await alertSavedSearches(world.services)).toBe(0)
  await db.deleteFrom('savedSearch').execute()
})

test('however many saved searches are due, one round checks them all', async () => {
  await sql`insert into saved_search (account_id, list, name, query, checked_at, create_time)
    select ${cast.otherProject.id}, 'demand', '需求 ' || n, 'demandType=2', ${monday}, ${monday} from generate_series(1, 450) n`.execute(db)
  clock.set(new Date(monday.getTime() + 6 * 60_000))
  await alertSavedSearches(world.services)
  const checked = await db.selectFrom('savedSearch').where('checkedAt', '>', monday.toISOString()).select('id').execute()
  expect(checked).toHaveLength(450)
  await db.deleteFrom('savedSearch').execute()
})

test('a saved search of somebody who is locked waits until they are not', async () => {
  clock.set(monday)
  const accountId = cast.stranger.id
  await cast.stranger.call(contract.addSavedSearch, { body: { list: 'equipment', name: '装载机', query: 'categoryId=106' } })
  await db.updateTable('account').set({ status: '1' }).where('id', '=', accountId).execute()
  clock.set(new Date(monday.getTime() + 7 * 60_000))
  await db.updateTable('equipment').set({ confirmedAt: clock.now() }).where('id', '=', machine).execute()
  clock.set(new Date(monday.getTime() + 12 * 60_000))
  expect(await alertSavedSearches(world.services)).toBe(0)
  await db.updateTable('account').set({ status: '0' }).where('id', '=', accountId).execute()
  expect(await alertSavedSearches(world.services)).toBe(1)
  expect((await cast.stranger.call(listOwnMessages, {})).data.rows[0]?.title).toBe('“装载机”有新内容')
})

test('a search that could not be carried out is not saved', async () => {
  const save = (list: string, query: string) => cast.project.call(contract.addSavedSearch, { body: { list, name: '不成立', query } })
  for (const [list, query] of [
    ['equipment', 'provinceId=99999999999'],
    ['equipment', 'freeFrom=0000-01-01&freeTo=2026-12-01'],
    ['equipment', 'sort=sideways'],
    ['demand', 'categoryId=3000000000'],
    ['demand', 'planFrom=0000-01-01'],
  ] as const)
    expect((await save(list, query)).code, query).toBe(422)
  expect((await cast.project.call(contract.listSavedSearches, {})).data).toEqual([])
})

test('filters on parameters, brands, distance and the comparison of four', async () => {
  const ids = async (query: Record<string, unknown>) =>
    (await cast.visitor.call(listPublicEquipment, { query: query })).data.rows.map(({ id }) => id)
  expect(await ids({ categoryId: 106, spec_ratedLoad_min: 4 })).toEqual([machine])
  expect(await ids({ categoryId: 106, spec_ratedLoad_max: 4 })).toEqual([small])
  expect(await ids({ categoryId: 106, spec_ratedLoad_min: 3, spec_ratedLoad_max: 5 })).toEqual([small, machine])
  expect(await ids({ spec_ratedLoad_min: 'x', spec_nothing_min: '' })).toEqual([small, machine])
  expect(await ids({ spec_nothing_min: 1 })).toEqual([])
  expect(await ids({ "spec_a'b_min": 1 })).toEqual([small, machine])
  expect((await cast.visitor.call(listBrands, { query: { categoryId: 106 } })).data).toEqual([
    { brand: '柳工', brandEn: 'LiuGong', count: 2 },
  ])
  await db.updateTable('equipment').set({ provinceId: 110_000, cityId: 110_100 }).where('id', '=', small).execute()
  const near = (await cast.visitor.call(listPublicEquipment, { query: { nearCityId: 500_100, sort: 'distance' } })).data.rows
  expect(near.map(({ id }) => id)).toEqual([machine, small])
  // Chongqing to Chengdu about 265 km, to Beijing about 1,460 km as the crow flies.
  expect(near[0]?.distanceKm).toBeGreaterThan(240)
  expect(near[0]?.distanceKm).toBeLessThan(290)
  expect(near[1]?.distanceKm).toBeGreaterThan(1400)
  expect(near[1]?.distanceKm).toBeLessThan(1520)
  // No machine is lost because nobody knows the place.
  const nowhere = await cast.visitor.call(listPublicEquipment, { query: { nearCityId: 999_999, sort: 'distance' } })
  expect([nowhere.data.total, nowhere.data.rows.map(({ id }) => id)]).toEqual([2, [machine, small].toSorted((a, b) => b - a)])
  const compared = await cast.visitor.call(compareEquipment, { query: { ids: `${small},${machine},${small}` } })
  expect(compared.data.map(({ id }) => id)).toEqual([small, machine])
  expect((await cast.visitor.call(compareEquipment, { query: { ids: '1,2,3,4,5' } })).code).toBe(422)
})

test('suggestions come from categories with their common names, machines, lessors and open demands', async () => {
  await db.updateTable('demand').set({ searchText: '铲车 装载机 项目' }).where('status', '=', '3').execute()
  const kinds = async (keyword: string) => (await cast.visitor.call(suggest, { query: { keyword } })).data
  const found = await kinds('铲车')
  expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['category', 'equipment', 'demand']))
  expect(found[0]).toMatchObject({ kind: 'category', link: '/equipment?fatherCategoryId=100&categoryId=106' })
  expect((await kinds('恒岳'))[0]).toMatchObject({ kind: 'supplier', note: '四川省 成都市' })
  expect(await kinds("%';--")).toEqual([])
  expect((await cast.visitor.call(suggest, { query: { keyword: '' } })).code).toBe(422)
  expect((await cast.visitor.call(getHomeFigures, {})).data.machines).toBe(2)
})

test('of sixty searches that are saved at once twenty are kept', async () => {
  const save = (n: number) => cast.newcomer.call(contract.addSavedSearch, { body: { list: 'demand', name: `查询${n}`, query: '' } })
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => save(n)))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(20)
  const refused = answers.filter(({ code }) => code === 429)
  expect(refused).toHaveLength(40)
  expect(refused[0]?.msg).toBe('您已保存 20 条查询，达到上限；请先在“我的收藏 - 保存的查询”中删除一条')
})
