import { expect, test } from 'vitest'
import { refuseEmptyFilters } from './reference.ts'

/** Where the server sends the address of a list; null where it shows it. */
function goalOf(search: string): string | null {
  try {
    refuseEmptyFilters(new Request(`https://market.example/equipment${search}`))
    return null
  } catch (thrown) {
    return (thrown as Response).headers.get('location')
  }
}

test('a form that is sent without a script leads to the address of its filters: without empty ones and without a city of another province', () => {
  expect(goalOf('?name=&provinceId=330000&cityId=')).toBe('/equipment?provinceId=330000')
  expect(goalOf('?provinceId=330000&cityId=510100')).toBe('/equipment?provinceId=330000')
  expect(goalOf('?name=')).toBe('/equipment')
  expect(goalOf('?provinceId=510000&cityId=510100')).toBeNull()
})
