import type { getCompany } from '#shared/company/manage.ts'
import { unconfirmedContracts } from '#shared/contract/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { useText } from '../app/text.tsx'
import { Tag } from '../ui/parts.tsx'

/** Whoever locks a company sees the contracts that have not ended, and what becomes of them. */
export function LockedContracts({ company: { contracts, contractCount } }: { company: Answered<typeof getCompany> }) {
  const text = useText()
  const words = text.admin.companies
  if (contractCount === 0) return null
  const isUnsigned = ({ status }: (typeof contracts)[number]) => isAmong(status, unconfirmedContracts)
  const more = contractCount - contracts.length
  return (
    <div className="stack">
      <p>
        <strong>{words.lockContracts(contractCount)}</strong>
      </p>
      <ul className="small">
        {contracts.map(({ id, contractCode, title, status, otherName }) => (
          <li key={id}>
            <Tag>{text.contract.status[status]}</Tag> {title} <span className="num faint">{contractCode}</span> · {otherName}
          </li>
        ))}
        {more > 0 && <li>{words.lockMore(more)}</li>}
      </ul>
      {(more > 0 || contracts.some((one) => !isUnsigned(one))) && <p className="small">{words.lockSigned}</p>}
      {(more > 0 || contracts.some(isUnsigned)) && <p className="small">{words.lockUnsigned}</p>}
      <p className="small">{words.lockTold}</p>
    </div>
  )
}
