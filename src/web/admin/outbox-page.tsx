import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { listOutbox } from '#shared/outbox/contract.ts'
import { call } from '../api.ts'
import { minute } from '../format.ts'
import { ListPages } from '../list-pages.tsx'
import { useSiteName } from '../site.ts'
import { useText } from '../text.tsx'
import { Empty, Head, Skeleton, Tag } from '../ui/parts.tsx'

const pageSize = 20

export default function OutboxPage() {
  const text = useText()
  const { admin, register } = text.personal
  const site = useSiteName()
  const [params, setParams] = useSearchParams()
  const query = { pageNum: Number(params.get('pageNum')) || 1, pageSize, phonenumber: params.get('phonenumber') ?? '' }
  const list = useQuery({
    queryKey: [listOutbox.url, query],
    queryFn: () => call(listOutbox, { query }),
    placeholderData: (before) => before,
    refetchInterval: 10_000,
  })
  return (
    <div className="stack">
      <Head title={admin.outbox} site={site} index={false} />
      <div>
        <h1>{admin.outbox}</h1>
        <p className="soft">{admin.outboxLead}</p>
      </div>
      <form
        className="toolbar dense"
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          const phonenumber = String(new FormData(event.currentTarget).get('phonenumber') ?? '').trim()
          setParams(phonenumber ? { phonenumber } : {})
        }}
      >
        <div className="field">
          <label htmlFor="outbox-phone">{register.phone}</label>
          <input
            id="outbox-phone"
            key={query.phonenumber}
            className="input"
            type="search"
            name="phonenumber"
            inputMode="numeric"
            defaultValue={query.phonenumber}
            maxLength={11}
          />
        </div>
        <button type="submit" className="button button-small">
          {text.site.common.search}
        </button>
      </form>
      {list.isPending ? (
        <Skeleton />
      ) : list.data?.rows.length ? (
        <div className="panel scroll-x" tabIndex={0}>
          <table className="table cards-on-phone">
            <thead>
              <tr>
                <th>{text.personal.safety.time}</th>
                <th>{register.phone}</th>
                <th>{admin.content}</th>
                <th>{admin.provider}</th>
                <th>{text.site.common.status}</th>
              </tr>
            </thead>
            <tbody>
              {list.data.rows.map((row) => (
                <tr key={row.id}>
                  <td data-label={text.personal.safety.time} className="num">
                    {minute(row.createTime)}
                  </td>
                  <td data-label={register.phone} className="num">
                    {row.phonenumber}
                  </td>
                  <td className="whole">
                    {row.content}
                    {row.error && <p className="small field-error">{row.error}</p>}
                  </td>
                  <td data-label={admin.provider}>{row.provider === 'local' ? admin.local : row.provider}</td>
                  <td data-label={text.site.common.status}>
                    <Tag tone={{ '0': 'amber', '1': 'good', '2': 'bad' }[row.status] as 'good'}>{admin.sms[row.status]}</Tag>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div className="panel">
          <Empty title={text.site.common.empty} />
        </div>
      )}
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </div>
  )
}
