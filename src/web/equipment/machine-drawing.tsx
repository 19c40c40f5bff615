import drawings from './drawings.svg?url'

/** The drawing of a class of machines. Its paths are in one file that is fetched once, so a list does not repeat them. */
const byGroup: Record<number, string> = {
  100: 'excavator',
  200: 'tower-crane',
  300: 'scissor',
  400: 'mixer',
  500: 'drill-rig',
  600: 'roller',
  700: 'shield',
  800: 'bridge',
  900: 'dump-truck',
  1000: 'generator',
  1100: 'rebar',
  1200: 'pump',
  1300: 'vessel',
}
const byCategory: Record<number, string> = {
  105: 'loader',
  106: 'loader',
  107: 'loader',
  203: 'truck-crane',
  204: 'truck-crane',
  205: 'truck-crane',
  206: 'truck-crane',
  207: 'truck-crane',
  306: 'forklift',
  907: 'forklift',
  908: 'forklift',
}
const drawingOf = (group: number, category = 0) => `${drawings}#${byCategory[category] ?? byGroup[group] ?? 'pump'}`

export function MachineIcon({ group, category }: { group: number; category?: number }) {
  return (
    <svg className="machine" viewBox="0 0 120 80" aria-hidden="true">
      <use href={drawingOf(group, category)} />
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
        <use href={drawingOf(group, category)} x="40" y="28" width="120" height="80" />
        {size && (
          <text x="100" y="124" textAnchor="middle">
            {size}
          </text>
        )}
      </svg>
    </div>
  )
}
