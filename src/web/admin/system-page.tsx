import { useQuery } from '@tanstack/react-query'
import { getSystemStatus } from '#shared/system/contract.ts'
import { call } from '../app/api.ts'
import { number } from '../app/format.ts'
import { RowTable, Unloaded } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'

function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const power = bytes > 0 ? Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10)) : 0
  return `${number(bytes / 1024 ** power, power > 1 ? 1 : 0)} ${units[power]}`
}

export default function SystemPage() {
  const text = useText()
  const words = text.admin.system
  const site = useSiteName()
  const found = useQuery({ queryKey: [getSystemStatus.url], queryFn: () => call(getSystemStatus, {}), refetchInterval: 15_000 })
  const status = found.data
  const facts: [string, string][] = status
    ? [
        [words.version, status.version],
        [words.node, `Node ${status.node}`],
        [
          words.up,
          words.upFor(
            Math.floor(status.upSeconds / 86_400),
            Math.floor((status.upSeconds % 86_400) / 3600),
            Math.floor((status.upSeconds % 3600) / 60),
          ),
        ],
        [words.memory, size(status.memoryBytes)],
        [words.sockets, number(status.sockets)],
        [words.database, `PostgreSQL ${status.database.version}`],
        [words.size, size(status.database.bytes)],
        [words.connections, `${status.database.connections} / ${status.database.maxConnections}`],
        [words.migrations, `${status.database.migrations} · ${status.database.lastMigration}`],
        [words.files, `${words.fileCount(status.files.count)} · ${size(status.files.bytes)}`],
        [words.free, status.files.freeBytes === null ? text.site.common.none : size(status.files.freeBytes)],
        [words.sms, status.smsProvider || words.noSms],
        [words.backup, status.lastBackup ? `${status.lastBackup.at} ${status.lastBackup.detail}` : words.noBackup],
      ]
    : []
  return (
    <div className="stack">
      <Head title={text.admin.menu.system} site={site} index={false} />
      <div>
        <h1>{text.admin.menu.system}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      {status ? (
        <>
          <section className="panel">
            <dl className="facts">
              {facts.map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd className="num">{value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <h2>{words.tables}</h2>
          <RowTable
            rows={status.database.largest}
            keyOf={({ table }) => table}
            columns={[
              { label: words.table, cell: ({ table }) => <code>{table}</code> },
              { label: words.rows, num: true, cell: ({ rows }) => number(rows) },
              { label: words.size, num: true, cell: ({ bytes }) => size(bytes) },
            ]}
          />
        </>
      ) : (
        <Unloaded queries={[found]} rows={6} />
      )}
    </div>
  )
}
