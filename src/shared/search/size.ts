import { mainParam } from '#shared/main-param.ts'
import { chineseUnits } from '../text/zh-cn/search-words.ts'
import type { SearchCategory } from './vocabulary.ts'

/** A number with its unit in the catalogue; a bare number has none. */
export type Size = { value: number; unit: string | null }

/** Units as people type them, with the unit of the catalogue. */
const units: readonly (readonly [typed: string, unit: string])[] = [
  ...chineseUnits,
  ['t·m', 't·m'],
  ['t.m', 't·m'],
  ['tm', 't·m'],
  ['tons', 't'],
  ['ton', 't'],
  ['t', 't'],
  ['kg', 'kg'],
  ['mm', 'mm'],
  ['m', 'm'],
  ['m3', 'm³'],
  ['kw', 'kW'],
  ['kva', 'kVA'],
  ['kn·m', 'kN·m'],
  ['kn.m', 'kN·m'],
  ['knm', 'kN·m'],
  ['kn', 'kN'],
]
/** One unit in another: a loader of 1 t is a loader of 1000 kg. */
const conversions: Record<string, readonly (readonly [unit: string, factor: number])[]> = {
  t: [['kg', 1000]],
  kg: [['t', 0.001]],
  m: [['mm', 1000]],
  mm: [['m', 0.001]],
  'm³': [
    ['m³/h', 1],
    ['m³/min', 1],
  ],
}

const unitPattern = units
  .map(([typed]) => typed)
  .toSorted((a, b) => b.length - a.length)
  .map((typed) => typed.replace('.', String.raw`\.`))
  .join('|')
const sizePattern = new RegExp(String.raw`(\d{1,6}(?:\.\d{1,3})?) ?(${unitPattern})(?![a-z0-9³])`, 'y')

/** A letter, digit or sign of a model before it: the 25 of XCT25 is no size. */
export const isOfModel = (letter: string | undefined) => letter !== undefined && /[a-z0-9.\-/]/.test(letter)

/** Reads the size that begins at this place of a text in lower case. */
export function sizeAt(letters: string, at: number): (Size & { length: number }) | null {
  if (isOfModel(letters[at - 1])) return null
  sizePattern.lastIndex = at
  const found = sizePattern.exec(letters)
  if (!found) return null
  const unit = units.find(([word]) => word === found[2])?.[1] ?? ''
  return { value: Number(found[1]), unit, length: found[0].length }
}

/** 80 of 80塔吊: a number so short that it may be a size without its unit. */
export const isBareSize = (text: string): boolean => /^\d{1,3}(?:\.\d{1,2})?$/.test(text)

/**
 * What drivers call a machine by is a number of its model: a 50 loader carries 5 t, a 215 excavator weighs 21.5 t. The number from which it
 * is read so, by category.
 */
const tenths: Record<number, number> = { 101: 50, 102: 15, 103: 50, 106: 10 }

/** The size in the unit of a parameter; null if it cannot be measured in it. */
export function valueIn({ value, unit }: Size, category: Pick<SearchCategory, 'id'>, measured: string | undefined): number | null {
  if (measured === undefined || measured === '') return null
  if (unit === null) {
    const from = tenths[category.id]
    return from !== undefined && value >= from ? round(value / 10) : value
  }
  if (unit === measured) return value
  const factor = conversions[unit]?.find(([other]) => other === measured)?.[1]
  return factor === undefined ? null : round(value * factor)
}

export const round = (value: number) => Math.round(value * 1000) / 1000

/** Reads what somebody typed to find the category as its main parameter: 25 of "25吨汽车吊". Undefined where it holds no such size. */
export function mainSizeIn(typed: string, category: Pick<SearchCategory, 'id' | 'params'>): number | undefined {
  const unit = mainParam(category.params)?.unit
  const letters = typed.normalize('NFKC').toLowerCase()
  const at = letters.search(/\d/)
  if (at < 0 || isOfModel(letters[at - 1])) return undefined
  const number = /^[\d.]+/.exec(letters.slice(at))?.[0] ?? ''
  const isBare = isBareSize(number) && !/^\s?[a-z]/.test(letters.slice(at + number.length))
  const size = sizeAt(letters, at) ?? (isBare ? { value: Number(number), unit: null } : null)
  const value = size && valueIn(size, category, unit)
  return value && value > 0 ? value : undefined
}
