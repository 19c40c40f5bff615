import { expect, test } from 'vitest'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { firstToEnd, noteOf, otherKindBar, reasonOf } from './certification-reason.ts'

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

test('beside an application in review the other kinds name that, and not a certification that nobody has', () => {
  const bars = (status: '0' | '1' | '2' | '4' | '5') =>
    (['rentout', 'lease'] as const).map((kind) => otherKindBar([{ kind: 'rentout', status }], kind, zhCn.certification))
  const { other, otherInReview } = zhCn.certification
  expect(bars('1')).toEqual([undefined, otherInReview])
  expect([bars('2'), bars('5')]).toEqual([
    [undefined, other],
    [undefined, other],
  ])
  expect([bars('0'), bars('4')].flat()).toEqual([undefined, undefined, undefined, undefined])
})

test('the documents that end first are named, the licence by the day in the form', () => {
  const permit = { kind: 'safetyPermit', fileId: '', name: '', mime: '', status: '1', reason: '' } as const
  const documents = [
    { ...permit, validTo: '2027-01-26' },
    { ...permit, kind: 'erectionQualification' as const, validTo: '2028-01-01' },
  ]
  expect(firstToEnd({ validTo: '2027-01-26', form: { licenseValidTo: null }, documents })).toEqual(['safetyPermit'])
  expect(firstToEnd({ validTo: '2027-01-26', form: { licenseValidTo: '2027-01-26' }, documents })).toEqual(['license', 'safetyPermit'])
  expect(firstToEnd({ validTo: '2026-12-31', form: { licenseValidTo: '2026-12-31' }, documents })).toEqual(['license'])
})
