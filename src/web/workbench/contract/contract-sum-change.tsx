import { yuanOf } from '#shared/amount-text.ts'
import { amountUnder } from '#shared/contract/change-terms.ts'
import type { ChangeTerms, ContractChange } from '#shared/contract/changes.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { changesSum } from '#shared/contract/rules.ts'
import { money } from '../../app/format.ts'
import { useAmendmentWords } from './amendment-words.ts'
import { lineOfPosition } from './contract-line.ts'

type Amounts = Pick<ContractChange, 'amountBefore' | 'amountAfter'>

/** The contract sum before and under terms that hold from a day on, in yuan. */
export function amountsOf({ lines, amount }: Contract, terms: ChangeTerms | null, fromDay: string): Amounts {
  if (!terms || !changesSum(terms.kind)) return { amountBefore: amount, amountAfter: amount }
  return { amountBefore: amount, amountAfter: yuanOf(amountUnder(lines.map(lineOfPosition), terms, fromDay).amountFen) }
}

/** The sum as it is and as it will be, with the difference. */
export function SumChange({ amountBefore, amountAfter }: Amounts) {
  const words = useAmendmentWords()
  const difference = Number(amountAfter) - Number(amountBefore)
  if (difference === 0)
    return (
      <>
        <span className="num">{money(amountBefore, true)}</span> <span className="small soft">{words.sumSame}</span>
      </>
    )
  const size = money(Math.abs(difference), true)
  return (
    <>
      <span className="num soft">{money(amountBefore, true)}</span> → <strong className="num">{money(amountAfter, true)}</strong>
      <span className="small soft block num">{difference > 0 ? words.sumMore(size) : words.sumLess(size)}</span>
    </>
  )
}
