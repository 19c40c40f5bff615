// The only module that imports echarts. It is fetched when a chart comes into view.
import { BarChart, LineChart, type BarSeriesOption, type LineSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TooltipComponent,
  type GridComponentOption,
  type LegendComponentOption,
  type TooltipComponentOption,
} from 'echarts/components'
import { init, use as register, type ComposeOption, type ECharts } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartData, ChartSeries } from './chart-data.ts'
import { tokens } from './tokens.ts'

register([BarChart, LineChart, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent, LabelLayout, SVGRenderer])

type Option = ComposeOption<BarSeriesOption | LineSeriesOption | GridComponentOption | LegendComponentOption | TooltipComponentOption>

export type Drawing = {
  show: (data: ChartData) => void
  /** Opens the values of a label as the mouse does; null closes them. */
  point: (index: number | null) => void
  /** The chart as a PNG of twice its size. */
  picture: () => Promise<Blob>
  end: () => void
}

/** Draws into a box, follows its size and the colours of the page, and answers the index of a label that is clicked. */
export function draw(box: HTMLElement, onPick: (index: number) => void): Drawing {
  const chart = init(box, null, { renderer: 'svg' })
  let shown: ChartData | null = null
  const repaint = () => {
    if (shown) chart.setOption(optionOf(shown, box.clientWidth), { notMerge: true })
  }
  const size = new ResizeObserver(() => {
    chart.resize()
    repaint()
  })
  size.observe(box)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', repaint)
  // Paper is white, whatever the screen is; the styles of the page for it hold only after the browser has read the drawing.
  const print = ({ type }: Event) => {
    isPrinting = type === 'beforeprint'
    repaint()
  }
  addEventListener('beforeprint', print)
  addEventListener('afterprint', print)
  // The page may also be switched by hand, with an attribute of its root.
  const root = new MutationObserver(repaint)
  root.observe(document.documentElement, { attributes: true })
  chart.getZr().on('click', ({ offsetX, offsetY }) => {
    const index = shown && indexAt(chart, shown, [offsetX, offsetY])
    if (index !== null) onPick(index)
  })
  return {
    show: (data) => {
      shown = data
      repaint()
    },
    point: (index) => chart.dispatchAction(index === null ? { type: 'hideTip' } : { type: 'showTip', seriesIndex: 0, dataIndex: index }),
    picture: () => pictureOf(chart),
    end: () => {
      size.disconnect()
      root.disconnect()
      dark.removeEventListener('change', repaint)
      removeEventListener('beforeprint', print)
      removeEventListener('afterprint', print)
      chart.dispose()
    },
  }
}

function indexAt(chart: ECharts, { labels, lying }: ChartData, point: [number, number]): number | null {
  if (!chart.containPixel('grid', point)) return null
  const index = chart.convertFromPixel({ gridIndex: 0 }, point)[lying ? 1 : 0]
  return index !== undefined && index in labels ? index : null
}

let isPrinting = false

function variable(name: keyof typeof tokens.light | 'font'): string {
  if (isPrinting && name !== 'font') return tokens.light[name]
  return getComputedStyle(document.documentElement)
    .getPropertyValue(`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
    .trim()
}

/** The font of the page in single quotes: zrender writes attributes without escaping, so double ones make the saved SVG unreadable. */
const fontFamily = () => variable('font').replaceAll('"', "'")

function optionOf(data: ChartData, width: number): Option {
  const { labels, lying = false, format } = data
  const nameWidth = Math.min(160, Math.round(width * 0.4))
  const hasLegend = data.series.length > 1
  const words = { color: variable('inkSoft'), fontSize: 12, fontFamily: fontFamily() }
  const names = {
    type: 'category' as const,
    data: [...labels],
    axisLabel: { ...words, ...(lying && { width: nameWidth, overflow: 'truncate' as const }) },
    axisTick: { show: false },
    axisLine: { lineStyle: { color: variable('lineStrong') } },
    ...(lying && { inverse: true }),
  }
  const values = {
    type: 'value' as const,
    axisLabel: { ...words, formatter: format, hideOverlap: true },
    splitNumber: width < 480 ? 3 : 5,
    splitLine: { lineStyle: { color: variable('line') } },
  }
  return {
    animation: !isPrinting && !matchMedia('(prefers-reduced-motion: reduce)').matches,
    animationDuration: 250,
    textStyle: words,
    // Room for the labels is set by hand: bars keep the place of the first layout when the library makes room for long ones afterwards.
    grid: {
      top: hasLegend ? 40 : 20,
      right: lying ? 56 : 12,
      bottom: 26,
      left: lying ? nameWidth + 12 : valueWidth(data),
      outerBoundsMode: 'none',
    },
    legend: { show: hasLegend, top: 0, left: 0, itemWidth: 14, itemHeight: 10, textStyle: words, inactiveColor: variable('lineStrong') },
    tooltip: {
      trigger: 'axis',
      confine: true,
      axisPointer: { type: 'shadow', shadowStyle: { color: variable('sunk'), opacity: 0.6 } },
      backgroundColor: variable('surface'),
      borderColor: variable('line'),
      textStyle: { ...words, color: variable('ink') },
      valueFormatter: (value) => (typeof value === 'number' ? format(value) : '—'),
    },
    xAxis: lying ? values : names,
    yAxis: lying ? names : values,
    series: data.series.map((series, index) => seriesOf(series, { data, isFirst: index === 0 })),
  }
}

/** The width of the largest value beside its axis. The axis ends at a round number above it. */
function valueWidth({ series, format }: ChartData): number {
  const largest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return 14 + 7 * format(largest * 1.2).length
}

type Around = { data: ChartData; isFirst: boolean }

function seriesOf({ name, kind, tone, values, dashed }: ChartSeries, { data, isFirst }: Around): BarSeriesOption | LineSeriesOption {
  const color = variable(tone)
  const { lying = false, picked = null, marks = [], format } = data
  const shared = {
    name,
    data: values.map((value, index) => ({ value: value ?? '-', itemStyle: { opacity: picked === null || picked === index ? 1 : 0.35 } })),
    ...(isFirst &&
      marks.length > 0 && {
        markLine: {
          symbol: 'none',
          silent: true,
          animation: false,
          lineStyle: { color: variable('amber'), type: 'dashed' as const, width: 1.5 },
          label: { color: variable('inkSoft'), position: 'insideEndTop' as const, formatter: '{b}' },
          data: marks.map((mark) => ({ name: mark.name, [lying ? 'xAxis' : 'yAxis']: mark.value })),
        },
      }),
  }
  if (kind === 'line')
    return {
      ...shared,
      type: 'line',
      color,
      symbolSize: 6,
      lineStyle: { color, width: 2, type: dashed ? 'dashed' : 'solid' },
    }
  return {
    ...shared,
    type: 'bar',
    color,
    barMaxWidth: 28,
    itemStyle: { borderRadius: lying ? [0, 2, 2, 0] : [2, 2, 0, 0] },
    // Values stand on the bars as far as they do not cover each other; of lying bars also a zero, whose line would look empty.
    labelLayout: { hideOverlap: true },
    label: {
      show: true,
      position: lying ? 'right' : 'top',
      color: variable('inkSoft'),
      // A value that is wider than its bar reaches over the next one, where an outline keeps it readable.
      textBorderColor: variable('surface'),
      textBorderWidth: 3,
      fontSize: 11,
      formatter: ({ value }) => (typeof value === 'number' && (lying || value > 0) ? format(value) : ''),
    },
  }
}

/** A canvas of ours, because the renderer of SVG writes no other kind of picture. */
async function pictureOf(chart: ECharts): Promise<Blob> {
  const image = new Image()
  await new Promise((done, failed) => {
    image.addEventListener('load', done)
    image.addEventListener('error', () => failed(new Error('the browser cannot read the chart')))
    image.src = chart.getDataURL({ type: 'svg' })
  })
  const canvas = document.createElement('canvas')
  canvas.width = chart.getWidth() * 2
  canvas.height = chart.getHeight() * 2
  const paper = canvas.getContext('2d')
  if (paper) {
    paper.fillStyle = variable('surface')
    paper.fillRect(0, 0, canvas.width, canvas.height)
    paper.drawImage(image, 0, 0, canvas.width, canvas.height)
  }
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('the browser draws no picture'))), 'image/png'),
  )
}
