import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { verifyAudit } from '#shared/audit/contract.ts'
import { listOwnDemands } from '#shared/demand/contract.ts'
import { isDemandCode } from '#shared/demand/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { exportEvidence } from '#shared/opening/contract.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { exceptionKinds, listExceptions } from '#shared/statistics/panel.ts'
import { call, download } from '../app/api.ts'
import { countText, day, money, number } from '../app/format.ts'
import { ListBody, ListTotal, Loaded, useList } from '../app/list-frame.tsx'
import { withParam } from '../app/list-settings.ts'
import { useText } from '../app/text.tsx'
import { Link } from '../ui/link.tsx'
import { Tag } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
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
      {text.admin.evidence.title}
    </button>
  )
}

const exceptionsOnPage = 10

function Exceptions() {
  const text = useText()
  const words = text.statistics.panel
  const [params] = useSearchParams()
  const kind = params.get('kind') ?? ''
  const list = useList(listExceptions, exceptionsOnPage)
  return (
    <section className="stack">
      <div>
        <h2>
          {words.exceptions} <span className="num faint">{list.data && countText(list.data)}</span>
        </h2>
        <p className="small soft">{words.exceptionsLead}</p>
      </div>
      <Tabs
        label={words.exceptions}
        tabs={['', ...exceptionKinds].map((one) => ({
          to: withParam(params, 'kind', one),
          label: isAmong(one, exceptionKinds) ? words.exception[one] : text.site.common.all,
          current: one === kind,
        }))}
        keepsScroll
      />
      <ListBody
        list={list}
        keyOf={({ id }) => id}
        empty={words.exceptionsNone}
        pageSize={exceptionsOnPage}
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
          { label: text.list.demand.net, num: true, cell: ({ net }) => money(net) || text.site.common.none },
          { label: words.evidence, buttons: true, cell: ({ id }) => <EvidenceButton id={id} /> },
        ]}
      />
    </section>
  )
}

/** As many demands are found on the desk; the list of demands has the rest. */
const packsShown = 20

function EvidenceSearch() {
  const text = useText()
  const words = text.statistics.panel
  const [wanted, setWanted] = useState('')
  const isNumber = isDemandCode(wanted)
  const filter = { opened: yesNo.yes, ...(isNumber ? { demandCode: wanted } : { projectName: wanted }) }
  const found = useQuery({
    queryKey: [listOwnDemands.url, filter],
    queryFn: () => call(listOwnDemands, { query: { pageSize: packsShown, ...filter } }),
    enabled: wanted !== '',
  })
  const all = new URLSearchParams({ opened: yesNo.yes, [isNumber ? 'demandCode' : 'projectName']: wanted })
  return (
    <section className="panel stack">
      <div>
        <h2>
          {words.evidence} <ListTotal list={found} />
        </h2>
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
          {(list) =>
            list.rows.length === 0 ? (
              <p className="soft">{words.evidenceNone}</p>
            ) : (
              <>
                <ul className="todos">
                  {list.rows.map((demand) => (
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
                {list.total > list.rows.length && <Link to={paths.ownDemands(`?${all}`)}>{words.evidenceAll(countText(list))}</Link>}
              </>
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
