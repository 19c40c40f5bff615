import { useSearchParams } from 'react-router'
import { paths } from '#shared/paths.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { useContractNow } from './contract/contract-calls.ts'
import { ContractEditor } from './contract/contract-editor.tsx'
import { LockedDraft } from './contract/contract-locked.tsx'

export default function ContractEditPage() {
  const text = useText()
  const words = text.contract.pages
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const contract = useContractNow(id)
  if (!contract.data)
    return (
      <Unloaded queries={[contract]} rows={5} missing={words.notYours} back={<Link to={paths.contracts()}>{text.contract.title}</Link>} />
    )
  if (contract.data.may.includes('edit')) return <ContractEditor key={id} contract={contract.data} />
  return <LockedDraft contract={contract.data} title={words.form.title} />
}
