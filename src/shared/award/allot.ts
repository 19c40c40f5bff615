import { mostAtOnce } from '../calendar.ts'
import type { Pick } from './rules.ts'

type AwardedLine = {
  id: number
  machines: readonly { equipmentId: number; availableQty: number; freeQty: number }[]
}

/**
 * The machines that each choice takes, in the order of the choices: the first of its offer that may still be let, less what the choices before it
 * take of them on the same days. A choice that gets fewer than it asks for names units that an earlier one has taken.
 */
export function allotMachines(
  picks: readonly Pick[],
  items: readonly { id: number; planStart: string; planEnd: string }[],
  quotes: readonly { lines: readonly AwardedLine[] }[],
): { equipmentId: number; qty: number }[][] {
  const lines = new Map(quotes.flatMap((quote) => quote.lines.map((line) => [line.id, line])))
  const taken: { equipmentId: number; qty: number; planStart: string; planEnd: string }[] = []
  return picks.map(({ demandItemId, quoteLineId, qty }) => {
    const item = items.find(({ id }) => id === demandItemId)
    if (!item) return []
    const { planStart, planEnd } = item
    let open = qty
    return (lines.get(quoteLineId)?.machines ?? []).flatMap(({ equipmentId, availableQty, freeQty }) => {
      const used = mostAtOnce(
        taken.filter((one) => one.equipmentId === equipmentId),
        item,
      )
      const got = Math.max(0, Math.min(open, availableQty, freeQty - used))
      if (got === 0) return []
      open -= got
      taken.push({ equipmentId, qty: got, planStart, planEnd })
      return [{ equipmentId, qty: got }]
    })
  })
}

/** The first choice for which too few machines are left, because its line shares them with an earlier one; undefined where there is none. */
export const findShortPick = (...[picks, ...offered]: Parameters<typeof allotMachines>): Pick | undefined => {
  const allotted = allotMachines(picks, ...offered)
  return picks.find((pick, index) => (allotted[index] ?? []).reduce((sum, { qty }) => sum + qty, 0) < pick.qty)
}
