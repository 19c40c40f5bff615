import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endOtherSessions, endSession, exportOwnData, listSessions, listSignIns } from '#shared/account/contract.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { ApiError, call, download } from '../app/api.ts'
import { minute } from '../app/format.ts'
import { ListBody, ListTotal, Loaded, useList } from '../app/list-frame.tsx'
import { OwnTasks } from './own-tasks.tsx'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useConfirm } from '../app/use-confirm.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10

export default function SafetyPage() {
  const { safety, factor } = useText().personal
  const site = useSiteName()
  const { info } = useSession()
  const [busy, setBusy] = useState(false)
  const exportMine = () => {
    setBusy(true)
    download(exportOwnData, {})
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error
      })
      .finally(() => setBusy(false))
  }
  const rows = [
    { label: safety.password, value: '••••••••', to: paths.changePassword, action: safety.changePassword },
    { label: factor.title, value: factor.lead, to: paths.secondFactor, action: factor.open },
    { label: safety.phone, value: maskPhone(info?.user.phonenumber ?? ''), to: paths.changePhone, action: safety.changePhone },
    { label: safety.cancel, value: safety.cancelHint, to: paths.cancelAccount, action: safety.cancel },
  ]
  return (
    <div className="stack">
      <Head title={safety.title} site={site} index={false} />
      <h1>{safety.title}</h1>
      <section className="panel">
        <ul className="settings">
          {rows.slice(0, 3).map((row) => (
            <Row key={row.label} {...row} />
          ))}
          <li className="row between">
            <div>
              <strong>{safety.data}</strong>
              <p className="small soft">{safety.dataHint}</p>
            </div>
            <button type="button" className="button button-small" aria-disabled={busy} onClick={exportMine}>
              {safety.export}
            </button>
          </li>
          {rows.slice(3).map((row) => (
            <Row key={row.label} {...row} />
          ))}
        </ul>
        <OwnTasks />
      </section>
      <Devices />
      <Records />
    </div>
  )
}

function Row({ label, value, to, action }: { label: string; value: string; to: string; action: string }) {
  return (
    <li className="row between">
      <div>
        <strong>{label}</strong>
        <p className="small soft num broken">{value}</p>
      </div>
      <Link className="button button-small" to={to}>
        {action}
      </Link>
    </li>
  )
}

/** Reads "Chrome · Windows" from the user agent of a browser. */
function deviceOf(agent: string): string {
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /MicroMessenger/.test(agent)
      ? 'WeChat'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Firefox\//.test(agent)
          ? 'Firefox'
          : /Safari\//.test(agent)
            ? 'Safari'
            : ''
  const system = /Windows/.test(agent)
    ? 'Windows'
    : /iPhone|iPad/.test(agent)
      ? 'iOS'
      : /Android/.test(agent)
        ? 'Android'
        : /Mac OS X/.test(agent)
          ? 'macOS'
          : /Linux/.test(agent)
            ? 'Linux'
            : ''
  return [browser, system].filter(Boolean).join(' · ')
}

function Devices() {
  const text = useText()
  const { safety } = text.personal
  const list = useQuery({ queryKey: [listSessions.url], queryFn: () => call(listSessions, {}) })
  const { confirm, dialog } = useConfirm(listSessions)
  const nameOf = ({ agent }: { agent: string }) => deviceOf(agent) || safety.unknownDevice
  const end = (session: { id: number; agent: string }) =>
    confirm({
      title: safety.end,
      question: safety.endAsk,
      subject: nameOf(session),
      run: () => call(endSession, { params: { id: session.id } }),
      done: () => safety.ended,
    })
  const endOthers = () =>
    confirm({
      title: safety.endOthers,
      question: safety.endOthersAsk,
      run: () => call(endOtherSessions, {}),
      done: () => safety.ended,
    })
  const others = list.data?.filter(({ current }) => !current) ?? []
  return (
    <section className="panel">
      <div className="row between mb-8">
        <div>
          <h2>{safety.devices}</h2>
          <p className="small soft">{safety.devicesHint}</p>
        </div>
        {others.length > 0 && (
          <button type="button" className="button button-small button-danger" onClick={endOthers}>
            {safety.endOthers}
          </button>
        )}
      </div>
      <Loaded query={list} rows={2}>
        {(sessions) => (
          <ul className="settings">
            {sessions.map((session) => (
              <li key={session.id} className="row between">
                <div>
                  <strong>{nameOf(session)}</strong> {session.current && <Tag tone="good">{safety.current}</Tag>}
                  <p className="small soft num broken">
                    {safety.since(minute(session.createdAt))} · {session.address}
                  </p>
                </div>
                {!session.current && (
                  <button type="button" className="link" onClick={() => end(session)}>
                    {safety.end}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {dialog}
    </section>
  )
}

function Records() {
  const text = useText()
  const { safety } = text.personal
  const list = useList(listSignIns, pageSize)
  return (
    <section className="stack">
      <h2>
        {safety.records} <ListTotal list={list} />
      </h2>
      <ListBody
        list={list}
        keyOf={({ id }) => id}
        empty={text.site.common.empty}
        pageSize={pageSize}
        columns={[
          { label: safety.time, className: 'num', cell: ({ at }) => minute(at) },
          { label: safety.way, cell: ({ way }) => safety.ways[way] },
          {
            label: safety.result,
            cell: ({ succeeded }) => <Tag tone={succeeded ? 'good' : 'bad'}>{succeeded ? safety.succeeded : safety.failed}</Tag>,
          },
          { label: safety.address, className: 'num', cell: ({ address }) => address },
          { label: safety.device, cell: ({ agent }) => deviceOf(agent) || safety.unknownDevice },
        ]}
      />
    </section>
  )
}
