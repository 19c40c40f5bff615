import { dayOf } from '#shared/calendar.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { contractStatus, endedContracts, endsOf, positionStatus } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { colon } from '../../app/colon.ts'
import { minute } from '../../app/format.ts'
import { mayIn, useSession } from '../../app/session.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { nextStep, openComment } from './contract-status.ts'

/** What comes next, the comments that the lessor returned a draft with, and what is unlawful or unusual. */
export function ContractNotices({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  const step = nextStep(contract)
  const odd = contract.lines.filter(({ oddTaxRate, status }) => oddTaxRate && status !== positionStatus.cancelled)
  return (
    <>
      {step && (
        <p className="notice" role="status">
          {pages.next[step]}
          {step === 'rejected' && ` ${contract.events.find(({ move }) => move === 'reject')?.note ?? ''}`}
          {contract.openChange?.kind && (
            <>
              {' '}
              <Link to={paths.contract(contract.id, 'changes')} preventScrollReset>
                {words.changeKind[contract.openChange.kind]} <span className="num">{contract.openChange.changeCode}</span>
              </Link>
            </>
          )}
        </p>
      )}
      <HireEnds contract={contract} />
      {contract.lapseBlame !== null && <p className="notice notice-warn">{pages.lapsed(words.blame[contract.lapseBlame])}</p>}
      <ReturnComment contract={contract} />
      <UnlawfulClauses contract={contract} />
      {!isAmong(contract.status, endedContracts) && (contract.marks.length > 0 || odd.length > 0 || contract.scaleMarks.length > 0) && (
        <div className="notice">
          <p>{pages.marks}</p>
          <ul>
            {contract.marks.map(({ key, mark }) => (
              <li key={`${key}-${mark}`}>
                {words.clause[key]}
                {colon(text)}
                {words.mark[mark]}
              </li>
            ))}
            {contract.scaleMarks.map(({ side, declared, certified }) => (
              <li key={side}>{pages.scaleMark(words.side[side], words.scale[declared], words.scale[certified])}</li>
            ))}
            {odd.map(({ lineNo }) => (
              <li key={lineNo}>
                {pages.direct.line(lineNo)}
                {colon(text)}
                {text.quote.form.oddTax}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** That a hire is over or ends soon, with the way to extend it for whoever may propose that: only who is certified agrees on more hire. */
function HireEnds({ contract }: { contract: Contract }) {
  const { pages } = useText().contract
  const makes = mayIn(useSession(), 'contract:make')
  const { over, soon } = contract.side === null ? {} : endsOf(contract, dayOf(new Date()))
  if (over === undefined && soon === undefined) return null
  return (
    <div className="notice notice-warn row between">
      <div>
        {over !== undefined && <p>{pages.ended(over)}</p>}
        {soon !== undefined && <p>{pages.endsSoon(soon)}</p>}
      </div>
      {makes && contract.may.includes('change') && (
        <Link className="button button-small" to={`${paths.changeContract(contract.id)}&kind=extend`}>
          {pages.extend}
        </Link>
      )}
    </div>
  )
}

/** What the lessor wrote when it last returned the draft. */
export function ReturnComment({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  const comment = openComment(contract)
  if (!comment) return null
  return (
    <div className="notice notice-warn">
      <p>
        <strong>{words.pages.comment(minute(comment.at))}</strong> {comment.comment}
      </p>
      {comment.clauses.length > 0 && (
        <ul>
          {comment.clauses.map((one, index) => (
            <li key={`${one.key}-${index}`}>
              {words.clause[one.key]}
              {colon(text)}
              {one.comment}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What keeps the contract from being sent or confirmed, each with the article it breaks. */
export function UnlawfulClauses({ contract: { problems, status } }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  if (problems.length === 0) return null
  return (
    <div className="notice notice-warn" role="alert">
      <p>
        <strong>{status === contractStatus.sent ? words.pages.unlawfulSent : words.pages.unlawful}</strong>
      </p>
      <ul>
        {problems.map(({ key, rule }) => (
          <li key={`${key}-${rule}`}>
            {{ ...words.clause, ...words.pages.form }[key]}
            {colon(text)}
            {{ ...words.rule, ...words.scaleRule }[rule]}
          </li>
        ))}
      </ul>
    </div>
  )
}
