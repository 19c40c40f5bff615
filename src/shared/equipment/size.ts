import { mainParam } from '#shared/main-param.ts'
type Param = { key: string; unit: string; main: boolean }
type Specs = Readonly<Record<string, string | number>>

/** A value with its unit: "25 t". Empty if the machine has none. */
export function sizeOf({ key, unit }: Pick<Param, 'key' | 'unit'>, specs: Specs): string {
  const value = specs[key]
  if (value === undefined || value === '') return ''
  return `${typeof value === 'number' ? value.toLocaleString('en') : value} ${unit}`.trim()
}

/** The main parameter of a machine with its unit, by the parameters of its category. */
export function mainSizeOf(params: readonly Param[], specs: Specs): string {
  const main = mainParam(params)
  return main ? sizeOf(main, specs) : ''
}
