import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { addDays, dayOf } from '#shared/calendar.ts'
import {
  exportReport,
  getReport,
  getReportGroups,
  listReportRows,
  reportFigures,
  reportGroups,
  type Figures,
  type Group,
  type ReportGroup,
} from '#shared/statistics/report.ts'
import { DateRangeFilter } from '../app/date-field.tsx'
import { call, download } from '../app/api.ts'
import { demandTone } from '../demand/demand-card.tsx'
import { FilterForm } from '../app/filter-form.tsx'
import { day, money, number } from '../app/format.ts'
import { ListPages } from '../app/list-pages.tsx'
import { paths } from '#shared/paths.ts'
import { useRememberedFilters } from '../app/remember.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Empty, Head, Tag } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'

const pageSize = 10
const percent = (value: number | null) => (value === null ? '—' : `${(value * 100).toFixed(1)}%`)

/** The report of a period: its figures, their groups, and the demands behind each. The address holds the whole selection. */
export default function StatisticsPage() {
  const text = useText()
  const words = text.statistics
  const site = useSiteName()
  const [params] = useSearchParams()
  useRememberedFilters('statistics')
  const today = dayOf(new Date())
  const from = params.get('from') ?? addDays(today, -364)
  const to = params.get('to') ?? today
  const deptId = params.get('deptId') ?? ''
  const by = reportGroups.find((one) => one === params.get('by')) ?? 'month'
  const period = { from, to, ...(deptId && { deptId }) }
  const figures = useQuery({
    queryKey: [getReport.url, period],
    queryFn: () => call(getReport, { query: period }),
    placeholderData: (before) => before,
  })
  const groups = useQuery({
    queryKey: [getReportGroups.url, period, by],
    queryFn: () => call(getReportGroups, { query: { ...period, by } }),
    placeholderData: (before) => before,
  })
  const withParams = (change: Record<string, string | null>) => {
    const next = new URLSearchParams(params)
    next.delete('pageNum')
    for (const [name, value] of Object.entries(change)) {
      if (value === null) next.delete(name)
      else next.set(name, value)
    }
    return `?${next}`
  }
  const presets = {
    month: `${today.slice(0, 8)}01`,
    quarter: addDays(today, -90),
    year: addDays(today, -364),
    calendar: `${today.slice(0, 4)}-01-01`,
  }
  const name = (group: Group) => (text.locale === 'zh-CN' ? group.name : group.nameEn)
  return (
    <div className="stack">
      <Head title={words.title} site={site} index={false} />
      <header className="page-head row between">
        <div>
          <h1>{words.title}</h1>
          <p>{words.basis}</p>
        </div>
        <button type="button" className="button" onClick={() => void download(exportReport, { query: period }).catch(() => undefined)}>
          {words.export}
        </button>
      </header>
      <FilterForm
        chips={
          <p className="row small mb-8">
            {Object.entries(presets).map(([preset, start]) => (
              <Link
                key={preset}
                className="button button-small"
                to={withParams({ from: start, to: today })}
                aria-current={from === start && to === today ? 'true' : undefined}
              >
                {words.presets[preset]}
              </Link>
            ))}
            {deptId && (
              <Link className="button button-small" to={withParams({ deptId: null, deptName: null })}>
                {words.drilled(params.get('deptName') ?? '')} ×
              </Link>
            )}
          </p>
        }
      >
        <input type="hidden" name="by" value={by} />
        {deptId && <input type="hidden" name="deptId" value={deptId} />}
        {deptId && <input type="hidden" name="deptName" value={params.get('deptName') ?? ''} />}
        <DateRangeFilter label={words.period} names={['from', 'to']} words={[words.from, words.to]} values={[from, to]} />
      </FilterForm>
      {figures.data ? (
        <FigureCards figures={figures.data} to={(figure) => withParams({ figure, by, key: null, keyName: null })} />
      ) : (
        <Unloaded queries={[figures]} />
      )}
      <section className="panel stack">
        <nav className="tabs" aria-label={words.title}>
          {reportGroups.map((one) => (
            <Link key={one} to={withParams({ by: one, key: null, keyName: null })} aria-current={one === by ? 'page' : undefined}>
              {words.by[one]}
            </Link>
          ))}
        </nav>
        {!groups.data ? (
          <Unloaded queries={[groups]} />
        ) : groups.data.length > 0 ? (
          <>
            {by === 'month' && <Columns groups={groups.data} to={(group) => withParams({ key: group.key, keyName: group.name })} />}
            <GroupTable
              groups={groups.data}
              by={by}
              name={name}
              to={(group) => withParams({ key: group.key, keyName: name(group) })}
              drill={by === 'unit' ? (group) => withParams({ deptId: group.key, deptName: name(group), key: null, keyName: null }) : null}
            />
          </>
        ) : (
          <Empty title={words.empty} />
        )}
      </section>
      <Rows period={period} />
    </div>
  )
}

function FigureCards({ figures, to }: { figures: Figures; to: (figure: string) => string }) {
  const words = useText().statistics
  const linked = ['demands', 'awarded', 'failed', 'cancelled'] as const
  const plain: [keyof Figures, string][] = [
    ['net', money(figures.net)],
    ['savedOnMean', percent(figures.savedOnMean)],
    ['savedOnCeiling', percent(figures.savedOnCeiling)],
    ['quotesPerDemand', figures.quotesPerDemand === null ? '—' : number(figures.quotesPerDemand, 1)],
    ['daysToOpen', figures.daysToOpen === null ? '—' : number(figures.daysToOpen, 1)],
    ['daysToAward', figures.daysToAward === null ? '—' : number(figures.daysToAward, 1)],
    ['lines', number(figures.lines)],
  ]
  return (
    <dl className="figure-grid">
      {linked.map((figure) => (
        <div key={figure} className="panel">
          <dt className="small soft">{words.figures[figure]}</dt>
          <dd className="figure num">
            <Link to={to(figure)}>{number(figures[figure])}</Link>
          </dd>
        </div>
      ))}
      {plain.map(([figure, value]) => (
        <div key={figure} className="panel" title={words.hints[figure]}>
          <dt className="small soft">{words.figures[figure]}</dt>
          <dd className="figure num">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Demands and awards by month. Each column links to its demands. */
function Columns({ groups, to }: { groups: readonly Group[]; to: (group: Group) => string }) {
  const words = useText().statistics
  const most = Math.max(1, ...groups.map(({ demands }) => demands))
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={words.chart}>
      <ol className="columns">
        {groups.map((group) => (
          <li key={group.key}>
            <Link to={to(group)} preventScrollReset>
              <span className="column-bars" aria-hidden="true">
                <span style={{ height: `${(group.demands / most) * 100}%` }} />
                <span className="column-second" style={{ height: `${(group.awarded / most) * 100}%` }} />
              </span>
              <span className="small num">{group.key.slice(2)}</span>
              <span className="visually-hidden">
                {words.figures.demands} {group.demands}, {words.figures.awarded} {group.awarded}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </div>
  )
}

function GroupTable({
  groups,
  by,
  name,
  to,
  drill,
}: {
  groups: readonly Group[]
  by: ReportGroup
  name: (group: Group) => string
  to: (group: Group) => string
  drill: ((group: Group) => string) | null
}) {
  const words = useText().statistics
  const most = Math.max(1, ...groups.map(({ demands }) => demands))
  const columns = [
    [words.figures.demands, (group: Group) => number(group.demands)],
    [words.figures.awarded, (group: Group) => number(group.awarded)],
    [words.machines, (group: Group) => number(group.machines)],
    ...(by === 'category' ? [] : [[words.quotes, (group: Group) => number(group.quotes)] as const]),
    [words.figures.net, (group: Group) => money(group.net)],
    [words.figures.savedOnMean, (group: Group) => percent(group.savedOnMean)],
  ] as const
  return (
    <div className="scroll-x" tabIndex={0}>
      <table className="table cards-on-phone">
        <thead>
          <tr>
            <th>{words.by[by]}</th>
            {columns.map(([label]) => (
              <th key={label} className="right">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key}>
              <td className="whole">
                <Link to={to(group)} preventScrollReset aria-label={words.open(name(group))}>
                  {name(group)}
                </Link>
                {drill && (
                  <Link className="small" style={{ marginLeft: 8 }} to={drill(group)}>
                    {words.drill}
                  </Link>
                )}
                <span className="bar" aria-hidden="true">
                  <span style={{ width: `${(group.demands / most) * 100}%` }} />
                </span>
              </td>
              {columns.map(([label, value]) => (
                <td key={label} data-label={label} className="right num">
                  {value(group)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The demands behind the selected figure or group. */
function Rows({ period }: { period: { from: string; to: string; deptId?: string } }) {
  const text = useText()
  const words = text.statistics
  const [params] = useSearchParams()
  const figure = reportFigures.find((one) => one === params.get('figure')) ?? 'demands'
  const key = params.get('key')
  const query = {
    ...period,
    figure,
    ...(key && { by: reportGroups.find((one) => one === params.get('by')) ?? 'month', key }),
    pageNum: Number(params.get('pageNum')) || 1,
    pageSize,
  }
  const list = useQuery({
    queryKey: [listReportRows.url, query],
    queryFn: () => call(listReportRows, { query }),
    placeholderData: (before) => before,
  })
  const title = key ? words.rowsOf(params.get('keyName') ?? key) : figure === 'demands' ? words.all : words.rowsOf(words.figures[figure])
  return (
    <section className="panel stack">
      <h2>
        {title} <span className="num faint">{list.data?.total ?? ''}</span>
      </h2>
      {!list.data && <Unloaded queries={[list]} />}
      <ul className="stack" style={{ gap: 8 }}>
        {list.data?.rows.map((demand) => (
          <li key={demand.id} className="row between">
            <div>
              <p className="row gap-8">
                <Link to={paths.ownDemand(demand.id)}>{demand.title}</Link>
                <Tag tone={demandTone[demand.status]}>{text.demand.status[demand.status]}</Tag>
              </p>
              <p className="small faint">
                <span className="num">{demand.demandCode}</span> · {demand.projectName} ·{' '}
                <span className="num">{day(demand.publishTime)}</span>
              </p>
            </div>
            <span className="num">{demand.net === null ? '' : money(demand.net)}</span>
          </li>
        ))}
      </ul>
      <ListPages total={list.data?.total ?? 0} pageSize={pageSize} />
    </section>
  )
}
