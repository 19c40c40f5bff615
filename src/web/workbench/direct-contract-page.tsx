import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOwnDepts } from '#shared/company/contract.ts'
import { getContract } from '#shared/contract/contract.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Empty } from '../ui/parts.tsx'
import { likeContract, newDirectForm } from './contract/direct-contract.ts'
import { DirectContractEditor } from './contract/direct-contract-editor.tsx'

/** Writes down a contract that was agreed elsewhere; `copy` in the address names one that it is like. */
export default function DirectContractPage() {
  const text = useText()
  const depts = useQuery({ queryKey: [listOwnDepts.url], queryFn: () => call(listOwnDepts, {}) })
  const [params] = useSearchParams()
  const copied = params.get('copy')
  const contract = useQuery({
    queryKey: [getContract.url, copied, 'copy'],
    queryFn: () => call(getContract, { params: { id: copied ?? '0' } }),
    enabled: copied !== null,
    gcTime: 0,
    // A later fetch must not replace what the person is typing.
    staleTime: Infinity,
  })
  const needed = copied === null ? [depts] : [depts, contract]
  if (!depts.data || needed.some(({ data }) => data === undefined))
    return (
      <Unloaded
        queries={needed}
        rows={5}
        missing={text.contract.pages.notYours}
        back={<Link to={paths.contracts()}>{text.contract.title}</Link>}
      />
    )
  const [project, ...others] = depts.data
  if (!project) return <Empty heading title={text.demand.form.noProject} />
  const initial = contract.data ? likeContract(contract.data) : newDirectForm(project)
  return <DirectContractEditor key={copied} initial={initial} copied={copied} projects={[project, ...others]} />
}
