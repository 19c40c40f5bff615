import { expect, test } from 'vitest'
import { filtersOf, refusePageBeyondEnd } from './visit.ts'

/** Where a list with so many rows in all and on its page leads to; null where it is shown. */
function goalOf(search: string, total: number, rows: number): string | null {
  try {
    refusePageBeyondEnd(new Request(`https://market.example/demand${search}`), { rows: Array.from({ length: rows }), total, pageSize: 12 })
    return null
  } catch (thrown) {
    return (thrown as Response).headers.get('location')
  }
}

test('a page beyond the end of a public list leads to its last page with the same filters', () => {
  expect(goalOf('?status=2&pageNum=9', 30, 0)).toBe('/demand?status=2&pageNum=3')
  expect(goalOf('?status=2&pageNum=3', 30, 6)).toBeNull()
  expect(goalOf('?pageNum=9', 0, 0)).toBeNull()
})

test('a city that does not lie in the chosen province is no filter, whether a form or an address brings it', () => {
  const of = (query: string) => new URLSearchParams(filtersOf(new URLSearchParams(query))).toString()
  expect(of('provinceId=330000&cityId=510100&sort=distance')).toBe('provinceId=330000&sort=distance')
  expect(of('nearProvinceId=330000&nearCityId=510100')).toBe('nearProvinceId=330000')
  for (const fitting of ['provinceId=510000&cityId=510100', 'cityId=510100', 'nearProvinceId=510000&nearCityId=510100&provinceId=330000'])
    expect(of(fitting)).toBe(fitting)
})
