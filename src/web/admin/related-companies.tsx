import { useQuery } from '@tanstack/react-query'
import { listRelatedCompanies } from '#shared/company/related.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'

/** Companies that have something in common with this one and met it in an opened demand. */
export function RelatedCompanies({ id }: { id: string }) {
  const text = useText()
  const words = text.admin.companies
  const found = useQuery({ queryKey: [listRelatedCompanies.url, id], queryFn: () => call(listRelatedCompanies, { params: { id } }) })
  return (
    <section className="panel stack">
      <h2>{words.related}</h2>
      <p className="small soft">{words.relatedLead}</p>
      {!found.data ? (
        <Unloaded queries={[found]} rows={2} />
      ) : found.data.length === 0 ? (
        <p className="soft">{words.relatedNone}</p>
      ) : (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{words.name}</th>
                <th>{words.relatedBy}</th>
                <th>{words.relatedIn}</th>
              </tr>
            </thead>
            <tbody>
              {found.data.map((meeting) => (
                <tr key={`${meeting.companyId}-${meeting.demandId}`}>
                  <td data-label={words.name}>
                    <Link to={paths.company(meeting.companyId)}>{meeting.companyName}</Link>
                  </td>
                  <td data-label={words.relatedBy}>{meeting.by.map((kind) => text.quote.compare.relation[kind]).join(' · ')}</td>
                  <td data-label={words.relatedIn}>
                    <span className="num">{meeting.demandCode}</span> {meeting.title}
                    {meeting.withOwner && <span className="soft"> · {words.relatedOwner}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
