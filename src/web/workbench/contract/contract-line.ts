import { fenOf } from '#shared/amount-text.ts'
import { completedTerms, type ChangeLine, type termProblems } from '#shared/contract/change-terms.ts'
import type { ChangeTerms } from '#shared/contract/changes.ts'
import { clausesFrom } from '#shared/contract/clauses.ts'
import type { Contract, Position } from '#shared/contract/contract.ts'
import { pricedLine, withPrices } from '#shared/quote/prices.ts'

/** A position of the wire as the rules of amendments read it. */
export const lineOfPosition = (position: Position): ChangeLine => ({
  ...pricedLine(withPrices(position, fenOf)),
  rates: position.rates.map(({ unitPrice, ...rate }) => ({ ...rate, unitPriceFen: fenOf(unitPrice) })),
})

/** The terms that somebody writes, as the clauses of the contract complete them. */
export const completedFor = ({ lines, clauses }: Pick<Contract, 'lines' | 'clauses'>, terms: ChangeTerms): ChangeTerms =>
  completedTerms(terms, { lines: lines.map(lineOfPosition), clauses })

/** The contract as the rules read it of terms that hold from a day on. */
export const termFacts = (
  { lines, clauses, since }: Pick<Contract, 'lines' | 'clauses' | 'since'>,
  { fromDay, today }: { fromDay: string; today: string },
): Parameters<typeof termProblems>[1] => ({ fromDay, lines: lines.map(lineOfPosition), clauses: clausesFrom(clauses), today, since })

/** The number of the position that would be added next. */
export const nextLineNo = ({ lines }: Contract): number => Math.max(0, ...lines.map(({ lineNo }) => lineNo)) + 1
