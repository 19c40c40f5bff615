import { expect, test } from 'vitest'
import { creditCodeCheck, districtOfCreditCode } from './rules.ts'

const codeOf = (body: string) => body + (creditCodeCheck(body) ?? '')

test('a credit code names the district where its company is registered', () => {
  expect(districtOfCreditCode(codeOf('91510107DEM000417'))).toBe(510_107)
  expect(districtOfCreditCode(codeOf('91310115MA1K3A2B4'))).toBe(310_115)
})

test('a wrong code, and one whose office has no district, name none', () => {
  const code = codeOf('91510107DEM000417')
  expect(districtOfCreditCode(code.slice(0, 17))).toBeNull()
  expect(districtOfCreditCode(`${code.slice(0, 17)}${code.endsWith('0') ? '1' : '0'}`)).toBeNull()
  expect(districtOfCreditCode(codeOf('91A10107DEM000417'))).toBeNull()
})
