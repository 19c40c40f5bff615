import type { Contract } from '#shared/contract/contract.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useNextPage } from '../../app/use-next-page.ts'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAmendmentWords } from './amendment-words.ts'
import { refreshContracts } from './contract-calls.ts'

/** The head of a page on which an amendment is written: the way back, the contract, and what the amendment does. */
export function ChangeHead({ contract, title, hint }: { contract: Contract; title: string; hint: string }) {
  const text = useText()
  return (
    <>
      <Head title={title} site={useSiteName()} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.contracts()}>{text.contract.title}</Link> / <Link to={paths.contract(contract.id)}>{contract.contractCode}</Link> /{' '}
        <Link to={paths.changeContract(contract.id)}>{text.contract.action.change}</Link>
      </nav>
      <header>
        <h1>{title}</h1>
        <p className="small soft">
          {contract.title} · {contract.lessor.companyName}
        </p>
        <p className="mt-8">{hint}</p>
      </header>
    </>
  )
}

/** Leads to the amendments of the contract once one was sent. */
export function useLeaveSent({ id }: Contract): (sent: { waits: boolean }) => Promise<void> {
  const words = useAmendmentWords()
  const goOn = useNextPage()
  return async ({ waits }) => {
    toast('success', waits ? words.sentToUnit : words.sent)
    // The page of the contract first: that of the amendment is locked as soon as it hears of it.
    await goOn(paths.contract(id, 'changes'))
    await refreshContracts()
  }
}
