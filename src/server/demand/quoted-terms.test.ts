import { afterAll, expect, test } from 'vitest'
import { DemandTerms } from '#shared/demand/contract.ts'
import { openWorld } from '#test/world.ts'
import { quotedTerms } from './quoted-terms.ts'

const world = await openWorld()
const { db } = world
afterAll(() => world.close())

async function rowsOf(id: number) {
  const demand = await db.selectFrom('demand').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const lines = await db.selectFrom('demandItem').where('demandId', '=', id).selectAll().execute()
  return { demand, lines, fileIds: ['a', 'b'] }
}

/** The names of a row's columns whose change changes the terms, besides those of columns the table does not have yet. */
const terms = (row: object, changedTerms: (changes: object) => boolean) =>
  [...Object.keys(row), 'newColumn'].filter((name) => changedTerms({ [name]: ['changed'] })).toSorted()

/** Terms of a demand that may change without touching a quote. */
const besideQuotes = ['projectType', 'clarifyDeadline', 'minQuotes']

test('a quote depends on the place, the duties, the terms and the payment, and on every column that is new', async () => {
  const rows = await rowsOf((await world.givenDemand()).id)
  const before = quotedTerms(rows)
  const readers = Object.keys(DemandTerms.shape).filter((name) => !besideQuotes.includes(name))
  expect(terms(rows.demand, (changes) => quotedTerms({ ...rows, demand: { ...rows.demand, ...changes } }) !== before)).toEqual(
    [...readers, 'provinceId', 'cityId', 'districtId', 'method', 'newColumn'].toSorted(),
  )
})

test('of a line everything counts but its place in the list and what follows from other columns', async () => {
  const rows = await rowsOf((await world.givenDemand()).id)
  const before = quotedTerms(rows)
  const lineWith = (changes: object) => rows.lines.map((line) => ({ ...line, ...changes }))
  expect(terms(rows.lines[0] ?? {}, (changes) => quotedTerms({ ...rows, lines: lineWith(changes) }) !== before)).toEqual(
    [
      'id',
      'categoryId',
      'specRequirements',
      'brandPreference',
      'maxAgeYears',
      'minEmission',
      'qty',
      'planStart',
      'planEnd',
      'rentUnit',
      'estQuantity',
      'shiftMode',
      'priceCeilingFen',
      'remark',
      'newColumn',
    ].toSorted(),
  )
})

test('another file counts; another order of files, lines and requirements does not', async () => {
  const { id } = await world.givenDemand({ items: [world.demandItem(), world.demandItem({ qty: 3 })] })
  const rows = await rowsOf(id)
  const requirements = [
    { key: 'capacity', rule: 'ge' as const, value: '1' },
    { key: 'reach', rule: 'ge' as const, value: '2' },
  ]
  const ordered = { ...rows, lines: rows.lines.map((line) => ({ ...line, specRequirements: requirements })) }
  const turned = {
    ...rows,
    lines: rows.lines.toReversed().map((line) => ({ ...line, specRequirements: requirements.toReversed() })),
    fileIds: rows.fileIds.toReversed(),
  }
  expect(quotedTerms(turned)).toBe(quotedTerms(ordered))
  expect(quotedTerms({ ...rows, fileIds: ['a', 'c'] })).not.toBe(quotedTerms(rows))
})
