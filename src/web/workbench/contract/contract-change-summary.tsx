import type { ReactNode } from 'react'
import { changedClauses } from '#shared/contract/change-terms.ts'
import type { ContractChange } from '#shared/contract/changes.ts'
import { clausesFrom } from '#shared/contract/clauses.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changesSum, openChanges, positionStatus } from '#shared/contract/rules.ts'
import { workOf } from '#shared/contract/text.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { amendmentWordsOf, type AmendmentWords } from '#shared/text/amendment-words.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { nameIn, unitFor } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { comma } from '#shared/text/punctuation.ts'
import { minute, money, number } from '../../app/format.ts'
import { Period } from '../../app/period.tsx'
import { useText } from '../../app/text.tsx'
import { bankDigits } from './bank-account.ts'
import { useAmendmentWords } from './amendment-words.ts'
import type { ChangeShown } from './contract-change-shown.ts'
import { FeeList } from './contract-parts.tsx'
import { SumChange } from './contract-sum-change.tsx'
import './contract.css'

/** What an amendment changes: day, sum, and each position, clause or account as it is and as it will be. */
export function ChangeSummary({ change, contract }: { change: ChangeShown; contract: Contract }) {
  const words = useAmendmentWords()
  return (
    <>
      <dl className="facts">
        {change.lastDay === null ? (
          <Fact label={change.kind === 'account' ? words.dated : words.from}>
            <span className="num">{change.fromDay}</span>
            {change.confirmBy && <span className="small soft block">{words.confirmBy(change.confirmBy)}</span>}
            {change.effectiveAt && <span className="small soft block">{words.holdsFrom(minute(change.effectiveAt))}</span>}
          </Fact>
        ) : (
          <Fact label={words.lastDay}>
            <span className="num">{change.lastDay}</span>
            {change.confirmBy && <span className="small soft block">{words.confirmBy(change.confirmBy)}</span>}
          </Fact>
        )}
        {change.lastDay !== null && (
          <Fact label={words.penalty}>
            <PenaltyWords {...change} />
          </Fact>
        )}
        {changesSum(change.kind) && (
          <Fact label={words.sum}>
            <SumChange {...change} />
          </Fact>
        )}
        <Fact label={words.reason} whole>
          {change.reason}
        </Fact>
      </dl>
      {change.lines.length > 0 && <LineChanges change={change} contract={contract} />}
      {change.added.length > 0 && <AddedPositions added={change.added} />}
      <ClauseChanges {...change} />
      {change.bankName !== null && <AccountChange change={change} contract={contract} />}
    </>
  )
}

/** Marks prices above the ceilings of the own organisation before they are approved or confirmed. */
export function AboveCeiling({ change }: { change: Pick<ContractChange, 'aboveCeiling'> }) {
  const text = useText()
  const amendment = useAmendmentWords()
  if (change.aboveCeiling.length === 0) return null
  return <p className="notice notice-warn">{amendment.aboveCeiling(change.aboveCeiling.join(comma(text)))}</p>
}

/** Who pays how much for an early end, or that nobody does. */
export function PenaltyWords({ penalty }: Pick<ChangeShown, 'penalty'>) {
  const { contract } = useText()
  const words = useAmendmentWords()
  return <>{penalty ? words.penaltyBy(contract.side[penalty.payer], money(penalty.amount, true)) : words.noPenalty}</>
}

/** The account that is paid now stands beside the new one while the amendment is open; later it may have changed again. */
function AccountChange({ change: { bankName, bankAccount, status }, contract }: { change: ChangeShown; contract: Contract }) {
  const words = useAmendmentWords()
  const after = (
    <>
      {bankName} <span className="bank-account">{bankDigits(bankAccount ?? '')}</span>
    </>
  )
  if (!isAmong(status, openChanges))
    return (
      <dl>
        <Fact label={words.accountNew}>{after}</Fact>
      </dl>
    )
  const before = (
    <>
      {contract.bankName} <span className="bank-account">{bankDigits(contract.bankAccount)}</span>
    </>
  )
  return <BeforeAfter status={status} before={before} after={after} />
}

function Fact({ label, whole = false, children }: { label: string; whole?: boolean; children: ReactNode }) {
  return (
    <div className={whole ? 'span-all' : undefined}>
      <dt>{label}</dt>
      <dd className="pre-line">{children}</dd>
    </div>
  )
}

/** The value of a position in words of the reader. */
function valueWords(text: Text, kind: ChangeShown['kind'], value: string): string {
  if (kind === 'extend' || kind === 'shorten') return amendmentWordsOf(text).until(value)
  if (kind === 'price') return money(value, true)
  if (kind === 'tax') return `${value}%`
  if (kind === 'quantity')
    return text.contract.position[value === positionStatus.waiting ? positionStatus.waiting : positionStatus.cancelled]
  return value
}

/** While an amendment is open its old values hold. */
const beforeLabel = (words: AmendmentWords, status: ChangeShown['status']) => (isAmong(status, openChanges) ? words.before : words.was)

function LineChanges({ change: { kind, lines, status }, contract }: { change: ChangeShown; contract: Contract }) {
  const text = useText()
  const words = useAmendmentWords()
  const unitOf = (lineNo: number) => {
    const line = contract.lines.find((one) => one.lineNo === lineNo)
    return kind === 'price' && line ? ` ${text.equipment.unit[line.rentUnit]}` : ''
  }
  const estimateOf = (lineNo: number, quantity: number | undefined) => {
    const line = contract.lines.find((one) => one.lineNo === lineNo)
    if (quantity === undefined || !line) return null
    return <span className="small soft block">{text.demand.estQuantity(number(quantity, 3), unitFor(text, quantity, line.rentUnit))}</span>
  }
  const priceOf = (lineNo: number, price: string | undefined) => {
    const line = contract.lines.find((one) => one.lineNo === lineNo)
    if (price === undefined || !line) return null
    return <span className="small soft block">{`${money(price, true)} ${text.equipment.unit[line.rentUnit]}`}</span>
  }
  const nameOf = ({ lineNo, name }: ChangeShown['lines'][number]) => {
    const line = contract.lines.find((one) => one.lineNo === lineNo)
    return (
      <>
        {lineNo}. {nameIn(text, name, line?.nameEn ?? name)} <span className="small soft num">{line?.equipmentCode}</span>
      </>
    )
  }
  return (
    <table className="table cards-on-phone row-table">
      <thead>
        <tr>
          <th>{words.position}</th>
          <th className="num right">{beforeLabel(words, status)}</th>
          <th className="num right">{words.after}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.lineNo}>
            <td className="whole">{nameOf(line)}</td>
            <td className="num right" data-label={beforeLabel(words, status)}>
              <span>
                <span className="soft">
                  {valueWords(text, kind, line.before)}
                  {unitOf(line.lineNo)}
                </span>
                {priceOf(line.lineNo, line.price?.before)}
                {estimateOf(line.lineNo, line.quantity?.before)}
              </span>
            </td>
            <td className="num right" data-label={words.after}>
              <span>
                <strong>
                  {valueWords(text, kind, line.after)}
                  {unitOf(line.lineNo)}
                </strong>
                {priceOf(line.lineNo, line.price?.after)}
                {estimateOf(line.lineNo, line.quantity?.after)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The further positions, each with all that is agreed of it: machine, days, rent and fees. */
function AddedPositions({ added }: Pick<ChangeShown, 'added'>) {
  const text = useText()
  const words = useAmendmentWords()
  const labels = text.contract.pages
  return (
    <table className="table cards-on-phone row-table">
      <thead>
        <tr>
          <th>{words.addedPosition}</th>
          <th>{labels.dates}</th>
          <th className="num right">{labels.price}</th>
          <th>{labels.fees}</th>
          <th className="num right">{labels.sum}</th>
        </tr>
      </thead>
      <tbody>
        {added.map((one) => (
          <tr key={one.lineNo}>
            <td className="whole">
              {one.lineNo}. {nameIn(text, one.name, one.nameEn)} ×{number(one.qty, 3)}{' '}
              <span className="small soft num">{one.equipmentCode}</span>
              <span className="small soft block">
                {one.includesOperator ? text.equipment.withOperator : text.equipment.bare} ·{' '}
                {text.equipment.fuelBy[one.includesFuel ? 'lessor' : 'lessee']} · {workOf(one, text)}
              </span>
            </td>
            <td data-label={labels.dates}>
              <span>
                <Period from={one.planStart} to={one.planEnd} />
                {one.minRentDays > 0 && <span className="small soft block">{labels.minDays(one.minRentDays)}</span>}
              </span>
            </td>
            <td className="num right" data-label={labels.price}>
              <span>
                {money(one.unitPrice, true)} {text.equipment.unit[one.rentUnit]}
                <span className="small soft block">{`${one.taxRate}% · ${text.demand.invoices[one.invoiceKind]}`}</span>
              </span>
            </td>
            <td data-label={labels.fees}>
              <FeeList position={one} />
            </td>
            <td className="num right" data-label={labels.sum}>
              <strong>{money(one.amount, true)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Only the clauses that differ, each with its sentence before and after. */
function ClauseChanges({ clauses, clausesBefore, status }: Pick<ChangeShown, 'clauses' | 'clausesBefore' | 'status'>) {
  const text = useText()
  const { sentences } = clauseWordsOf(text)
  if (!clauses || !clausesBefore) return null
  const [before, after] = [clausesFrom(clausesBefore), clausesFrom(clauses)]
  return (
    <ul className="stack">
      {changedClauses(before, after).map((key) => (
        <li key={key} className="stack gap-4">
          <strong>{text.contract.clause[key]}</strong>
          <BeforeAfter status={status} before={sentences[key](before)} after={sentences[key](after)} />
        </li>
      ))}
    </ul>
  )
}

/** Two texts beside each other, on a phone below each other. */
function BeforeAfter({ status, before, after }: Pick<ChangeShown, 'status'> & { before: ReactNode; after: ReactNode }) {
  const words = useAmendmentWords()
  return (
    <dl className="before-after">
      <div>
        <dt>{beforeLabel(words, status)}</dt>
        <dd className="soft pre-line">{before}</dd>
      </div>
      <div>
        <dt>{words.after}</dt>
        <dd className="pre-line">{after}</dd>
      </div>
    </dl>
  )
}
