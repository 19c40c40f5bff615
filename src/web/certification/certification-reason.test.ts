import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { noteOf, reasonOf } from './certification-reason.ts'

const event = (action: string, note = '') => ({ action, note, at: '2026-11-23 10:00:00' })

test('a certification that ended by a move says so in the language of whoever reads it', () => {
  const events = [event('pass'), event('leave', 'Unit 3')]
  expect(reasonOf({ events, reason: '' }, en.certification)).toBe('Moved to Unit 3, no longer of this project department')
  expect(reasonOf({ events, reason: '' }, zhCn.certification)).toBe('调往Unit 3，不再属于该项目部')
})

test('what a reviewer wrote is read as they wrote it', () => {
  const revoked = event('revoke', '证照系伪造')
  expect(noteOf(revoked, en.certification)).toBe('证照系伪造')
  expect(reasonOf({ events: [revoked], reason: '证照系伪造' }, en.certification)).toBe('证照系伪造')
})
