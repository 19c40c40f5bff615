import { useSearchParams } from 'react-router'
import { contractSource } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { useContractNow } from './contract/contract-calls.ts'
import { LockedDraft } from './contract/contract-locked.tsx'
import { DirectPositionsEditor } from './contract/direct-positions-editor.tsx'

/** Edits the positions of a draft that a unit writes down itself. */
export default function DirectPositionsPage() {
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
  const { may, source } = contract.data
  if (source === contractSource.direct && may.includes('edit')) return <DirectPositionsEditor key={id} contract={contract.data} />
  return <LockedDraft contract={contract.data} title={text.contract.pages.direct.edit} />
}
