import { useQuery } from '@tanstack/react-query'
import { listJobs, retryJobItems } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { useConfirm } from '../app/use-confirm.tsx'
import { number } from '../app/format.ts'
import { Loaded, RowTable } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head, Tag } from '../ui/parts.tsx'

export default function JobPage() {
  const text = useText()
  const words = text.admin.jobs
  const site = useSiteName()
  const { confirm, dialog } = useConfirm(listJobs)
  const jobs = useQuery({ queryKey: [listJobs.url], queryFn: () => call(listJobs, {}), refetchInterval: 10_000 })
  return (
    <div className="stack">
      <Head title={text.admin.menu.jobs} site={site} index={false} />
      <div>
        <h1>{text.admin.menu.jobs}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      <Loaded query={jobs} rows={6}>
        {(rows) => (
          <RowTable
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { label: words.name, whole: true, cell: (job) => <strong>{words.names[job.name]}</strong> },
              { label: words.every, cell: (job) => (job.every === null ? words.byHand : words.seconds(job.every)) },
              { label: words.last, cell: (job) => <span className="num">{job.finishedAt ?? words.never}</span> },
              { label: words.took, num: true, cell: (job) => (job.finishedAt ? `${number(job.durationMs)} ms` : '') },
              { label: words.runs, num: true, cell: (job) => number(job.runs) },
              { label: words.failures, num: true, cell: (job) => number(job.failures) },
              {
                label: text.site.common.status,
                className: 'long-name',
                cell: (job) => {
                  const failing = job.lastErrorAt !== null && job.lastErrorAt >= (job.finishedAt ?? '')
                  return (
                    <>
                      {(job.finishedAt ?? job.lastErrorAt) && (
                        <Tag tone={failing ? 'bad' : 'good'}>{failing ? words.failing : words.fine}</Tag>
                      )}
                      {job.lastError && (
                        <p className="small soft">
                          {words.lastError} <span className="num">{job.lastErrorAt}</span>: {job.lastError}
                        </p>
                      )}
                      {job.detail && (
                        <p className="small faint">{/^\d+$/.test(job.detail) ? words.worked(Number(job.detail)) : job.detail}</p>
                      )}
                    </>
                  )
                },
              },
              {
                label: words.items,
                whole: true,
                cell: (job) => (
                  <>
                    <span className="row gap-8">
                      {job.retrying > 0 && <Tag tone="amber">{words.retrying(job.retrying)}</Tag>}
                      {job.setAside > 0 && (
                        <>
                          <Tag tone="bad">{words.setAside(job.setAside)}</Tag>
                          <button
                            type="button"
                            className="button button-small"
                            onClick={() =>
                              confirm({
                                title: words.retry,
                                question: words.retryAsk(job.setAside),
                                subject: words.names[job.name],
                                harmless: true,
                                run: () => call(retryJobItems, { params: { id: job.name } }),
                                done: (result) => words.retried((result as { items: number }).items),
                              })
                            }
                          >
                            {words.retry}
                            <span className="visually-hidden"> {words.names[job.name]}</span>
                          </button>
                        </>
                      )}
                    </span>
                    {job.failedItems.map((item) => (
                      <p key={item.key} className="small soft">
                        {words.item(item.key, item.tries)} <span className="num">{item.failedAt}</span>: {item.lastError}
                      </p>
                    ))}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {dialog}
    </div>
  )
}
