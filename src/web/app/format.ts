import type { Text } from '#shared/text/zh-cn.ts'

/** "12345.60" → "12,345.60"; whole yuan without the places unless `exact`. */
export function money(yuan: string | number | null, exact = false): string {
  if (yuan === null) return ''
  const value = Number(yuan)
  return formatter(exact ? 2 : 0, exact || value < 100 ? 2 : 0).format(value)
}

/** Made once: making one takes longer than a whole row of a list. */
const formatters = new Map<string, Intl.NumberFormat>()
function formatter(minimumFractionDigits: number, maximumFractionDigits: number): Intl.NumberFormat {
  const key = `${minimumFractionDigits} ${maximumFractionDigits}`
  const made = formatters.get(key) ?? new Intl.NumberFormat('zh-CN', { minimumFractionDigits, maximumFractionDigits })
  formatters.set(key, made)
  return made
}

export const fen = (amount: number): string => money(amount / 100, true)

export const number = (value: number, places = 0): string =>
  // Most are whole and small; the formatter takes longer than the rest of a card.
  Number.isInteger(value) && value >= 0 && value < 1000 ? String(value) : formatter(0, places).format(value)

/** "2026-11-21 17:00:00" without the seconds. */
export const minute = (moment: string | null): string => (moment ?? '').slice(0, 16)
export const day = (moment: string | null): string => (moment ?? '').slice(0, 10)

/** The name of a category, or of the category of a thing, in the page's language. */
export const named = (text: Text, one: { name?: string; nameEn?: string; categoryName?: string; categoryNameEn?: string }): string =>
  (text.locale === 'zh-CN' ? (one.categoryName ?? one.name) : (one.categoryNameEn ?? one.nameEn)) ?? ''

/** Time until a Shanghai moment as words; null when it has passed. */
export function left(text: Text, moment: string | null, now: number): string | null {
  if (!moment) return null
  const minutes = Math.floor((Date.parse(`${moment.replace(' ', 'T')}+08:00`) - now) / 60_000)
  if (minutes < 0) return null
  return text.demand.left(Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60)
}
