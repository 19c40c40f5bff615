import { drawingOf } from './drawing.ts'
import drawings from './drawings.svg?url'

/** The symbols are in one file that is fetched once, so a list does not repeat them. */
const addressOf = (group: number, category?: number) => `${drawings}#${drawingOf(group, category)}`

export function MachineIcon({ group, category }: { group: number; category?: number }) {
  return (
    <svg className="machine" viewBox="0 0 120 80" aria-hidden="true">
      <use href={addressOf(group, category)} />
    </svg>
  )
}

/** A tower crane between its dimension lines, as on a drawing sheet. */
export function HeroDrawing() {
  return (
    <div className="hero-drawing" aria-hidden="true">
      <svg className="machine">
        <use href={`${drawings}#hero`} />
      </svg>
    </div>
  )
}

/** The drawing as the cover of a machine without photos: on graph paper, with the main parameter on a dimension line. */
export function MachineCover({
  group,
  category,
  size,
  note,
}: {
  group: number
  category: number
  size?: string | undefined
  note: string
}) {
  return (
    <div className="cover">
      <svg className="machine" viewBox="0 0 200 130" role="img" aria-label={note}>
        <use href={`${drawings}#sheet`} />
        <use href={addressOf(group, category)} x="40" y="28" width="120" height="80" />
        {size && (
          <text x="100" y="124" textAnchor="middle">
            {size}
          </text>
        )}
      </svg>
    </div>
  )
}
