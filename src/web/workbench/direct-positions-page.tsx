import { contractSource } from '#shared/contract/rules.ts'
import { useText } from '../app/text.tsx'
import { LockedDraft } from './contract/contract-locked.tsx'
import { ContractNow } from './contract/contract-now.tsx'
import { DirectPositionsEditor } from './contract/direct-positions-editor.tsx'

/** Edits the positions of a draft that a unit writes down itself. */
export default function DirectPositionsPage() {
  const { direct } = useText().contract.pages
  return (
    <ContractNow>
      {(contract) =>
        contract.source === contractSource.direct && contract.may.includes('edit') ? (
          <DirectPositionsEditor key={contract.id} contract={contract} />
        ) : (
          <LockedDraft contract={contract} title={direct.edit} />
        )
      }
    </ContractNow>
  )
}
