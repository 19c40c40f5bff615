import { Fragment } from 'react'
import { useSearchParams } from 'react-router'
import { dayOf } from '#shared/calendar.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { canChange, changeKinds } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { withParam } from '../app/list-settings.ts'
import { mayIn, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Head } from '../ui/parts.tsx'
import { useAmendmentWords } from './contract/amendment-words.ts'
import { titleOf, versionOf } from './contract/contract-change-form.ts'
import { ChangeEditor } from './contract/contract-change-editor.tsx'
import { LockedChange } from './contract/contract-change-locked.tsx'
import { ContractNow } from './contract/contract-now.tsx'
import { standingOf } from './contract/contract-standing.ts'
import { FormOfVersion } from './contract/form-of-version.tsx'
import './contract/contract.css'

/** Proposes an amendment. The address names its kind; without one the page asks for it. */
export default function ContractChangePage() {
  const [params] = useSearchParams()
  return <ContractNow>{(contract) => <ChangeOf contract={contract} wanted={params.get('kind')} />}</ContractNow>
}

function ChangeOf({ contract, wanted }: { contract: Contract; wanted: string | null }) {
  const makes = mayIn(useSession(), 'contract:make')
  // A link to the form of an extension outlives the certification.
  if (!contract.may.includes('change') || (wanted === 'extend' && !makes)) return <LockedChange contract={contract} />
  const kind = kindsFor(contract, makes).find((one) => one === wanted)
  if (!kind) return <KindChoice contract={contract} />
  const proposal = { contract, kind }
  return (
    <FormOfVersion key={`${contract.id} ${kind}`} version={versionOf(proposal)}>
      <ChangeEditor {...proposal} />
    </FormOfVersion>
  )
}

/** What this side may amend now; `makes`: they are certified, so they may agree on more hire. */
const kindsFor = (contract: Contract, makes: boolean) =>
  changeKinds.filter(
    (kind) =>
      contract.side !== null && (makes || kind !== 'extend') && canChange(standingOf(contract), kind, contract.side, dayOf(new Date())),
  )

function KindChoice({ contract }: { contract: Contract }) {
  const text = useText()
  const [params] = useSearchParams()
  const words = text.contract
  const amendment = useAmendmentWords()
  const site = useSiteName()
  const makes = mayIn(useSession(), 'contract:make')
  return (
    <div className="stack">
      <Head title={words.action.change} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.contracts()}>{words.title}</Link> / <Link to={paths.contract(contract.id)}>{contract.contractCode}</Link>
      </nav>
      <header>
        <h1>{words.action.change}</h1>
        <p className="soft">{contract.title}</p>
      </header>
      <section className="stack">
        <h2>{amendment.choose}</h2>
        <ul className="kind-choice">
          {kindsFor(contract, makes).map((kind) => (
            <Fragment key={kind}>
              {kind === 'quantity' && makes && (
                <li className="panel">
                  <Link to={paths.addPositions(contract.id)}>{amendment.add}</Link>
                  <p className="small soft">{amendment.addHint}</p>
                </li>
              )}
              <li className="panel">
                <Link to={withParam(params, 'kind', kind)}>{titleOf(kind, text)}</Link>
                <p className="small soft">{amendment.hint[kind]}</p>
              </li>
            </Fragment>
          ))}
        </ul>
        <p className="soft">
          {amendment.persons} <Link to={paths.contract(contract.id, 'people')}>{words.action.persons}</Link>
        </p>
      </section>
    </div>
  )
}
