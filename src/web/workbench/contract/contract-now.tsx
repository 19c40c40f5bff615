import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { getContract, type Contract } from '#shared/contract/contract.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { useFollow } from '../../app/follow.ts'
import { Loaded } from '../../app/list-frame.tsx'
import { useText } from '../../app/text.tsx'
import { useNewAnswer } from '../../app/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { callsOfContracts } from './contract-calls.ts'

type OfContract = { children: (contract: Contract) => ReactNode }

/**
 * Shows what is filled from the contract that the address names, which is then followed. An answer from before is not shown: a form
 * would begin with a version that somebody else has replaced, and no save of it would be accepted.
 */
export function ContractNow({ children }: OfContract) {
  const [params] = useSearchParams()
  const id = params.get('id') ?? '0'
  const contract = useQuery({
    queryKey: [getContract.url, id],
    queryFn: () => call(getContract, { params: { id } }),
    // Also where only the id of the address changes, which mounts nothing again.
    staleTime: 0,
  })
  useFollow('contract', ...callsOfContracts)
  return <LoadedContract query={{ ...contract, data: useNewAnswer(contract, id) }}>{children}</LoadedContract>
}

/** Shows the contract of a page of its own, or the way back to the list where it is none that the reader sees. */
export function LoadedContract({ query, children }: OfContract & Pick<Parameters<typeof Loaded<Contract>>[0], 'query'>) {
  const { contract: words } = useText()
  return (
    <Loaded query={query} rows={5} missing={words.pages.notYours} back={<Link to={paths.contracts()}>{words.title}</Link>}>
      {children}
    </Loaded>
  )
}
