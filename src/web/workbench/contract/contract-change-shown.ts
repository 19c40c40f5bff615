import { yuanOf } from '#shared/amount-text.ts'
import { lineAmountFen } from '#shared/contract/amount.ts'
import { linesShown, valuesBefore } from '#shared/contract/change-lines.ts'
import { addedOf, changedQuantities } from '#shared/contract/change-terms.ts'
import type { ChangeTerms, ContractChange } from '#shared/contract/changes.ts'
import { clausesOut } from '#shared/contract/clauses.ts'
import type { Contract } from '#shared/contract/contract.ts'
import type { DirectMachine } from '#shared/contract/direct.ts'
import { changeStatus, confirmBy } from '#shared/contract/rules.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { pricedLine, withPrices } from '#shared/quote/prices.ts'
import { completedFor, lineOfPosition, nextLineNo } from './contract-line.ts'
import { amountsOf } from './contract-sum-change.tsx'

/** What an amendment says, whether it is being written or was sent. */
export type ChangeShown = Pick<
  ContractChange,
  | 'kind'
  | 'status'
  | 'fromDay'
  | 'reason'
  | 'effectiveAt'
  | 'confirmBy'
  | 'lines'
  | 'added'
  | 'clauses'
  | 'clausesBefore'
  | 'bankName'
  | 'bankAccount'
  | 'lastDay'
  | 'penalty'
  | 'amountBefore'
  | 'amountAfter'
>

/** Further positions as they are shown, with the names of their machines. */
function addedShown(contract: Contract, terms: ChangeTerms, machines: readonly DirectMachine[]): ChangeShown['added'] {
  const first = nextLineNo(contract)
  return addedOf(terms).map((position, index) => {
    const machine = machines.find(({ id }) => id === position.equipmentId)
    return {
      ...withPrices(position, yuanOf),
      lineNo: first + index,
      name: machine?.name ?? '',
      nameEn: machine ? machineNameEn(machine) : '',
      equipmentCode: machine?.equipmentCode ?? '',
      amount: yuanOf(lineAmountFen(pricedLine(position))),
    }
  })
}

type Written = { fromDay: string; reason: string; terms: ChangeTerms }

/** An amendment that is being written, as the other side will see it; `machines` are those that further positions are chosen from. */
export function shownOf(contract: Contract, input: Written, machines: readonly DirectMachine[] = []): ChangeShown {
  const { fromDay, reason } = input
  const terms = completedFor(contract, input.terms)
  const positions = contract.lines.map(lineOfPosition)
  const before = valuesBefore(positions, terms)
  const lines = linesShown(contract.lines, { terms, before, quantities: changedQuantities(positions, terms, fromDay) })
  return {
    kind: terms.kind,
    status: changeStatus.draft,
    fromDay,
    reason,
    effectiveAt: null,
    lines: lines.map(({ price, ...line }) => ({
      ...line,
      price: price && { before: yuanOf(price.before), after: yuanOf(price.after) },
    })),
    added: addedShown(contract, terms, machines),
    clauses: terms.kind === 'clause' ? wire(clausesOut(terms.clauses)) : null,
    clausesBefore: terms.kind === 'clause' ? contract.clauses : null,
    bankName: terms.kind === 'account' ? terms.bankName : null,
    bankAccount: terms.kind === 'account' ? terms.bankAccount : null,
    lastDay: terms.kind === 'terminate' ? terms.lastDay : null,
    penalty: terms.kind === 'terminate' && terms.penalty ? { ...terms.penalty, amount: yuanOf(terms.penalty.amount) } : null,
    confirmBy: confirmBy(terms.kind, fromDay),
    ...amountsOf(contract, terms, fromDay),
  }
}

/** The clauses as an answer writes them, money in yuan. */
const wire = ({ fuelPrice, deposit, ...rest }: ReturnType<typeof clausesOut>): Contract['clauses'] => ({
  ...rest,
  fuelPrice: fuelPrice === null ? null : yuanOf(fuelPrice),
  deposit: yuanOf(deposit),
})
