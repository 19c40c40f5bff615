import { dayMs } from '#shared/calendar.ts'
import type { Attributes, XmlReader } from './xml.ts'

/** The built-in formats that show a day or a time, those of Chinese among them (ECMA-376 part 1, 18.8.30). */
const builtIn = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const

/** Collects which cell styles show a number as a day. */
export function styleReader(): XmlReader & { isDay: (style: number) => boolean } {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let inCells = false
  return {
    open(name, attributes: Attributes) {
      if (name === 'numFmt') formats.set(Number(attributes.numFmtId), attributes.formatCode ?? '')
      else if (name === 'cellXfs') inCells = true
      else if (name === 'xf' && inCells) styles.push(Number(attributes.numFmtId ?? 0))
    },
    close(name) {
      if (name === 'cellXfs') inCells = false
    },
    isDay(style) {
      const format = styles[style]
      if (format === undefined) return false
      const code = formats.get(format)
      return code === undefined ? builtIn.some(([from, to]) => format >= from && format <= to) : showsDay(code)
    },
  }
}

/** Excel writes none that is longer; the pattern below takes the square of it. */
const longestFormat = 255

/** Whether a format has a letter of a day or a time outside of quoted text, escaped letters and colours. Only its part for numbers counts. */
export function showsDay(code: string): boolean {
  const [numbers = ''] = code
    .slice(0, longestFormat)
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')
  return /[ymdhs]/i.test(numbers)
}

/** 1970-01-01 as a day of the workbook, counted from 1900 or from 1904. */
const unixDay = { from1900: 25_569, from1904: 24_107 }
const lastDay = 2_958_465

/** The number that stands for a day such as 2026-11-23, or for a moment such as 2026-11-23 10:00:00, counted from 1900. */
export const serialOf = (dayOrMoment: string): number =>
  Date.parse(`${dayOrMoment.replace(' ', 'T')}${dayOrMoment.includes(' ') ? 'Z' : ''}`) / dayMs + unixDay.from1900

/** The day that a number stands for, as 2026-11-23; the number itself where it is no day of the format. */
export function dayOfSerial(serial: number, from1904: boolean): string {
  if (!Number.isFinite(serial) || serial < 0 || serial > lastDay + 1) return String(serial)
  const days = serial - (from1904 ? unixDay.from1904 : unixDay.from1900)
  return new Date(Math.round(days * dayMs)).toISOString().slice(0, 10)
}
