import { expect, test } from 'vitest'
import { filtersBesides } from './list-settings.ts'

test('the rows of tabs are counted under every filter but that of the tabs, and without page and order', () => {
  const params = new URLSearchParams('status=4&deptId=7&open=1&projectName=&pageNum=3&pageSize=20&sort=-net')
  expect(filtersBesides('status', params)).toEqual({ deptId: '7', open: '1' })
})
