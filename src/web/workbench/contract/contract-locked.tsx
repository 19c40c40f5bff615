import type { Contract } from '#shared/contract/contract.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Head } from '../../ui/parts.tsx'

/** What a page that edits a draft shows where the contract is none, or this person may not edit it. */
export function LockedDraft({ contract, title }: { contract: Contract; title: string }) {
  const text = useText()
  const words = text.contract.pages.form
  const site = useSiteName()
  return (
    <>
      <Head title={title} site={site} index={false} />
      <Empty
        heading
        title={words.locked}
        hint={`${contract.title} · ${contractStatusOf(text, contract)}`}
        action={
          <Link className="button button-primary" to={paths.contract(contract.id)}>
            {words.open}
          </Link>
        }
      />
    </>
  )
}

/** Says that somebody else has changed the draft, with the way to it as it is now. */
export function OvertakenDraft({ to }: { to: string }) {
  const words = useText().contract.pages.form
  return (
    <div className="notice notice-warn row between" role="alert">
      {words.changed}
      <a className="button button-small" href={to} target="_blank" rel="noreferrer">
        {words.changedOpen}
      </a>
    </div>
  )
}
