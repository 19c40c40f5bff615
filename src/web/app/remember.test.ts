import { expect, test } from 'vitest'
import { isNarrowed, searchWithout } from './remember.ts'

test('a filter without a field is not remembered, and neither is the page of its rows', () => {
  expect(searchWithout('?companyId=7&pageNum=2', 'companyId')).toBe('')
  expect(searchWithout('?bizType=company&bizId=7&pageNum=2', 'bizId')).toBe('?bizType=company')
  expect(searchWithout('?keyword=%E5%90%8A&pageNum=2', 'companyId')).toBe('?keyword=%E5%90%8A&pageNum=2')
})

test('a page, an order, a view or a field that was left empty is no filter, so nothing is said of it when it is restored', () => {
  for (const search of ['', '?pageNum=3', '?name=', '?sort=-net&pageSize=50', '?scope=won&dept=7', '?by=unit'])
    expect(isNarrowed(search)).toBe(false)
  for (const search of ['?name=%E5%90%8A', '?name=&todo=judge', '?by=unit&from=2026-11-01', '?tab=2']) expect(isNarrowed(search)).toBe(true)
})
