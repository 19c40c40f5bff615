import { dayOf } from '#shared/calendar.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { canChange } from '#shared/contract/rules.ts'
import { mayIn, useSession } from '../app/session.ts'
import { AddPositionsEditor } from './contract/contract-add-editor.tsx'
import { LockedChange } from './contract/contract-change-locked.tsx'
import { ContractNow } from './contract/contract-now.tsx'
import { standingOf } from './contract/contract-standing.ts'
import { FormOfVersion } from './contract/form-of-version.tsx'

/** Proposes an amendment that adds positions. */
export default function ContractAddPage() {
  const makes = mayIn(useSession(), 'contract:make')
  return (
    <ContractNow>
      {(contract) =>
        makes && mayAdd(contract) ? (
          <FormOfVersion key={contract.id} version={String(contract.revision)}>
            <AddPositionsEditor contract={contract} />
          </FormOfVersion>
        ) : (
          <LockedChange contract={contract} />
        )
      }
    </ContractNow>
  )
}

const mayAdd = (contract: Contract) =>
  contract.may.includes('change') && contract.side !== null && canChange(standingOf(contract), 'quantity', contract.side, dayOf(new Date()))
