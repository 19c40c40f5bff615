import { acceptAward } from '#shared/contract/moves.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import { getDemandForLessor, listDemandsForLessor, type OwnQuote } from '#shared/quote/contract.ts'
import { call } from '../../app/api.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { useConfirm } from '../../app/use-confirm.tsx'
import { Link } from '../../ui/link.tsx'
import { Tag } from '../../ui/parts.tsx'
import { contractTone } from '../../contract/contract-tone.ts'
import type { winStage } from './win-stage.ts'

/** What becomes of an award: the lessor accepts it, waits for the contract, and opens it. */
export function WonContract({
  quote,
  won,
  stage,
}: {
  quote: OwnQuote
  won: NonNullable<OwnQuote['won']>
  stage: ReturnType<typeof winStage>
}) {
  const text = useText()
  const words = text.contract.pages.award
  const session = useSession()
  const { confirm, dialog } = useConfirm(getDemandForLessor, listDemandsForLessor)
  if (won.contract)
    return (
      <p className="notice row between">
        <span className="row">
          <Tag tone={contractTone[won.contract.status]}>{contractStatusOf(text, { status: won.contract.status, side: 'lessor' })}</Tag>
        </span>
        <Link to={paths.contract(won.contract.id)}>{words.open(won.contract.contractCode)}</Link>
      </p>
    )
  if (won.contractDue === null) return null
  if (stage === 'waiting') return <p className="notice">{words.waitDraft}</p>
  if (!mayIn(session, 'contract:make')) return null
  return (
    <div className="notice row between">
      <span>{words.acceptHint}</span>
      <button
        type="button"
        className="button button-primary no-print"
        onClick={() =>
          confirm({
            title: words.accept,
            question: words.acceptAsk,
            harmless: true,
            run: () => call(acceptAward, { params: { id: quote.id } }),
            done: () => words.acceptDone,
          })
        }
      >
        {words.accept}
      </button>
      {dialog}
    </div>
  )
}
