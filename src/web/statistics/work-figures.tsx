import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { addDays, dayOf } from '#shared/calendar.ts'
import { courseWeeks, getWorkFigures, type PanelFigure, type WorkFigure } from '#shared/statistics/panel.ts'
import { call } from '../app/api.ts'
import { FigureTile, percent } from '../app/figure-tile.tsx'
import { number } from '../app/format.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { Chart } from '../ui/chart.tsx'
import type { ChartData } from '../ui/chart-data.ts'

const places = (value: number) => number(value, 1)
const whole = (value: number) => number(value)
const formats: Record<PanelFigure, (value: number) => string> = {
  demands: whole,
  quotesPerDemand: places,
  savedOnMean: percent,
  daysToAward: places,
  utilisation: percent,
  quotes: whole,
  winRate: percent,
  papers: whole,
  reviewHours: places,
}

/** Four figures of the last 30 days against the 30 days before, each with its course; one of them is drawn at length. */
export function WorkFigures() {
  const words = useText().statistics.panel
  const figures = useQuery({
    queryKey: [getWorkFigures.url],
    queryFn: () => call(getWorkFigures, {}),
    staleTime: 60_000,
  })
  return (
    <section>
      <h2 className="mb-12">{words.figuresTitle}</h2>
      <Loaded query={figures} rows={2}>
        {(shown) => (shown.length > 0 ? <Figures figures={shown} /> : null)}
      </Loaded>
    </section>
  )
}

function Figures({ figures }: { figures: readonly WorkFigure[] }) {
  const words = useText().statistics.panel
  const [chosen, setChosen] = useState(figures[0]?.key)
  const drawn = figures.find(({ key }) => key === chosen) ?? figures[0]
  return (
    <div className="stack">
      <dl className="figure-grid figure-quarters">
        {figures.map(({ key, value, before, course, link }) => (
          <FigureTile
            key={key}
            label={words.figures[key]}
            value={value}
            before={before}
            format={formats[key]}
            hint={words.figureHints[key]}
            course={course}
            to={link ?? undefined}
          />
        ))}
      </dl>
      {drawn && (
        <div className="panel stack">
          <div className="tabs" role="group" aria-label={words.figuresTitle}>
            {figures.map(({ key }) => (
              <button key={key} type="button" aria-pressed={key === drawn.key} onClick={() => setChosen(key)}>
                {words.figures[key]}
              </button>
            ))}
          </div>
          <Course key={drawn.key} figure={drawn} />
        </div>
      )}
    </div>
  )
}

function Course({ figure: { key, course } }: { figure: WorkFigure }) {
  const {
    statistics: { panel },
    site,
  } = useText()
  const today = dayOf(new Date())
  const data = useMemo((): ChartData => {
    // Papers expire in the weeks to come; every other course ends today.
    const first = key === 'papers' ? today : addDays(today, 1 - courseWeeks * 7)
    return {
      labels: course.map((_, week) => addDays(first, week * 7).slice(5)),
      series: [
        {
          name: panel.figures[key],
          kind: key === 'demands' || key === 'quotes' || key === 'papers' ? 'bar' : 'line',
          tone: 'blue',
          values: course,
        },
      ],
      format: formats[key],
    }
  }, [course, key, panel, today])
  const title = key === 'papers' ? panel.figures[key] : panel.course(panel.figures[key])
  return <Chart title={title} data={data} labelName={panel.week} words={site.chart} height={200} />
}
