import { useMemo } from 'react'
import { monthsOf, periodBefore, type Period } from '#shared/statistics/period.ts'
import type { Group, ReportGroup } from '#shared/statistics/report.ts'
import { number } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { Chart } from '../../ui/chart.tsx'
import type { ChartSeries } from '../../ui/chart-data.ts'
import './statistics.css'

/** Groups other than months are drawn up to this many; the table below has all. */
const mostDrawn = 12
const tenThousand = (yuan: string | undefined) => Math.round(Number(yuan ?? 0) / 100) / 100

type ChartsProps = {
  groups: readonly Group[]
  /** The months of the period before. */
  before: readonly Group[] | undefined
  by: ReportGroup
  period: Period
  name: (group: Group) => string
  picked: string | null
  to: (group: { key: string; name: string }) => string
}

/** Counts and amounts of each group, each as a chart of its own because their scales differ. A click filters the demands below. */
export function GroupCharts({ groups, before, by, period: { from, to: until }, name, picked, to }: ChartsProps) {
  const { statistics: words, site, locale } = useText()
  const { charts } = words
  const [counts, amounts, drawn] = useMemo(() => {
    const inEnglish = locale !== 'zh-CN'
    const found = new Map(groups.map((group) => [group.key, group]))
    const drawn =
      by === 'month'
        ? monthsOf({ from, to: until }).map((month) => ({ key: month, name: month, group: found.get(month) }))
        : groups.slice(0, mostDrawn).map((group) => ({ key: group.key, name: inEnglish ? group.nameEn : group.name, group }))
    const shared = {
      labels: drawn.map((one) => one.name),
      lying: by !== 'month',
      picked: picked === null ? null : drawn.findIndex(({ key }) => key === picked),
    }
    const counts: ChartSeries[] = [
      { name: words.figures.demands, kind: 'bar', tone: 'blue', values: drawn.map(({ group }) => group?.demands ?? 0) },
      { name: words.figures.awarded, kind: 'bar', tone: 'amber', values: drawn.map(({ group }) => group?.awarded ?? 0) },
    ]
    if (by === 'month' && before) {
      const earlier = monthsOf(periodBefore({ from, to: until }))
      const demandsOf = (month: string | undefined) => before.find(({ key }) => key === month)?.demands ?? 0
      counts.push({
        name: words.beforeSeries,
        kind: 'line',
        tone: 'lineStrong',
        dashed: true,
        values: drawn.map((_, index) => (earlier[index] ? demandsOf(earlier[index]) : null)),
      })
    }
    const amounts: ChartSeries[] = [
      { name: charts.rent, kind: 'bar', tone: 'blue', values: drawn.map(({ group }) => tenThousand(group?.rent)) },
      { name: charts.net, kind: 'bar', tone: 'good', values: drawn.map(({ group }) => tenThousand(group?.net)) },
    ]
    return [
      { ...shared, series: counts, format: (value: number) => number(value) },
      { ...shared, series: amounts, format: (value: number) => number(value, 1) },
      drawn,
    ] as const
  }, [groups, before, by, from, until, picked, words, charts, locale])
  const height = by === 'month' ? 260 : 70 + drawn.length * 38
  const link = (index: number) => {
    const one = drawn[index]
    return to(one ? { key: one.key, name: one.group ? name(one.group) : one.name } : { key: '', name: '' })
  }
  const shown = by !== 'month' && groups.length > mostDrawn ? ` · ${charts.top(mostDrawn)}` : ''
  return (
    <div className="charts">
      {(
        [
          [charts.counts + shown, counts],
          [charts.amounts + shown, amounts],
        ] as const
      ).map(([title, data]) => (
        <Chart key={title} title={title} data={data} to={link} labelName={charts.label[by]} words={site.chart} height={height} />
      ))}
    </div>
  )
}
