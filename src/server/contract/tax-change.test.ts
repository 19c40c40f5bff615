import { afterAll, beforeEach, expect, test } from 'vitest'
import { amountText } from '#shared/amount-text.ts'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import { listContractChanges, printContractChange } from '#shared/contract/changes.ts'
import { getContractText } from '#shared/contract/contract.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, depts } = world
const { givenContract } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const fromDay = '2027-02-11'
const list = async (who: Person, id: number) => (await who.call(listContractChanges, { params: { id } })).data
const fenOf = (yuan: string | undefined) => Math.round(Number(yuan) * 100)

test('where the price without tax stays, a change of the tax rate carries the price with tax: in the amendment, its print, the text and the sum', async () => {
  const { id } = await givenContract()
  const before = await read(id)
  const [line] = before.lines
  expect([before.clauses.taxChange, line?.taxRate]).toEqual(['net', 9])
  const old = fenOf(line?.unitPrice)
  const next = Math.round((old * 106) / 109)
  // A client does not name the price.
  const terms = { kind: 'tax', lines: [{ lineId: line?.id, value: 6, unitPriceFen: 1 }] }
  const { data } = await propose(cast.lessor, id, terms, { fromDay })
  const [shown] = await list(cast.project, id)
  expect(shown?.lines).toMatchObject([{ before: '9', after: '6', price: { before: line?.unitPrice, after: (next / 100).toFixed(2) } }])
  const pages = await readPdf((await cast.project.call(printContractChange, { params: { id: data.id } })).bytes)
  const printed = pages.map(({ body }) => body).join('')
  for (const words of ['9%', '6%', amountText(old), amountText(next)]) expect(printed).toContain(words)
  expect((await confirm(cast.project, data.id)).code).toBe(200)
  const after = await read(id)
  expect(after.lines[0]).toMatchObject({
    taxRate: 6,
    unitPrice: (next / 100).toFixed(2),
    rates: [
      { taxRate: 9, unitPrice: line?.unitPrice },
      { fromDay, taxRate: 6, unitPrice: (next / 100).toFixed(2) },
    ],
  })
  // The last of three months has the new rate. Without tax, the sum stays but for the fen that are rounded.
  expect(fenOf(after.amount)).toBe(fenOf(before.amount) - old + next)
  expect([shown?.amountBefore, shown?.amountAfter]).toEqual([before.amount, after.amount])
  expect(Math.abs(fenOf(after.net) - fenOf(before.net))).toBeLessThanOrEqual(1)
  const { data: written } = await cast.project.call(getContractText, { params: { id } })
  expect(written.text).toContain(`自 ${fromDay} 起：每台单价 ¥${amountText(next)}/月（含税 6%`)
})

test('where the price with tax stays, a change of the tax rate changes the rate alone', async () => {
  const { id } = await givenContract()
  const { clauses, lines, amount } = await read(id)
  const agree = async (terms: object) => (await confirm(cast.lessor, (await propose(cast.project, id, terms)).data.id)).code
  expect(await agree({ kind: 'clause', clauses: { ...clauses, taxChange: 'gross' } })).toBe(200)
  expect(await agree({ kind: 'tax', lines: [{ lineId: lines[0]?.id, value: 6 }] })).toBe(200)
  const after = await read(id)
  expect([after.lines[0]?.taxRate, after.lines[0]?.unitPrice, after.amount]).toEqual([6, lines[0]?.unitPrice, amount])
  expect((await list(cast.project, id))[0]?.lines[0]?.price).toBeNull()
})

test('a price that a higher tax rate lifts above the ceiling of the organisation is marked for its own people', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const tax = (value: number) => ({ kind: 'tax', lines: [{ lineId: line?.id, value }] })
  expect((await confirm(cast.lessor, (await propose(cast.project, id, tax(3))).data.id)).code).toBe(200)
  const price = Number((await read(id)).lines[0]?.unitPrice) + 1
  const ceiling = { deptId: depts.root, categoryId: 106, rentUnit: 'M', price, fromDay: '2026-01-01', withOperator: true }
  expect((await cast.lessee.call(saveCeiling, { body: ceiling })).code).toBe(200)
  await propose(cast.lessor, id, tax(13))
  expect([(await list(cast.project, id))[0]?.aboveCeiling, (await list(cast.lessor, id))[0]?.aboveCeiling]).toEqual([[1], []])
})
