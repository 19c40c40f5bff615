import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ChartData } from './chart-data.ts'
import type { Drawing } from './chart-engine.ts'
import { Link } from './link.tsx'
import { saveFile } from './save-file.ts'
import './chart.css'

type ChartWords = {
  table: string
  chart: string
  picture: string
  loading: string
  failed: string
  retry: string
  /** How the keyboard walks the chart. */
  keys: string
  /** Describes the chart to people who cannot see it: how many labels it has, and the label with the highest value of the first series. */
  summary: (title: string, labels: number, highest: string, value: string) => string
  none: (title: string) => string
}

type ChartProps = {
  title: string
  data: ChartData
  /** Where a click on a label leads. */
  to?: (index: number) => string
  /** Of the column that holds the labels in the table. */
  labelName: string
  words: ChartWords
  height?: number
}

/**
 * A chart with a title, a description, a table of the same values behind a button, and an export as a picture. It is drawn when it comes
 * into view, because the library that draws it is larger than a page.
 */
export function Chart({ title, data, to, labelName, words, height = 260 }: ChartProps) {
  const id = useId()
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className="chart" aria-labelledby={id}>
      <figcaption className="row between gap-8">
        <h3 id={id}>{title}</h3>
        <button type="button" className="button button-small no-print" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? words.chart : words.table}
        </button>
      </figcaption>
      <p className="visually-hidden">{summaryOf(title, data, words)}</p>
      {asTable ? (
        <ChartTable title={title} data={data} to={to} labelName={labelName} />
      ) : (
        <ChartBox title={title} data={data} to={to} words={words} height={height} />
      )}
    </figure>
  )
}

function summaryOf(title: string, data: ChartData, words: ChartWords): string {
  const [first] = data.series
  const most = Math.max(...(first?.values ?? []).map((value) => value ?? -Infinity))
  const highest = first?.values.indexOf(most) ?? -1
  if (!first || highest < 0) return words.none(title)
  return words.summary(title, data.labels.length, data.labels[highest] ?? '', `${first.name} ${data.format(most)}`)
}

function ChartTable({ title, data, to, labelName }: Pick<ChartProps, 'title' | 'data' | 'labelName'> & { to: ChartProps['to'] }) {
  return (
    <div className="scroll-x" tabIndex={0} role="group" aria-label={title}>
      <table className="table">
        <thead>
          <tr>
            <th>{labelName}</th>
            {data.series.map(({ name }) => (
              <th key={name} className="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.labels.map((label, index) => (
            <tr key={index}>
              <td>
                {to ? (
                  <Link to={to(index)} preventScrollReset>
                    {label}
                  </Link>
                ) : (
                  label
                )}
              </td>
              {data.series.map(({ name, values }) => (
                <td key={name} className="right num">
                  {valueOf(data, values[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const valueOf = (data: ChartData, value: number | null | undefined) => (value === null || value === undefined ? '—' : data.format(value))

type BoxProps = Pick<ChartProps, 'title' | 'data' | 'words'> & { to: ChartProps['to']; height: number }

function ChartBox({ title, data, to, words, height }: BoxProps) {
  const navigate = useNavigate()
  const keysId = useId()
  const [pointedAt, setAt] = useState(0)
  const last = data.labels.length - 1
  // The data may have become fewer since.
  const at = Math.max(0, Math.min(pointedAt, last))
  const pick = (index: number) => to && void navigate(to(index), { preventScrollReset: true })
  const { box, drawing, hasFailed, retry } = useDrawing(data, pick)
  const point = (index: number) => {
    setAt(index)
    drawing?.point(index)
  }
  const walk = (event: KeyboardEvent) => {
    const next = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: last }[event.key]
    if (next !== undefined) point(Math.min(last, Math.max(0, next)))
    else if (event.key === 'Enter') pick(at)
    else if (event.key === 'Escape') drawing?.point(null)
    else return
    event.preventDefault()
  }
  return (
    <>
      <div
        ref={box}
        className="chart-box"
        style={{ height }}
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at}
        aria-valuetext={[data.labels[at], ...data.series.map(({ name, values }) => `${name} ${valueOf(data, values[at])}`)].join(', ')}
        aria-describedby={keysId}
        data-drawn={drawing ? '' : undefined}
        onKeyDown={walk}
        onFocus={() => drawing?.point(at)}
        onBlur={() => drawing?.point(null)}
      />
      <p id={keysId} className="chart-keys small soft">
        {words.keys}
      </p>
      {!drawing && (
        <p className="chart-state small soft" role="status">
          {hasFailed ? words.failed : words.loading}{' '}
          {hasFailed && (
            <button type="button" className="link" onClick={retry}>
              {words.retry}
            </button>
          )}
        </p>
      )}
      {drawing && (
        <button type="button" className="link small no-print" onClick={() => void save(drawing, title)}>
          {words.picture}
        </button>
      )}
    </>
  )
}

/** Fetches what draws the chart once its box is in view, and keeps the drawing up to date. */
function useDrawing(data: ChartData, onPick: (index: number) => void) {
  const box = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [tries, setTries] = useState(1)
  const [failedTry, setFailedTry] = useState(0)
  const pick = useRef(onPick)
  useEffect(() => {
    pick.current = onPick
  })
  useEffect(() => {
    const element = box.current
    if (!element) return
    let made: Drawing | null = null
    let isGone = false
    const start = () =>
      import('./chart-engine.ts').then(
        ({ draw }) => {
          if (isGone) return
          made = draw(element, (index) => pick.current(index))
          setDrawing(made)
        },
        () => setFailedTry(tries),
      )
    const view = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      view.disconnect()
      void start()
    })
    view.observe(element)
    return () => {
      isGone = true
      view.disconnect()
      made?.end()
      setDrawing(null)
    }
  }, [tries])
  useEffect(() => drawing?.show(data), [drawing, data])
  return { box, drawing, hasFailed: failedTry === tries, retry: () => setTries((before) => before + 1) }
}

async function save(drawing: Drawing, title: string): Promise<void> {
  saveFile(`${title}.png`, await drawing.picture())
}
