import { expect, test } from 'vitest'
import { colon } from './colon.ts'

test('a label ends with the colon of its language', () => {
  expect(['zh-CN', 'en-US'].map((locale) => `${colon({ locale })}|`)).toEqual(['：|', ': |'])
})
