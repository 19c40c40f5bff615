import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { verifyAudit } from '#shared/audit/contract.ts'
import { listOwnDemands } from '#shared/demand/contract.ts'
import { openedDemands } from '#shared/demand/rules.ts'
import { exportEvidence } from '#shared/opening/contract.ts'
import { paths } from '#shared/paths.ts'
import { exceptionKinds, listExceptions, type ExceptionKind } from '#shared/statistics/panel.ts'
import { call, download } from '../app/api.ts'
import { countText, day, money, number } from '../app/format.ts'
import { Loaded, RowTable } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Empty, Tag } from '../ui/parts.tsx'
import '../statistics/todo-list.css'

/** An auditor's work: the demands worth a check, the evidence pack of any opened one, and the state of the audit chain. */
export function AuditorDesk() {
  return (
    <>
      <Exceptions />
      <div className="dashboard">
        <EvidenceSearch />
        <ChainState />
      </div>
    </>
  )
}

function EvidenceButton({ id }: { id: number }) {
  const text = useText()
  return (
    <button
      type="button"
      className="button button-small"
      title={text.admin.evidence.hint}
      onClick={() => void download(exportEvidence, { params: { id } }).catch(() => undefined)}
    >
      {text.statistics.panel.evidence}
    </button>
  )
}

const shownAtFirst = 8
/** The longest page of a list. */
const shownAtMost = 100

function Exceptions() {
  const text = useText()
  const words = text.statistics.panel
  const [kind, setKind] = useState<ExceptionKind | ''>('')
  const [all, setAll] = useState(false)
  const list = useQuery({
    queryKey: [listExceptions.url, kind, all],
    queryFn: () => call(listExceptions, { query: { pageNum: 1, pageSize: all ? shownAtMost : shownAtFirst, ...(kind && { kind }) } }),
    placeholderData: (before) => before,
  })
  return (
    <section className="stack">
      <div>
        <h2>
          {words.exceptions} <span className="num faint">{list.data && countText(list.data)}</span>
        </h2>
        <p className="small soft">{words.exceptionsLead}</p>
      </div>
      <div className="tabs" role="group" aria-label={words.exceptions}>
        {(['', ...exceptionKinds] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {one ? words.exception[one] : text.site.common.all}
          </button>
        ))}
      </div>
      <Loaded query={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <div className="panel">
              <Empty title={words.exceptionsNone} />
            </div>
          ) : (
            <RowTable
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                {
                  label: text.statistics.demand,
                  whole: true,
                  cell: (row) => (
                    <>
                      <Link to={paths.ownDemand(row.id)}>{row.title}</Link>
                      <p className="small faint">
                        <span className="num">{row.demandCode}</span> · {row.projectName}
                      </p>
                    </>
                  ),
                },
                {
                  label: words.exceptions,
                  whole: true,
                  cell: ({ kinds }) => (
                    <span className="row gap-6">
                      {kinds.map((one) => (
                        <Tag key={one} tone="warn">
                          {words.exception[one]}
                        </Tag>
                      ))}
                    </span>
                  ),
                },
                { label: text.demand.quoteCount, num: true, cell: ({ quoteCount }) => number(quoteCount) },
                { label: words.opened, num: true, cell: ({ openTime }) => day(openTime) },
                { label: text.statistics.figures.net, num: true, cell: ({ net }) => money(net) || text.site.common.none },
                { label: words.evidence, buttons: true, cell: ({ id }) => <EvidenceButton id={id} /> },
              ]}
            />
          )
        }
      </Loaded>
      {list.data && list.data.total > shownAtFirst && (
        <button type="button" className="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? words.fewer : words.rest(Math.min(list.data.total, shownAtMost) - shownAtFirst)}
        </button>
      )}
    </section>
  )
}

function EvidenceSearch() {
  const text = useText()
  const words = text.statistics.panel
  const [wanted, setWanted] = useState('')
  // A number begins with letters and digits; everything else is a word of the title or the project.
  const query = { pageSize: 10, ...(/^[A-Za-z]{2}\d+/.test(wanted) ? { demandCode: wanted } : { projectName: wanted }) }
  // The list is filtered by one state: those that are still open for quotes must not take the place of opened ones.
  const found = useQuery({
    queryKey: [listOwnDemands.url, 'evidence', wanted],
    queryFn: async () => {
      const lists = await Promise.all(openedDemands.map((status) => call(listOwnDemands, { query: { ...query, status } })))
      return lists.flatMap(({ rows }) => rows).toSorted((a, b) => b.id - a.id)
    },
    enabled: wanted !== '',
  })
  return (
    <section className="panel stack">
      <div>
        <h2>{words.evidence}</h2>
        <p className="small soft">{words.evidenceLead}</p>
      </div>
      <form
        role="search"
        className="row gap-8"
        onSubmit={(event) => {
          event.preventDefault()
          setWanted(String(new FormData(event.currentTarget).get('wanted') ?? '').trim())
        }}
      >
        <input
          className="input grow"
          type="search"
          name="wanted"
          aria-label={words.evidenceSearch}
          placeholder={words.evidenceSearch}
          maxLength={40}
        />
        <button className="button button-primary">{text.site.common.search}</button>
      </form>
      {wanted !== '' && (
        <Loaded query={found} rows={2}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="soft">{words.evidenceNone}</p>
            ) : (
              <ul className="todos">
                {rows.map((demand) => (
                  <li key={demand.id} className="row between">
                    <div className="todo-what">
                      <Link to={paths.ownDemand(demand.id)}>{demand.title}</Link>
                      <p className="small faint">
                        <span className="num">{demand.demandCode}</span> · {demand.projectName}
                      </p>
                    </div>
                    <EvidenceButton id={demand.id} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
    </section>
  )
}

function ChainState() {
  const text = useText()
  const words = text.admin.audit
  // Every entry is hashed anew, so the answer is reused for a while.
  const chain = useQuery({ queryKey: [verifyAudit.url], queryFn: () => call(verifyAudit, {}), staleTime: 10 * 60_000 })
  return (
    <section className="panel stack">
      <div className="row between">
        <h2>{text.statistics.panel.chain}</h2>
        <Link to={paths.audit()}>{text.site.common.more}</Link>
      </div>
      <Loaded query={chain} rows={2}>
        {({ broken, entries, head }) => (
          <div className={`notice ${broken ? 'notice-warn' : ''}`} role="status">
            <strong>{broken ? words.bad(broken.seq, broken.who) : words.good(entries)}</strong>
            {!broken && head && (
              <p className="small mt-8">
                {words.head} <span className="hash">{head}</span>
              </p>
            )}
          </div>
        )}
      </Loaded>
    </section>
  )
}
