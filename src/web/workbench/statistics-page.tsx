import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { addDays, dayOf } from '#shared/calendar.ts'
import { paths } from '#shared/paths.ts'
import { isComparable, periodBefore, type Period } from '#shared/statistics/period.ts'
import {
  exportReport,
  getReport,
  getReportGroups,
  listReportRows,
  reportFigures,
  reportGroups,
  rowsOfFigure,
  type Figures,
  type Group,
} from '#shared/statistics/report.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { DateRangeFilter } from '../app/date-field.tsx'
import { call, download } from '../app/api.ts'
import { FigureTile, percent } from '../app/figure-tile.tsx'
import { FilterForm } from '../app/filter-form.tsx'
import { day, money, number } from '../app/format.ts'
import { ListBody, ListTotal, Loaded, type Column } from '../app/list-frame.tsx'
import { useRememberedFilters } from '../app/remember.ts'
import { RestoredFilters } from '../app/restored-filters.tsx'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { DemandTag } from '../demand/demand-card.tsx'
import { Link } from '../ui/link.tsx'
import { Empty, Head } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { GroupCharts } from './statistics/statistics-charts.tsx'
import { narrow, select, selectGroup, selectTab } from './statistics/selection.ts'
import { GroupTable } from './statistics/statistics-groups.tsx'

const pageSize = 10

/** The report of a period: its figures, their groups, and the demands behind each. The address holds the whole selection. */
export default function StatisticsPage() {
  const text = useText()
  const words = text.statistics
  const site = useSiteName()
  const { info } = useSession()
  const [params] = useSearchParams()
  useRememberedFilters('statistics')
  const today = dayOf(new Date())
  const from = params.get('from') ?? addDays(today, -364)
  const to = params.get('to') ?? today
  const deptId = params.get('deptId') ?? ''
  const by = reportGroups.find((one) => one === params.get('by')) ?? 'month'
  const key = params.get('key')
  const period = { from, to, ...(deptId && { deptId }) }
  const before = { ...period, ...periodBefore({ from, to }) }
  const figures = useFigures(period)
  const figuresBefore = useFigures(before)
  const compares = isComparable(figuresBefore.data?.demands ?? null)
  const groups = useGroups(period, by)
  const groupsBefore = useGroups(before, by, compares && by === 'month')
  const withParams = (change: Record<string, string | null>) => select(params, change)
  const name = (group: Group) => nameIn(text, group.name, group.nameEn)
  const pick = (group: { key: string; name: string }) => selectGroup(params, group)
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
      <RestoredFilters />
      <FilterForm
        views={['by']}
        chips={<Presets period={period} today={today} withParams={withParams} deptName={deptId && params.get('deptName')} />}
      >
        <input type="hidden" name="by" value={by} />
        {deptId && <input type="hidden" name="deptId" value={deptId} />}
        {deptId && <input type="hidden" name="deptName" value={params.get('deptName') ?? ''} />}
        <DateRangeFilter label={words.period} names={['from', 'to']} words={[words.from, words.to]} values={[from, to]} />
      </FilterForm>
      <Loaded query={figures} rows={3}>
        {(shown) => (
          <FigureCards
            figures={shown}
            before={compares ? figuresBefore.data : undefined}
            compared={figuresBefore.data && (compares ? words.compared : words.notCompared)(before.from, before.to)}
            to={(figure) => withParams({ figure: rowsOfFigure[figure], by, key: null, keyName: null })}
          />
        )}
      </Loaded>
      <section className="panel stack">
        <h2 className="visually-hidden">{words.by[by]}</h2>
        <Tabs
          label={words.title}
          keepsScroll
          tabs={reportGroups.map((one) => ({ to: selectTab(params, one), label: words.by[one], current: one === by }))}
        />
        <Loaded query={groups}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={words.empty} />
            ) : (
              <>
                <GroupCharts
                  groups={rows}
                  before={compares ? groupsBefore.data : undefined}
                  by={by}
                  period={{ from, to }}
                  name={name}
                  picked={key}
                  to={pick}
                />
                <GroupTable
                  groups={rows}
                  total={figures.data}
                  by={by}
                  name={name}
                  picked={key}
                  to={(group) => pick({ key: group.key, name: name(group) })}
                  drill={(group) => (by === 'unit' ? narrow(params, { key: group.key, name: name(group) }, info?.user.deptId) : null)}
                />
              </>
            )
          }
        </Loaded>
      </section>
      <Rows period={period} />
    </div>
  )
}

type Asked = Period & { deptId?: string }

const useFigures = (period: Asked) =>
  useQuery({
    queryKey: [getReport.url, period],
    queryFn: () => call(getReport, { query: period }),
    placeholderData: (before) => before,
  })

const useGroups = (period: Asked, by: (typeof reportGroups)[number], enabled = true) =>
  useQuery({
    queryKey: [getReportGroups.url, period, by],
    queryFn: () => call(getReportGroups, { query: { ...period, by } }),
    enabled,
  })

type PresetsProps = {
  period: Asked
  today: string
  withParams: (change: Record<string, string | null>) => string
  deptName: string | null
}

function Presets({ period, today, withParams, deptName }: PresetsProps) {
  const words = useText().statistics
  const presets = {
    month: `${today.slice(0, 8)}01`,
    quarter: addDays(today, -90),
    year: addDays(today, -364),
    calendar: `${today.slice(0, 4)}-01-01`,
  }
  return (
    <p className="row small mb-8">
      {Object.entries(presets).map(([preset, start]) => (
        <Link
          key={preset}
          className="button button-small"
          to={withParams({ from: start, to: today, key: null, keyName: null })}
          aria-current={period.from === start && period.to === today ? 'true' : undefined}
        >
          {words.presets[preset]}
        </Link>
      ))}
      {period.deptId && (
        <Link className="button button-small" to={withParams({ deptId: null, deptName: null, key: null, keyName: null })}>
          {words.drilled(deptName ?? '')} ×
        </Link>
      )}
    </p>
  )
}

const places = (value: number) => number(value, 1)
const tiles: readonly [keyof Figures, (value: number) => string][] = [
  ['demands', number],
  ['lines', number],
  ['awarded', number],
  ['failed', number],
  ['cancelled', number],
  ['quotesPerDemand', places],
  ['daysToOpen', places],
  ['daysToAward', places],
  ['rent', (yuan) => money(yuan)],
  ['net', (yuan) => money(yuan)],
  ['savedOnCeiling', percent],
  ['savedOnMean', percent],
]

type CardsProps = { figures: Figures; before: Figures | undefined; compared: string | undefined; to: (figure: keyof Figures) => string }

function FigureCards({ figures, before, compared, to }: CardsProps) {
  const words = useText().statistics
  const valueOf = (from: Figures, figure: keyof Figures) => (from[figure] === null ? null : Number(from[figure]))
  return (
    <section>
      <dl className="figure-grid figure-quarters">
        {tiles.map(([figure, format]) => (
          <FigureTile
            key={figure}
            label={words.figures[figure]}
            value={valueOf(figures, figure)}
            before={before && valueOf(before, figure)}
            format={format}
            hint={words.hints[figure]}
            to={to(figure)}
            keepsScroll
          />
        ))}
      </dl>
      <p className="small faint mt-8">{compared}</p>
    </section>
  )
}

/** The demands behind the selected figure or group. */
function Rows({ period }: { period: Asked }) {
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
  const columns: Column<NonNullable<typeof list.data>['rows'][number]>[] = [
    {
      label: words.demand,
      cell: (row) => (
        <>
          <Link to={paths.ownDemand(row.id)}>{row.title}</Link>
          <p className="small faint num">{row.demandCode}</p>
        </>
      ),
      whole: true,
    },
    { label: text.demand.project, className: 'long-name', cell: (row) => row.projectName },
    { label: text.site.common.status, cell: (row) => <DemandTag status={row.status} hasWinner={row.net !== null} /> },
    { label: words.published, cell: (row) => day(row.publishTime), num: true },
    { label: text.demand.quoteCount, cell: (row) => number(row.quoteCount), num: true },
    { label: words.figures.rent, cell: (row) => money(row.rent), num: true },
    { label: words.figures.net, cell: (row) => money(row.net), num: true },
    { label: words.figures.savedOnMean, cell: (row) => (row.savedOnMean === null ? '' : percent(row.savedOnMean)), num: true },
  ]
  const title = key ? words.rowsOf(params.get('keyName') ?? key) : figure === 'demands' ? words.all : words.rowsOf(words.sets[figure])
  return (
    <section className="stack">
      <h2>
        {title} <ListTotal list={list} />
      </h2>
      <ListBody list={list} columns={columns} keyOf={(row) => row.id} empty={words.empty} pageSize={pageSize} />
    </section>
  )
}
