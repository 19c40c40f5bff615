import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listPublicEquipment } from '#shared/equipment/contract.ts'
import { suggest } from '#shared/search/contract.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(world.close)

type Machine = { id: number; text: string }
const machines: Machine[] = []

// Categories by their id, makers, models and the lessors' own names for them.
const kinds = [106, 101, 201]
const makers = ['柳工', '徐工', '中联重科', 'Liebherr', '100%_']
const models = ['856H', 'XCT25', 'SY215C', 'ZTC-80']
const namesOf = (maker: string, model: string, kind: string) => [`${maker}${model}`, `${kind} ${model}`, '铲车王', `自有 ${maker} 设备`]

beforeAll(async () => {
  const categories = await db.selectFrom('category').where('id', 'in', kinds).select(['id', 'parentId', 'name', 'alias']).execute()
  let at = 0
  for (const { id: categoryId, parentId, name: kind, alias } of categories)
    for (const brand of makers)
      for (const model of models) {
        const name = namesOf(brand, model, kind)[at++ % 4] ?? kind
        const id = await world.givenMachine(cast.lessor.companyId, { categoryId, priceFen: 100_000 + ((at * 7919) % 90) * 1000 })
        const searchText = [name, brand, model, kind, ...alias].join(' ')
        await db.updateTable('equipment').set({ name, brand, model, searchText, fatherCategoryId: parentId }).where('id', '=', id).execute()
        machines.push({ id, text: searchText.toLowerCase() })
      }
})

/** A maker inside a word is a word of its own, so that 徐工XCT25 also finds the machine called 徐工 XCT25. */
const wordsOf = (search: string) =>
  makers
    .reduce((text, maker) => text.replaceAll(maker.toLowerCase(), ` ${maker.toLowerCase()} `), search.toLowerCase())
    .split(' ')
    .filter(Boolean)

const holding = (search: string) =>
  machines
    .filter(({ text }) => wordsOf(search).every((word) => text.includes(word)))
    .map(({ id }) => id)
    .toReversed()

const found = async (query: Record<string, unknown>) => {
  const { data, code } = await cast.visitor.call(listPublicEquipment, { query: { pageSize: 100, ...query } })
  expect(code).toBe(200)
  return { ids: data.rows.map(({ id }) => id), total: data.total }
}

describe('a search finds what holds the words, the newest first, and counts it', () => {
  test.each([
    '装载机',
    '装',
    '载机',
    '铲车',
    '挖掘',
    '柳',
    '柳工',
    '重科',
    'liebherr',
    'EBH',
    'x',
    '25',
    '856h',
    'xct25',
    '徐工xct25',
    '工xct',
    '铲车王',
    '车王',
    '自有',
    'ztc-80',
    '%',
    '_',
    '100%_',
    '柳工 装载机',
    '装载机 柳工',
    'sy215c 徐工 挖掘',
    '自有 设备',
    '没有的东西',
    '柳工 没有',
  ])('%s', async (name) => {
    const expected = holding(name)
    expect(await found({ name })).toEqual({ ids: expected, total: expected.length })
    // In another order, asked for exactly, or a page further on they are the same.
    expect((await found({ name, sort: 'priceUp' })).ids.toSorted()).toEqual(expected.toSorted())
    expect(await found({ name, exact: '1' })).toEqual({ ids: expected, total: expected.length })
    expect(await found({ name, pageSize: 5, pageNum: 2 })).toEqual({ ids: expected.slice(5, 10), total: expected.length })
  })
})

test('every piece of every text is found', async () => {
  const pieces = new Set(
    machines.flatMap(({ text }) =>
      text.split(' ').flatMap((word) => [1, 2, 3, 4].map((length) => word.slice(word.length % 3, (word.length % 3) + length))),
    ),
  )
  for (const name of [...pieces].filter(Boolean)) expect([name, (await found({ name })).ids]).toEqual([name, holding(name)])
})

test('other filters hold beside the words', async () => {
  const { ids } = await found({ name: '铲车', categoryId: 106, brand: '柳工', beginPrice: 1 })
  expect(ids.length).toBeGreaterThan(0)
  expect(ids).toEqual((await found({ categoryId: 106, brand: '柳工' })).ids)
  expect((await found({ name: '铲车', provinceId: 440_000 })).total).toBe(0)
})

test('a category renamed and a maker not seen before are found by their new words at once', async () => {
  await db
    .updateTable('category')
    .set({ alias: ['推土王'] })
    .where('id', '=', 201)
    .execute()
  expect((await found({ name: '推土王' })).total).toBe(20)
  const id = await world.givenMachine(cast.lessor.companyId)
  await db.updateTable('equipment').set({ brand: '新锐牌' }).where('id', '=', id).execute()
  expect((await found({ name: '锐牌' })).ids).toEqual([id])
})

test('the box that completes what is typed finds the newest', async () => {
  const { data } = await cast.visitor.call(suggest, { query: { keyword: '徐工 装载' } })
  expect(data.filter(({ kind }) => kind === 'equipment').length).toBe(4)
})
