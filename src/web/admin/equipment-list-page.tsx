import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { listReviews } from '#shared/equipment/own.ts'
import { call } from '../api.ts'
import { minute, named } from '../format.ts'
import { ListPages } from '../list-pages.tsx'
import { paths } from '../paths.ts'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'

const pageSize = 20

/** Machines and changes of machines that wait, the longest wait first. */
export default function EquipmentReviewListPage() {
  const text = useText()
  const words = text.equipment.review
  const site = useSiteName()
  const [params] = useSearchParams()
  const pageNum = Number(params.get('pageNum')) || 1
  const list = useQuery({
    queryKey: [listReviews.url, pageNum],
    queryFn: () => call(listReviews, { query: { pageNum, pageSize } }),
  })
  return (
    <div className="stack">
      <Head title={words.title} site={site} index={false} />
      <h1>{words.title}</h1>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{text.equipment.upload.fields.name}</th>
                <th>{text.equipment.lessor}</th>
                <th>{text.site.common.status}</th>
                <th>{words.waiting}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((machine) => (
                <tr key={machine.id}>
                  <td className="whole">
                    <Link to={paths.equipmentReview(machine.id)}>{machine.name}</Link>
                    <p className="small faint">
                      {named(text, machine)} · <span className="num">{machine.equipmentCode}</span>
                    </p>
                  </td>
                  <td data-label={text.equipment.lessor}>{machine.companyName}</td>
                  <td data-label={text.site.common.status}>
                    <span className="row" style={{ gap: 4 }}>
                      <Tag tone={machine.isChange ? 'amber' : 'blue'}>{machine.isChange ? words.isChange : words.isNew}</Tag>
                      {machine.duplicates > 0 && <Tag tone="bad">{words.duplicates(machine.duplicates)}</Tag>}
                    </span>
                  </td>
                  <td data-label={words.waiting} className="num">
                    {minute(machine.submitTime)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={words.empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
