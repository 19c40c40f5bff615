import { afterAll, expect, test } from 'vitest'
import * as contract from '#shared/equipment/import.ts'
import { deleteEquipment, getOwnEquipment } from '#shared/equipment/own.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db } = world
afterAll(() => world.close())

const good = {
  category: '轮式装载机',
  brand: '柳工',
  model: '856H',
  outFactoryDate: '2022-03-05',
  province: '四川省',
  city: '成都市',
  priceM: '16000',
  'spec.ratedLoad.t': '5',
}

/** An import of these rows, as its workbook has been received. */
async function givenImport(rows: Record<string, string>[]): Promise<number> {
  const { companyId, id: accountId } = cast.lessor
  const { id } = await db
    .insertInto('equipmentImport')
    .values({ companyId, accountId, fatherCategoryId: 100, fileName: 'a.xlsx', createTime: monday })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('equipmentImportRow')
    .values(rows.map((cells, at) => ({ importId: id, rowNo: at + 3, cells: JSON.stringify(cells) })))
    .execute()
  return id
}
const rowsOf = async (id: number) => (await cast.lessor.call(contract.getImport, { params: { id } })).data.rows
const accept = async (id: number) => (await cast.lessor.call(contract.acceptImport, { params: { id } })).data.added
const addedOf = async (id: number) =>
  (await cast.lessor.call(contract.listImports, { query: {} })).data.rows.find((one) => one.id === id)?.added

test('a row whose machine was deleted waits again, is corrected and comes in anew', async () => {
  const id = await givenImport([good, { ...good, category: '滑移装载机', 'spec.ratedLoad.kg': '1050' }])
  expect([await accept(id), await addedOf(id)]).toEqual([2, 2])
  const [first, wrong] = await rowsOf(id)
  await cast.lessor.call(deleteEquipment, { params: { id: wrong?.equipmentId ?? 0 } })
  expect((await rowsOf(id)).map(({ equipmentId }) => equipmentId)).toEqual([first?.equipmentId, null])
  expect(await addedOf(id)).toBe(1)
  const rows = [
    { rowNo: 3, cells: { model: '862H' } },
    { rowNo: 4, cells: { category: '轮式装载机', model: '862H' } },
  ]
  const repaired = await cast.lessor.call(contract.repairImport, { params: { id }, body: { rows } })
  expect(repaired.data.rows.map(({ cells, problems }) => [cells.model, problems])).toEqual([
    ['856H', []],
    ['862H', []],
  ])
  expect([await accept(id), await addedOf(id)]).toEqual([1, 2])
  const again = (await rowsOf(id))[1]?.equipmentId ?? 0
  expect(again).not.toBe(wrong?.equipmentId)
  expect((await cast.lessor.call(getOwnEquipment, { params: { id: again } })).data.name).toContain('862H')
})

test('after an undo no row has a machine', async () => {
  const id = await givenImport([{ ...good, factoryNo: 'UNDO-1' }])
  await accept(id)
  await cast.lessor.call(contract.undoImport, { params: { id } })
  expect((await rowsOf(id)).map(({ equipmentId, problems }) => [equipmentId, problems])).toEqual([[null, []]])
  expect(await addedOf(id)).toBe(0)
})

test('a brand that begins with a known one is another spelling only with the end of a company name', async () => {
  await world.givenMachine(cast.lessor.companyId)
  const brands = ['柳工', '柳工集团', '柳工 机械股份有限公司', '柳工山推', '山推柳工', '新柳工集团']
  const id = await givenImport(brands.map((brand) => ({ ...good, brand })))
  expect((await rowsOf(id)).map(({ problems }) => problems.map(({ column, proposal }) => [column, proposal]))).toEqual([
    [],
    [['brand', '柳工']],
    [['brand', '柳工']],
    [],
    [],
    [],
  ])
})

test('a rent that is to be agreed comes in by the word of the catalogue, in either language', async () => {
  const id = await givenImport([
    { ...good, priceM: '面议' },
    { ...good, priceM: '', priceD: 'On request' },
    { ...good, priceM: '' },
    { ...good, priceM: '电联' },
  ])
  const rows = await rowsOf(id)
  expect(rows.map(({ problems }) => problems.map(({ message }) => message))).toEqual([
    [],
    [],
    [zhCn.rule.codes.import_price],
    [zhCn.rule.codes.import_number],
  ])
  expect(await accept(id)).toBe(2)
  const prices = []
  for (const { equipmentId } of await rowsOf(id))
    if (equipmentId) prices.push((await cast.lessor.call(getOwnEquipment, { params: { id: equipmentId } })).data.prices)
  expect(prices).toMatchObject([[{ rentUnit: 'M', price: null }], [{ rentUnit: 'D', price: null }]])
})
