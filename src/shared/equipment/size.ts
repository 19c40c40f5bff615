import { mainParam } from '#shared/main-param.ts'
import type { SpecRule } from './rules.ts'

type Param = { key: string; unit: string; main: boolean }
type Specs = Readonly<Record<string, string | number>>

/** A value with its unit: "25 t". Empty if the machine has none. */
export function sizeOf({ key, unit }: Pick<Param, 'key' | 'unit'>, specs: Specs): string {
  const value = specs[key]
  if (value === undefined || value === '') return ''
  return `${typeof value === 'number' ? grouped(value) : value} ${unit}`.trim()
}

/** A number with separators: "2,000". A requirement holds it as text; what is no number stays as it is. */
export const grouped = (value: string | number): string =>
  value !== '' && Number.isFinite(Number(value)) ? Number(value).toLocaleString('en') : String(value)

/** Whether a requirement names one number. In a list of values a separator would look like that between two of them. */
export const isOneNumber = (param: { type: 'number' | 'text' } | undefined, rule: SpecRule): boolean =>
  param?.type === 'number' && rule !== 'in'

/** The main parameter of a machine with its unit, by the parameters of its category. */
export function mainSizeOf(params: readonly Param[], specs: Specs): string {
  const main = mainParam(params)
  return main ? sizeOf(main, specs) : ''
}
