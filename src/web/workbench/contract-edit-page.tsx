import { useText } from '../app/text.tsx'
import { ContractEditor } from './contract/contract-editor.tsx'
import { LockedDraft } from './contract/contract-locked.tsx'
import { ContractNow } from './contract/contract-now.tsx'

export default function ContractEditPage() {
  const { form } = useText().contract.pages
  return (
    <ContractNow>
      {(contract) =>
        contract.may.includes('edit') ? (
          <ContractEditor key={contract.id} contract={contract} />
        ) : (
          <LockedDraft contract={contract} title={form.title} />
        )
      }
    </ContractNow>
  )
}
