import './chart.css'

const width = 120
const height = 32

/** The course of a figure as a line, without axes: it shows a direction beside a number that people can read. */
export function Spark({ values }: { values: readonly (number | null)[] }) {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, x: (index / Math.max(1, values.length - 1)) * width }]))
  const top = Math.max(...known.map(({ value }) => value))
  const bottom = Math.min(0, ...known.map(({ value }) => value))
  const y = (value: number) => height - 2 - ((value - bottom) / (top - bottom || 1)) * (height - 4)
  const line = known.map(({ x, value }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y(value).toFixed(1)}`).join('')
  const [first, last] = [known[0], known.at(-1)]
  return (
    <svg className="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {first && last && <path className="spark-area" d={`${line}L${last.x.toFixed(1)} ${height}L${first.x.toFixed(1)} ${height}Z`} />}
      <path d={line} />
    </svg>
  )
}
