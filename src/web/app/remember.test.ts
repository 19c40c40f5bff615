import { expect, test } from 'vitest'
import { searchWithout } from './remember.ts'

test('a filter without a field is not remembered, and neither is the page of its rows', () => {
  expect(searchWithout('?companyId=7&pageNum=2', 'companyId')).toBe('')
  expect(searchWithout('?bizType=company&bizId=7&pageNum=2', 'bizId')).toBe('?bizType=company')
  expect(searchWithout('?keyword=%E5%90%8A&pageNum=2', 'companyId')).toBe('?keyword=%E5%90%8A&pageNum=2')
})
