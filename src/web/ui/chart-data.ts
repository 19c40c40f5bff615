type ChartTone = 'blue' | 'amber' | 'good' | 'lineStrong'

export type ChartSeries = {
  name: string
  kind: 'bar' | 'line'
  tone: ChartTone
  /** One for each label; null where nothing is known. */
  values: readonly (number | null)[]
  /** Drawn faintly, such as the period before. */
  dashed?: boolean
}

export type ChartData = {
  labels: readonly string[]
  series: readonly ChartSeries[]
  /** Names stand at the left and bars lie, for labels that are longer than a month. */
  lying?: boolean
  /** The label that is picked out. */
  picked?: number | null
  /** A level drawn across the chart. */
  marks?: readonly { name: string; value: number }[]
  format: (value: number) => string
}
