import type { Contract } from '#shared/contract/contract.ts'
import { amendedContracts } from '#shared/contract/rules.ts'
import { contractStatusOf } from '#shared/contract/status-text.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Head } from '../../ui/parts.tsx'
import { useAmendmentWords } from './amendment-words.ts'

/** An amendment waits for an answer, the contract is not in force, or the reader may not propose what they asked for. */
export function LockedChange({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract
  const amendment = useAmendmentWords()
  const site = useSiteName()
  const { openChange, status } = contract
  return (
    <>
      <Head title={words.action.change} site={site} index={false} />
      <Empty
        heading
        title={amendment.locked}
        hint={
          openChange?.hindrances.includes('contractOver')
            ? amendment.contractOver
            : openChange
              ? openChange.changeCode === null
                ? words.pages.next.waitLessee
                : amendment.lockedOpen(openChange.changeCode)
              : isAmong(status, amendedContracts)
                ? contract.side !== null && !contract.signs
                  ? amendment.lockedSigner
                  : contract.may.includes('change')
                    ? amendment.lockedUncertified
                    : amendment.lockedReader
                : amendment.lockedState(contractStatusOf(text, contract))
        }
        action={
          <Link className="button button-primary" to={paths.contract(contract.id, 'changes')}>
            {amendment.view}
          </Link>
        }
      />
    </>
  )
}
