import { sizeOf } from '#shared/equipment/size.ts'
import type { Param } from './reference.ts'

type Compared = { categoryId: number; specs: Readonly<Record<string, string | number>> }
/** The parameters of each category by its id. */
export type ParamsOf = Readonly<Record<number, readonly Param[]>>

/** The machines of the address that are no longer on the shelf: the server answers only with the others. */
export const goneOf = (ids: string, machines: readonly { id: number }[]): number[] =>
  [...new Set(ids.split(',').map(Number))].filter((id) => !machines.some((machine) => machine.id === id))

/** The parameters of the machines, each once, with the value of each machine in the unit of its own category. */
export function comparedParams(machines: readonly Compared[], paramsOf: ParamsOf) {
  const own = machines.map(({ categoryId }) => new Map((paramsOf[categoryId] ?? []).map((param) => [param.key, param])))
  const params = new Map(own.toReversed().flatMap((all) => [...all]))
  return [...params.values()].map((param) => {
    const each = own.map((all) => all.get(param.key))
    // Numbers in different units have no best.
    const isRanked = param.type === 'number' && each.every((one) => !one || one.unit === param.unit)
    return {
      param,
      values: machines.map(({ specs }, at) => (each[at] ? sizeOf(each[at], specs) : '')),
      ranks: isRanked
        ? machines.map(({ specs }, at) => (each[at] && specs[param.key] !== undefined ? Number(specs[param.key]) : null))
        : [],
    }
  })
}
