import { useSearchParams } from 'react-router'
import { dayOf } from '#shared/calendar.ts'
import { canChange } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { AddPositionsEditor } from './contract/contract-add-editor.tsx'
import { useContractNow } from './contract/contract-calls.ts'
import { LockedChange } from './contract/contract-change-locked.tsx'
import { FormOfVersion } from './contract/form-of-version.tsx'

/** Proposes an amendment that adds positions. */
export default function ContractAddPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const contract = useContractNow(id)
  if (!contract.data)
    return (
      <Unloaded
        queries={[contract]}
        rows={5}
        missing={text.contract.pages.notYours}
        back={<Link to={paths.contracts()}>{text.contract.title}</Link>}
      />
    )
  const { may, side, status, revision, ending } = contract.data
  const standing = { status, lastDay: ending?.lastDay ?? null }
  const mayAdd = may.includes('change') && side !== null && canChange(standing, 'quantity', side, dayOf(new Date()))
  if (!mayAdd) return <LockedChange contract={contract.data} />
  return (
    <FormOfVersion key={id} version={String(revision)}>
      <AddPositionsEditor contract={contract.data} />
    </FormOfVersion>
  )
}
