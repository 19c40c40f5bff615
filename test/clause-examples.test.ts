import { expect, test } from 'vitest'
import { clauseKeys, ClausesInput, ClausesOut, clausesOut, defaultClauses, type ClauseKey } from '#shared/contract/clauses.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { paymentClauses } from './payment-clauses.ts'
import { rentClauses, type ClauseExample } from './rent-clauses.ts'

const examplesOf: Record<ClauseKey, readonly ClauseExample[]> = { ...rentClauses, ...paymentClauses }
const clauses = defaultClauses({ buildingLifting: false, rentUnits: ['M'], payment: { ratio: 70, days: 30 } })

test.each(clauseKeys)('%s is written in the contract as its examples say, in both languages', (key) => {
  const examples = examplesOf[key]
  expect(examples.length).toBeGreaterThan(1)
  for (const { values, zh, en: english } of examples) {
    const standing = { ...clauses, ...values }
    // An example is a value that the clause takes.
    expect(ClausesInput.parse(ClausesOut.parse(clausesOut(standing)))).toEqual(standing)
    expect([zhCn, en].map((text) => clauseWordsOf(text).sentences[key](standing))).toEqual([zh, english])
  }
})
