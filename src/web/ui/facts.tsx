import type { ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

/** The rows of a list of facts (`<dl>`). Those without a value are left out. */
export function FactRows({ facts, isNumeric = false }: { facts: readonly Fact[]; isNumeric?: boolean }) {
  return facts
    .filter(([, value]) => value || value === 0)
    .map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className={isNumeric ? 'num' : undefined}>{value}</dd>
      </div>
    ))
}
