import type { ReactNode } from 'react'

/**
 * Line drawings of the machine classes: one family of strokes on a 120 × 80 sheet, ground at y = 70, the working
 * part in amber. Used as icons and, on a sheet with dimension lines, as covers.
 */
const wheels = (...at: [x: number, r: number][]) =>
  at.map(([x, r]) => (
    <g key={x}>
      <circle cx={x} cy={70 - r} r={r} />
      <circle cx={x} cy={70 - r} r={r * 0.35} />
    </g>
  ))
const tracks = (x: number, width: number) => (
  <>
    <rect x={x} y="58" width={width} height="12" rx="6" />
    <path d={`M${x + 7} 64h${width - 14}`} strokeDasharray="2 5" />
  </>
)

const excavator = (
  <>
    {tracks(22, 48)}
    <path d="M28 58v-6h36v6M30 52V36h14l4-8h10l6 10v14z" />
    <path d="M49 30h8l4 8H46z" />
    <path className="amber" d="M60 40L78 16l6 3L68 46zM79 17l19 15-4 5L77 22z" />
    <path className="amber" d="M97 33l6 14c-4 6-12 6-15 2l3-8z" />
  </>
)
const loader = (
  <>
    {wheels([40, 12], [82, 12])}
    <path d="M26 58V44l10-2V26h20v18h34l4 6v8M54 58h14" />
    <path d="M40 29h12v12H40z" />
    <path className="amber" d="M78 44l18 10h16l-4 14H96l-4-10-18-8z" />
  </>
)
const towerCrane = (
  <>
    <path d="M48 70V18M56 70V18M48 18L52 8l4 10M48 28l8 8M56 28l-8 8M48 42l8 8M56 42l-8 8M48 56l8 8M56 56l-8 8M40 70h24" />
    <path className="amber" d="M30 18h84v5H30zM52 8l50 10M52 8L34 18M22 16h10v12H22z" />
    <path d="M92 23v18M88 41h8v6h-8z" />
  </>
)
const truckCrane = (
  <>
    {wheels([28, 7], [44, 7], [82, 7], [98, 7])}
    <path d="M16 60V54h96v6zM96 54V42h10l6 8v4M50 54V44h26v10" />
    <path className="amber" d="M52 44l-2-6L104 10l3 5L60 46z" />
    <path d="M106 12v16M102 28h8v5h-8zM70 54V40" />
  </>
)
const scissor = (
  <>
    {wheels([38, 6], [80, 6])}
    <path d="M28 64V54h62v10zM34 54h50" />
    <path className="amber" d="M36 54l46-14M82 54L36 40M36 40l46-14M82 40L36 26" />
    <path d="M30 26h58v-3H30zM32 23V10h54v13M32 16h54" />
  </>
)
const mixer = (
  <>
    {wheels([26, 7], [70, 7], [86, 7])}
    <path d="M14 62V40h14l8 10v12zM18 44h8l5 7H18zM36 62h64v-5H36z" />
    <path className="amber" d="M44 50l6-18 26-10 20 12-2 10-30 10z" />
    <path d="M58 28l10 24M76 22l8 24M96 36l10 4-4 18" />
  </>
)
const drillRig = (
  <>
    {tracks(18, 46)}
    <path d="M22 58V40h30v18M26 44h12v8H26zM52 46l16-8M52 54l18 2" />
    <path className="amber" d="M68 6h8v58h-8zM64 20h16v8H64z" />
    <path d="M72 64v6M70 6l2-3 2 3M68 14l8 6M68 34l8 6M68 46l8 6M40 40L70 8" />
  </>
)
const roller = (
  <>
    <circle className="amber" cx="34" cy="54" r="16" />
    <circle cx="34" cy="54" r="5" />
    {wheels([88, 13])}
    <path d="M50 50h20v-4h24l4 12M64 46V22h24v24M68 26h16v14H68zM34 54h18" />
  </>
)
const shield = (
  <>
    <path d="M44 18h56v44H44M100 22h10v36h-10M56 18v44M72 18v44M88 18v44" />
    <ellipse className="amber" cx="40" cy="40" rx="13" ry="27" />
    <path d="M40 13v54M28 30l24 20M28 50l24-20" />
    <path d="M8 72h104" strokeDasharray="6 4" />
  </>
)
const bridge = (
  <>
    <path d="M30 70V44h-6v-4h16v4h-4v26M84 70V44h-6v-4h16v4h-4v26M16 40h90" />
    <path className="amber" d="M12 22h98v8H12zM12 22l10 8 10-8 10 8 10-8 10 8 10-8 10 8 10-8 10 8 8-6" />
    <path d="M34 30v10M88 30v10M52 30v5M70 30v5M46 35h30v5H46z" />
  </>
)
const dumpTruck = (
  <>
    {wheels([30, 8], [74, 8], [92, 8])}
    <path d="M18 62V38h16l8 12v12zM22 42h10l5 8H22zM42 62h62v-5H42z" />
    <path className="amber" d="M46 54L42 28h62l-6 26z" />
    <path d="M58 28l2 26M72 28l1 26M86 28l-1 26" />
  </>
)
const generator = (
  <>
    <path d="M18 66h84M24 66v4M96 66v4M22 30h76v36H22zM30 30v-8h10v8" />
    <path d="M30 38h22v20H30zM30 43h22M30 48h22M30 53h22" />
    <path className="amber" d="M78 36l-12 16h8l-4 12 14-18h-9l5-10z" />
  </>
)
const rebar = (
  <>
    <path d="M16 66h88M24 66V48h28v18M28 48v-8h20v8M32 54h12v6H32z" />
    <path className="amber" d="M48 44h38c12 0 14-16 2-16H70M56 38h28" />
    <circle cx="88" cy="36" r="4" />
    <path d="M20 44h8M60 66V56h36v10" />
  </>
)
const pump = (
  <>
    <circle className="amber" cx="54" cy="46" r="18" />
    <circle cx="54" cy="46" r="6" />
    <path d="M54 28h26V16h12v12H80M36 46H16v12h12M44 62l-6 8h32l-6-8M72 46h20v14H70" />
    <path d="M54 40c4-6 10-4 10 0M60 46c6 4 4 10 0 10M54 52c-4 6-10 4-10 0M48 46c-6-4-4-10 0-10" />
  </>
)
const vessel = (
  <>
    <path d="M12 52h96l-10 16H24zM22 52V40h18v12M26 44h6v4h-6zM6 72c6-4 10 0 16 0s10-4 16 0 10 0 16 0 10-4 16 0 10 0 16 0 10-4 16 0" />
    <path className="amber" d="M56 52l30-42 4 3-24 39zM52 52V36l34-26" />
    <path d="M88 12v26M84 38h8v5h-8z" />
  </>
)
const forklift = (
  <>
    {wheels([36, 9], [70, 10])}
    <path d="M24 60V44h16l8-24h18l4 26v12M48 44h20M52 24h12l3 20" />
    <path className="amber" d="M78 8h5v58h-5zM83 56h26v4H83zM83 40v20" />
  </>
)

const byGroup: Record<number, ReactNode> = {
  100: excavator,
  200: towerCrane,
  300: scissor,
  400: mixer,
  500: drillRig,
  600: roller,
  700: shield,
  800: bridge,
  900: dumpTruck,
  1000: generator,
  1100: rebar,
  1200: pump,
  1300: vessel,
}
const byCategory: Record<number, ReactNode> = {
  106: loader,
  107: loader,
  105: loader,
  203: truckCrane,
  204: truckCrane,
  205: truckCrane,
  206: truckCrane,
  207: truckCrane,
  907: forklift,
  908: forklift,
  306: forklift,
}

export function MachineIcon({ group, category }: { group: number; category?: number }) {
  return (
    <svg className="machine" viewBox="0 0 120 80" aria-hidden="true">
      {byCategory[category ?? 0] ?? byGroup[group] ?? pump}
    </svg>
  )
}

/** The drawing as a cover: on graph paper, between dimension lines, with the main parameter written on them. */
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
      <svg viewBox="0 0 200 130" role="img" aria-label={note}>
        <g className="machine" transform="translate(40 28)">
          {byCategory[category] ?? byGroup[group] ?? pump}
        </g>
        <path className="ground" d="M16 98H184" />
        <g className="dimension">
          <path d="M48 112H152M48 107V117M152 107V117M48 112l6-3M48 112l6 3M152 112l-6-3M152 112l-6 3" />
          <path d="M26 38V98M21 38h10M21 98h10" />
        </g>
        {size && (
          <text x="100" y="124" textAnchor="middle">
            {size}
          </text>
        )}
      </svg>
    </div>
  )
}
