import { fromMoment, minuteMs, minuteOf } from '#shared/calendar.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Text } from '#shared/text/zh-cn.ts'

/** Formats "12345.60" as "12,346", or as "12,345.60" with `exact`. Amounts under 100 yuan keep their places. */
export function money(yuan: string | number | null, exact = false): string {
  if (yuan === null) return ''
  const value = Number(yuan)
  return formatter(exact ? 2 : 0, exact || Math.abs(value) < 100 ? 2 : 0).format(value)
}

/** Formatters are reused, because making one takes longer than rendering a row of a list. */
const formatters = new Map<string, Intl.NumberFormat>()
function formatter(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`
  const made = formatters.get(key) ?? new Intl.NumberFormat('zh-CN', { minimumFractionDigits, maximumFractionDigits })
  formatters.set(key, made)
  return made
}

export const moneyOfFen = (fen: number): string => money(fen / 100, true)

export const number = (value: number, places = 0): string =>
  // Most numbers are whole and small, and the formatter would take longer than the rest of a card.
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : formatter(0, places).format(value)

/** How many rows a list has; with a plus where it is counted up to a bound. */
export const countText = ({ total, capped }: { total: number; capped?: boolean | undefined }): string =>
  `${total.toLocaleString('en')}${capped ? '+' : ''}`

export const minute = minuteOf
export const day = (moment: string | null): string => (moment ?? '').slice(0, 10)

/** The name of a category, or of the category of a machine or a line, in the language of the page. */
export const named = (text: Text, one: { name?: string; nameEn?: string; categoryName?: string; categoryNameEn?: string }): string =>
  nameIn(text, one.categoryName ?? one.name, one.categoryNameEn ?? one.nameEn) ?? ''

/** The name of a parameter of a category in the language of the page. */
export const labelOf = (text: Pick<Text, 'locale'>, param: { label: string; labelEn: string }): string =>
  nameIn(text, param.label, param.labelEn)

/** The province and the city of a record in the language of the page. */
export const placeName = (text: Text, one: { regionName: string; regionNameEn: string }): string =>
  nameIn(text, one.regionName, one.regionNameEn)

/** The name of a machine in the language of the page. */
export const machineName = (text: Text, machine: Parameters<typeof machineNameEn>[0]): string =>
  nameIn(text, machine.name, machineNameEn(machine))

/** Words for the time until a moment in Shanghai; null once it has passed. */
export function remaining(text: Text, moment: string | null, now: number): string | null {
  if (!moment) return null
  const minutes = Math.floor((fromMoment(moment).getTime() - now) / minuteMs)
  if (minutes < 0) return null
  return text.demand.left(Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60)
}
