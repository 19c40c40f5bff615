import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listLessors, lookAtLessor } from '#shared/company/contract.ts'
import { listPublicDemands } from '#shared/demand/contract.ts'
import { listPublicEquipment, listStandardRents } from '#shared/equipment/contract.ts'
import { suggest, understandSearch } from '#shared/search/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openWorld } from '#test/world.ts'
import { findStandardRents } from '../equipment/rents.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(world.close)

type Kind = { categoryId: number; fatherCategoryId: number; brand: string; model: string; mainValue: number; specs: Record<string, number> }
const kinds = {
  truck25: { categoryId: 203, fatherCategoryId: 200, brand: '徐工', model: 'XCT25', mainValue: 25, specs: { maxLoad: 25, mainBoom: 42 } },
  truck50: { categoryId: 203, fatherCategoryId: 200, brand: '三一', model: 'STC500', mainValue: 50, specs: { maxLoad: 50, mainBoom: 44 } },
  tower: { categoryId: 201, fatherCategoryId: 200, brand: '中联', model: 'TC6013A-6', mainValue: 80, specs: { moment: 80, jib: 60 } },
  digger: { categoryId: 101, fatherCategoryId: 100, brand: '三一', model: 'SY215C', mainValue: 21.9, specs: { opWeight: 21.9 } },
  scissor: { categoryId: 301, fatherCategoryId: 300, brand: '鼎力', model: 'JCPT1412DC', mainValue: 12, specs: { platHeight: 12 } },
  hoist: { categoryId: 208, fatherCategoryId: 200, brand: '方圆', model: 'SC200', mainValue: 2000, specs: { ratedLoad: 2000 } },
} satisfies Record<string, Kind>
const ids = { truck25: 0, truck50: 0, tower: 0, digger: 0, scissor: 0, hoist: 0 }

async function givenKind(kind: Kind, priceFen = 2_000_000): Promise<number> {
  const id = await world.givenMachine(cast.lessor.companyId, { categoryId: kind.categoryId, priceFen })
  const { specs, ...columns } = kind
  const name = `${kind.brand} ${kind.model}`
  await db
    .updateTable('equipment')
    .set({ ...columns, name, specs: JSON.stringify(specs), searchText: `${name} ${kind.brand} ${kind.model}` })
    .where('id', '=', id)
    .execute()
  return id
}

/** A maker that nobody but the lessor of a draft has named. */
const draftBrand = '泰坦'

beforeAll(async () => {
  const draft = await givenKind({ ...kinds.truck25, brand: draftBrand })
  await db.updateTable('equipment').set({ auditStatus: '0', shelfStatus: '0' }).where('id', '=', draft).execute()
  for (const key of Object.keys(ids) as (keyof typeof ids)[]) ids[key] = await givenKind(kinds[key])
})

const found = async (name: string, more = {}) =>
  (await cast.visitor.call(listPublicEquipment, { query: { name, ...more } })).data.rows.map(({ id }) => id)

describe('a search finds the machines that were meant', () => {
  test.each([
    ['25吨汽车吊', ['truck25']],
    // It reaches down to 22.5 t, which the digger misses.
    ['25t', ['truck25']],
    ['徐工汽车吊', ['truck25']],
    ['20吨挖掘机', ['digger']],
    ['12米剪叉', ['scissor']],
    ['QTZ80', ['tower']],
    ['80塔吊', ['tower']],
    ['60米塔吊', ['tower']],
    ['成都 挖机', ['digger']],
    ['武汉 挖机', []],
    ['人货梯', ['hoist']],
    ['50吨三一汽车吊', ['truck50']],
    ['50吨徐工汽车吊', []],
    ['truck crane 50 t', ['truck50']],
    ['SY215C', ['digger']],
  ] as const)('%s', async (name, expected) => {
    expect((await found(name)).toSorted()).toEqual(expected.map((key) => ids[key]).toSorted())
  })

  test('a region that is chosen goes before one that is typed, and other filters stay', async () => {
    expect(await found('成都 汽车吊', { brand: '三一' })).toEqual([ids.truck50])
    expect(await found('汽车吊', { provinceId: 440_000 })).toEqual([])
    // 成都 lies in another province, so it does not narrow the one that is chosen; in its own province it does.
    expect(await found('成都挖掘机', { provinceId: 330_000 })).toEqual([])
    await db.updateTable('equipment').set({ provinceId: 330_000, cityId: 330_100 }).where('id', '=', ids.digger).execute()
    expect(await found('成都挖掘机', { provinceId: 330_000 })).toEqual([ids.digger])
    await db.updateTable('equipment').set({ provinceId: 510_000, cityId: 510_100 }).where('id', '=', ids.digger).execute()
    expect(await found('成都挖掘机', { provinceId: 510_000 })).toEqual([ids.digger])
    expect(await found('绵阳挖掘机', { provinceId: 510_000 })).toEqual([])
    expect(await found('绵阳挖掘机', { cityId: 510_100 })).toEqual([ids.digger])
  })

  test('what was understood is told part by part, with the search that is left without it', async () => {
    const { data } = await cast.visitor.call(understandSearch, { query: { keyword: '成都25吨汽车吊' } })
    expect(data).toEqual([
      { kind: 'region', text: '成都', label: '成都市', rest: '25吨 汽车吊' },
      { kind: 'size', text: '25吨', label: '25 t', rest: '成都 汽车吊' },
      { kind: 'category', text: '汽车吊', label: '汽车起重机', rest: '成都 25吨' },
    ])
  })

  test('the brand of a draft is no brand to a search until the platform has passed a machine of it', async () => {
    const kindsOf = async (keyword: string) =>
      (await cast.visitor.call(understandSearch, { query: { keyword } })).data.map(({ kind }) => kind)
    expect(await kindsOf(`${draftBrand} 汽车吊`)).toEqual(['word', 'category'])
    expect(await kindsOf('徐工 汽车吊')).toEqual(['brand', 'category'])
  })

  test('an English reader reads places, makers and categories in English, and finds machines by these names', async () => {
    const call = world.caller(null, 'en-US')
    const english = (keyword: string) => call(understandSearch, { query: { keyword } })
    expect((await english('成都徐工汽车吊')).data.map(({ label }) => label)).toEqual(['Chengdu', 'XCMG', 'Truck crane'])
    expect((await english('Chengdu XCMG truck crane')).data.map(({ label }) => label)).toEqual(['Chengdu', 'XCMG', 'Truck crane'])
    expect(await found('Chengdu XCMG truck crane')).toEqual([ids.truck25])
    expect(await found('Wuhan XCMG')).toEqual([])
  })

  test('suggestions are of every kind, with size and price, and lead to what was meant', async () => {
    const { data } = await cast.visitor.call(suggest, { query: { keyword: '25吨汽车吊' } })
    expect(data.map(({ kind, label, size, monthPrice }) => [kind, label, size, monthPrice])).toEqual([
      ['category', '汽车起重机', '25 t', null],
      ['equipment', '徐工 XCT25', '25 t', '20000.00'],
    ])
    expect(data[0]?.link).toBe('/equipment?fatherCategoryId=200&categoryId=203&spec_maxLoad_min=22.5&spec_maxLoad_max=27.5')
    const lessors = await cast.visitor.call(suggest, { query: { keyword: '恒岳' } })
    expect(lessors.data.map(({ kind }) => kind)).toEqual(['supplier'])
  })

  test('demands are found by the machines on their lines, their place and their words', async () => {
    const { id } = await world.givenDemand()
    const demands = async (keyword: string) =>
      (await cast.visitor.call(listPublicDemands, { query: { keyword } })).data.rows.map((demand) => demand.id)
    for (const keyword of ['铲车', '装载机', '成都 铲车', '5吨铲车', '渝昌高铁', '成都 渝昌高铁 铲车', '铲车出租'])
      expect([keyword, await demands(keyword)]).toEqual([keyword, [id]])
    for (const keyword of ['塔吊', '武汉 铲车', '9吨铲车', '南湖']) expect([keyword, await demands(keyword)]).toEqual([keyword, []])
    const { data } = await cast.visitor.call(suggest, { query: { keyword: '5吨铲车' } })
    expect(data.some(({ kind, link }) => kind === 'demand' && link.endsWith(`id=${id}`))).toBe(true)
  })
})

test('within a category the list is sorted by size and age, up and down', async () => {
  const sorted = (sort: string, categoryId?: number) => found('', { sort, ...(categoryId && { categoryId }) })
  expect(await sorted('sizeUp', 203)).toEqual([ids.truck25, ids.truck50])
  expect(await sorted('sizeDown', 203)).toEqual([ids.truck50, ids.truck25])
  await db.updateTable('equipment').set({ outFactoryDate: '2025-06-01' }).where('id', '=', ids.truck25).execute()
  expect(await sorted('youngest', 203)).toEqual([ids.truck25, ids.truck50])
})

test('the home page has the median rent of a standard machine once there are enough of them', async () => {
  for (let n = 1; n <= 6; n++) await givenKind(kinds.truck25, 2_500_000)
  expect(await findStandardRents(db)).toEqual([])
  await givenKind(kinds.truck25, 2_500_000)
  expect((await cast.visitor.call(listStandardRents, {})).data).toEqual([{ categoryId: 203, median: '25000.00', machines: 8 }])
})

test('the contact of a lessor is for certified people, and each look counts', async () => {
  const id = cast.lessor.companyId
  await db.updateTable('company').set({ contactName: '陈调度', contactPhone: '14400000009' }).where('id', '=', id).execute()
  const look = (who: 'project' | 'newcomer' | 'visitor', of = id) => cast[who].call(lookAtLessor, { params: { id: of } })
  expect((await look('visitor')).code).toBe(401)
  expect((await look('newcomer')).code).toBe(403)
  expect((await look('project')).data).toEqual({ contactName: '陈调度', contactPhone: '14400000009' })
  expect((await look('project', cast.lapsed.companyId)).code).toBe(404)
  // There is nothing to show, so nothing is counted.
  expect((await look('project', cast.lessor2.companyId)).msg).toBe(zhCn.refusal.no_contact)
  await db
    .insertInto('contactLook')
    .values(Array.from({ length: 49 }, () => ({ accountId: cast.project.id, companyId: id, at: world.clock.now() })))
    .execute()
  expect((await look('project')).code).toBe(429)
  expect(JSON.stringify((await cast.visitor.call(listLessors, {})).raw)).not.toContain('14400000009')
})
