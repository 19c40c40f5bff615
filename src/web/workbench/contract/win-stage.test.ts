import { expect, test } from 'vitest'
import { confirmedContracts, contractStatus } from '#shared/contract/rules.ts'
import { winStage } from './win-stage.ts'

const giveUpUntil = '2026-11-25 10:00:00'
const before = '2026-11-25 09:59:59'
const open = { giveUpUntil, acceptedAt: null, contractDue: '2026-12-10 10:00:00', contract: null }

test('a lessor is asked to accept its win only while that makes the contract earlier, then waits for the contract', () => {
  expect(winStage(open, before)).toBe('open')
  expect(winStage(open, giveUpUntil)).toBe('waiting')
  expect(winStage({ ...open, acceptedAt: '2026-11-24 10:00:00' }, before)).toBe('waiting')
  // An award from before there were contracts.
  expect(winStage({ ...open, contractDue: null }, before)).toBe('waiting')
})

test('a contract that was sent is checked, and once it was in force no step is left', () => {
  const stage = (status: (typeof contractStatus)[keyof typeof contractStatus]) =>
    winStage({ ...open, contract: { id: 1, contractCode: 'HT1', status } }, before)
  expect([contractStatus.draft, contractStatus.sent].map(stage)).toEqual(['sent', 'sent'])
  expect(new Set(confirmedContracts.map(stage))).toEqual(new Set(['confirmed']))
})
