import { afterAll, expect, test } from 'vitest'
import * as contract from '#shared/saved-view/contract.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast } = world
afterAll(() => world.close())

const save = (name: string, more: object = {}, by = cast.project) =>
  by.call(contract.saveView, { body: { list: 'ownDemand', name, query: 'status=4&sort=-net&pageNum=3', hidden: ['lines'], ...more } })
const views = async (list = 'ownDemand', by = cast.project) => (await by.call(contract.listViews, { query: { list } })).data

test('a view has its filters, sorting and columns, without the page; one of the same name takes its place', async () => {
  const { code, data } = await save('待我定标')
  expect(code).toBe(200)
  expect(await views()).toEqual([{ id: data.id, name: '待我定标', query: 'status=4&sort=-net', hidden: ['lines'] }])
  expect((await save('待我定标', { query: 'status=3', hidden: [] })).data.id).toBe(data.id)
  expect(await views()).toEqual([{ id: data.id, name: '待我定标', query: 'status=3', hidden: [] }])
  expect(await views('ownEquipment')).toEqual([])
  expect(await views('ownDemand', cast.otherProject)).toEqual([])
  expect((await cast.project.call(contract.deleteView, { params: { id: data.id } })).code).toBe(200)
  expect((await cast.project.call(contract.deleteView, { params: { id: data.id } })).code).toBe(404)
})

test('of thirty views that are saved at once a list keeps twenty', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => save(`视图${n}`, {}, cast.lessor)))
  expect(answers.filter(({ code }) => code === 200)).toHaveLength(20)
  const refused = answers.filter(({ code }) => code === 429)
  expect(refused).toHaveLength(10)
  expect(refused[0]?.msg).toBe('这个列表已有 20 个视图，达到上限；请先在“视图”中用 × 删除一个')
  expect((await save('另一份', { list: 'ownEquipment' }, cast.lessor)).code).toBe(200)
})

test.each([{ name: '' }, { name: '长'.repeat(41) }, { list: 'nothing' }, { query: 'x'.repeat(601) }])('bad input: %o', async (change) =>
  expect((await save('视图', change)).code).toBe(422),
)

test('a visitor has no views', async () =>
  expect((await cast.visitor.call(contract.listViews, { query: { list: 'draft' } })).code).toBe(401))
