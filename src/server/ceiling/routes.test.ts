import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteCeiling, listCeilings, lookUpCeilings, saveCeiling } from '#shared/ceiling/contract.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { amendDemand } from '#shared/demand/moves.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, depts } = world
afterAll(() => world.close())
beforeEach(() => db.deleteFrom('priceCeiling').execute())

describe('[S2.24][S7.6] the list of ceilings', () => {
  const ceiling = (changes: Record<string, unknown> = {}) => ({
    deptId: depts.root,
    categoryId: 106,
    price: 18_000,
    fromDay: '2026-01-01',
    ...changes,
  })
  const save = async (changes: Record<string, unknown> = {}) => {
    const { data, msg } = await cast.lessee.call(saveCeiling, { body: ceiling(changes) })
    if (!data?.id) throw new Error(msg)
    return data.id
  }
  const lookUp = async (changes: Record<string, unknown> = {}, item: Record<string, unknown> = {}) =>
    (
      await cast.project.call(lookUpCeilings, {
        body: {
          deptId: depts.projectDept,
          provinceId: 510_000,
          operatorBy: 'lessor',
          fuelBy: 'lessee',
          items: [
            { categoryId: 106, mainValue: 5, rentUnit: 'M', shiftMode: 'single', planStart: '2026-12-13', planEnd: '2027-03-13', ...item },
          ],
          ...changes,
        },
      })
    ).data[0]

  test('the nearest unit, then the province, then the narrowest band decides; every dimension counts', async () => {
    await save()
    expect(await lookUp()).toBe('18000.00')
    await save({ provinceId: 510_000, price: 17_000 })
    expect(await lookUp()).toBe('17000.00')
    expect(await lookUp({ provinceId: 420_000 })).toBe('18000.00')
    await save({ provinceId: 510_000, mainMin: 4, mainMax: 6, price: 16_500 })
    expect(await lookUp()).toBe('16500.00')
    expect(await lookUp({}, { mainValue: 8 })).toBe('17000.00')
    await save({ deptId: depts.unit, price: 15_000 })
    expect(await lookUp()).toBe('15000.00')
    for (const [where, item] of [
      [{ fuelBy: 'lessor' }, {}],
      [{ operatorBy: 'lessee' }, {}],
      [{}, { shiftMode: 'double' }],
      [{}, { rentUnit: 'S' }],
      [{}, { planEnd: '2027-12-13' }],
      [{}, { categoryId: 101 }],
      [{}, { planStart: '2025-12-01', planEnd: '2026-01-01' }],
    ])
      expect(await lookUp(where, item)).toBeNull()
  })

  test('publishing takes it over where the line has none of its own', async () => {
    await save()
    const items = [world.demandItem(), world.demandItem({ priceCeiling: 12_000 }), world.demandItem({ rentUnit: 'D' })]
    const { data } = await cast.project.call(publishDemand, { body: world.demandBody({ items }) })
    const demand = (await cast.project.call(getOwnDemand, { params: { id: data.id } })).data
    expect(demand.items.map(({ id }) => demand.ceilings[String(id)] ?? null)).toEqual(['18000.00', '12000.00', null])
  })

  test('an amendment takes it over as well, so leaving it out does not drop it; a corrected phone number brings no new one', async () => {
    await save()
    const own = async (id: number) => (await cast.project.call(getOwnDemand, { params: { id } })).data
    const amend = async (id: number, changes: Record<string, unknown>, lines: Record<string, unknown> = {}) => {
      const { version, items } = await own(id)
      const body = world.demandBody({ ...changes, changeReason: '范围调整', items: [world.demandItem({ id: items[0]?.id, ...lines })] })
      expect((await cast.project.call(amendDemand, { body: { ...body, id, version } })).code).toBe(200)
      const { revision, ceilings } = await own(id)
      return [revision, ...Object.values(ceilings)]
    }
    const { id } = await world.givenDemand()
    // Without a ceiling of its own the line has the one of the list again, so nothing has changed for a quote.
    expect(await amend(id, {}, { priceCeiling: null })).toEqual([1, '18000.00'])
    expect(await amend(id, {}, { qty: 3 })).toEqual([2, '18000.00'])
    expect(await amend(id, {}, { qty: 3, priceCeiling: 12_000 })).toEqual([3, '12000.00'])

    await db.deleteFrom('priceCeiling').execute()
    const { id: earlier } = await world.givenDemand()
    await save()
    expect(await amend(earlier, { contactPhone: '14400000009' })).toEqual([1])
    expect(await amend(earlier, { terms: '须配备随车工具' })).toEqual([2, '18000.00'])
  })

  test('kept by administrators of the unit; projects read it, strangers do not', async () => {
    const id = await save()
    expect((await cast.project.call(listCeilings, { query: {} })).data.rows.map((row) => [row.id, row.mine])).toEqual([[id, false]])
    expect((await cast.stranger.call(listCeilings, { query: {} })).data.total).toBe(0)
    expect((await cast.project.call(saveCeiling, { body: ceiling() })).code).toBe(403)
    expect(refusedFields((await cast.lessee.call(saveCeiling, { body: ceiling({ deptId: depts.strangerDept }) })).data)).toEqual(['deptId'])
    expect(refusedFields((await cast.lessee.call(saveCeiling, { body: ceiling({ mainMin: 5, mainMax: 4 }) })).data)).toEqual(['mainMax'])
    const both = await Promise.all(
      [1, 2].map((price) => cast.lessee.call(saveCeiling, { body: { ...ceiling({ price }), id, version: 1 } })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
    // Nobody moves a ceiling of others to their own unit.
    const taken = { body: { ...ceiling({ deptId: depts.strangerDept }), id, version: 1 } }
    expect((await cast.strangerAdmin.call(saveCeiling, taken)).code).toBe(404)
    expect((await cast.lessee.call(deleteCeiling, { params: { id } })).code).toBe(200)
  })
})
