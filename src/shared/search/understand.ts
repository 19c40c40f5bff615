import { mainParam } from '#shared/main-param.ts'
import type { SpecFilter } from '../equipment/contract.ts'
import { parentOf } from '../region/rules.ts'
import { longestSearch, type PartKind } from './rules.ts'
import { isBareSize, isOfModel, round, sizeAt, valueIn, type Size } from './size.ts'
import type { Phrase, SearchCategory, SearchIndex } from './vocabulary.ts'

/**
 * A piece of a search with its meaning. `code`: of a region. `label`: the region's or brand's own name, the size with its unit; otherwise what was
 * typed. `labelEn`: the same in English.
 */
type SearchPart = {
  kind: PartKind
  text: string
  label: string
  labelEn: string
  categoryIds: readonly number[]
  code: number | null
}

/** Machines of these categories, those of the size if one was named. */
export type SizeRange = { categoryIds: readonly number[]; min?: number; max?: number }

export type Understanding = {
  /** In the order in which they were typed. */
  parts: SearchPart[]
  provinceId: number | undefined
  cityId: number | undefined
  /** The categories that every piece together means; empty if none was named. */
  categoryIds: readonly number[]
  /** A machine lies in one of them; empty: in any. */
  ranges: SizeRange[]
  /** A size that is not the main parameter of the category: the jib of a tower crane. */
  specs: SpecFilter[]
  /** To be found in the names, brands and models. */
  words: string
}

/** A size matches from a tenth below to a tenth above it: 20 t finds an excavator of 21.9 t. */
const sizeTolerance = 0.1

const latinRun = /[a-z0-9][a-z0-9.\-/_%·]*/y

/** A piece while its meaning is still open; fillers are dropped at the end. */
type Piece = { kind: PartKind | 'filler'; text: string; phrase?: Phrase; size?: Size }

/**
 * Understands what somebody looks for: a number with a unit is the size of the machine, a place its region, names of categories and brands
 * are what they are, and the rest is words. Never throws, whatever is typed.
 */
export function understand(index: SearchIndex, typed: string): Understanding {
  const pieces = piecesOf(index, typed)
  const categories = categoriesOf(pieces)
  takeBareNumber(pieces, categories)
  const applied = applySize(index, pieces, categories)
  const known = pieces.some(({ kind }) => kind !== 'word' && kind !== 'filler')
  // Of nothing but fillers they are the words themselves.
  const shown = pieces.filter(({ kind }) => kind !== 'filler' || !known)
  const isEnglish = pieces.some(({ phrase }) => phrase?.kind === 'category' && phrase.isEnglish)
  const ranges = applied.ranges.length > 0 || !isEnglish || categories.length === 0 ? applied.ranges : [{ categoryIds: categories }]
  const isWord = ({ kind, phrase }: Piece) =>
    kind === 'word' ||
    kind === 'filler' ||
    kind === 'brand' ||
    (kind === 'category' && applied.ranges.length === 0 && !(phrase?.kind === 'category' && phrase.isEnglish))
  return {
    parts: shown.map(partOf),
    ...placeOf(pieces),
    categoryIds: categories,
    ranges,
    specs: applied.specs,
    words: shown.filter(isWord).map(wordsOf).join(' '),
  }
}

/** What the machines' own text has for the piece: XCMG is written 徐工 there. */
const wordsOf = ({ text, phrase }: Piece) =>
  phrase?.kind === 'brand' && text.toLowerCase() !== phrase.brand.toLowerCase() ? phrase.brand : text

/** The search without one of its parts, for the link that removes it. */
export const withoutPart = (parts: readonly Pick<SearchPart, 'text'>[], at: number): string =>
  parts
    .filter((_, index) => index !== at)
    .map(({ text }) => text)
    .join(' ')

function piecesOf({ phrases, longest }: SearchIndex, typed: string): Piece[] {
  const whole = typed.normalize('NFKC').replace(/\s+/g, ' ').trim().slice(0, longestSearch)
  // A few letters change their length in lower case; then what is shown is in lower case as well.
  const letters = whole.toLowerCase()
  const source = letters.length === whole.length ? whole : letters
  const pieces: Piece[] = []
  let pending = ''
  const close = () => {
    if (pending) pieces.push({ kind: 'word', text: pending })
    pending = ''
  }
  for (let at = 0; at < letters.length;) {
    if (letters[at] === ' ') {
      close()
      at++
      continue
    }
    const size = sizeAt(letters, at)
    const [length, phrase] = size ? [size.length, undefined] : phraseAt(letters, at, { phrases, longest })
    if (size || phrase) {
      close()
      const text = source.slice(at, at + length)
      pieces.push(size ? { kind: 'size', text, size } : { kind: phrase?.kind ?? 'word', text, ...(phrase && { phrase }) })
      at += length
      continue
    }
    latinRun.lastIndex = at
    const run = latinRun.exec(letters)?.[0].length ?? 1
    pending += source.slice(at, at + run)
    at += run
  }
  close()
  return pieces
}

const isLatin = (letter: string | undefined) => letter !== undefined && /[a-z]/.test(letter)
function phraseAt(
  letters: string,
  at: number,
  { phrases, longest }: Pick<SearchIndex, 'phrases' | 'longest'>,
): [length: number, phrase: Phrase | undefined] {
  for (let length = Math.min(longest, letters.length - at); length >= 1; length--) {
    const phrase = phrases.get(letters.slice(at, at + length))
    if (!phrase) continue
    const cutsWord = isLatin(letters[at]) && isOfModel(letters[at - 1])
    if (!cutsWord && !(isLatin(letters[at + length - 1]) && isLatin(letters[at + length]))) return [length, phrase]
  }
  return [0, undefined]
}

/** The categories that all names mean together; where they exclude each other, those that are called exactly so. */
function categoriesOf(pieces: readonly Piece[]): readonly number[] {
  const named = pieces.flatMap(({ phrase }) => (phrase?.kind === 'category' ? phrase : []))
  const [first, ...others] = named
  if (!first) return []
  const common = first.ids.filter((id) => others.every(({ ids }) => ids.includes(id)))
  if (common.length > 0) return common
  return (named.find(({ whole }) => whole) ?? first).ids
}

/** 80塔吊: beside a category a short number is the size of the machine, in the unit of the category. */
function takeBareNumber(pieces: Piece[], categories: readonly number[]): void {
  if (categories.length === 0 || pieces.some(({ kind }) => kind === 'size')) return
  const numbers = pieces.filter(({ kind, text }) => kind === 'word' && isBareSize(text))
  const [piece] = numbers
  if (!piece || numbers.length > 1) return
  piece.kind = 'size'
  piece.size = { value: Number(piece.text), unit: null }
}

function applySize(
  index: SearchIndex,
  pieces: readonly Piece[],
  categories: readonly number[],
): { ranges: SizeRange[]; specs: SpecFilter[] } {
  const ids = categories.length > 0 ? categories : [...index.categories.keys()]
  const found = ids.flatMap((id) => index.categories.get(id) ?? [])
  let ranges: SizeRange[] = []
  const specs: SpecFilter[] = []
  // The first size that can be the main parameter is it; the others are further parameters, or words of the model.
  for (const piece of pieces) {
    if (!piece.size) continue
    const main = ranges.length > 0 ? [] : rangesOf(piece.size, found)
    const spec = main.length > 0 || categories.length === 0 ? null : specOf(piece.size, found)
    if (main.length > 0) {
      ranges = main
      piece.size = shownSize(piece.size, found)
    } else if (spec) specs.push(spec)
    else piece.kind = 'word'
  }
  return { ranges, specs }
}

/** By the main parameter, of all categories that measure it in the unit or in one it converts to. */
function rangesOf(size: Size, categories: readonly SearchCategory[]): SizeRange[] {
  const byValue = new Map<number, number[]>()
  for (const category of categories) {
    const value = valueIn(size, category, mainParam(category.params)?.unit)
    if (value === null || value <= 0) continue
    byValue.set(value, [...(byValue.get(value) ?? []), category.id])
  }
  return [...byValue].map(([value, categoryIds]) => ({ categoryIds, ...around(value) }))
}

/** The other parameter of the categories that has the unit. */
function specOf(size: Size, categories: readonly SearchCategory[]): SpecFilter | null {
  for (const category of categories)
    for (const { key, unit, type, main } of category.params) {
      const value = type === 'number' && !main && size.unit !== null ? valueIn(size, category, unit) : null
      if (value !== null && value > 0) return { key, ...around(value) }
    }
  return null
}

/** A bare number with the unit that it was read in, where all categories agree. */
function shownSize(size: Size, categories: readonly SearchCategory[]): Size {
  if (size.unit !== null) return size
  const read = categories.flatMap((category) => {
    const unit = mainParam(category.params)?.unit
    const value = valueIn(size, category, unit)
    return unit === undefined || value === null ? [] : [{ value, unit }]
  })
  const [first] = read
  return first && read.every(({ value, unit }) => value === first.value && unit === first.unit) ? first : size
}

const around = (value: number) => ({ min: round(value * (1 - sizeTolerance)), max: round(value * (1 + sizeTolerance)) })

/** The city, or else the province; of several the last, which is usually the smaller one. */
function placeOf(pieces: readonly Piece[]): Pick<Understanding, 'provinceId' | 'cityId'> {
  const codes = pieces.flatMap(({ phrase }) => (phrase?.kind === 'region' ? phrase.code : []))
  const city = codes.findLast((code) => parentOf(code) !== null)
  if (city !== undefined) return { provinceId: parentOf(city) ?? undefined, cityId: city }
  return { provinceId: codes.at(-1), cityId: undefined }
}

function partOf(piece: Piece): SearchPart {
  const { kind, text, phrase } = piece
  return {
    kind: kind === 'filler' ? 'word' : kind,
    text,
    ...labelsOf(piece),
    categoryIds: phrase?.kind === 'category' ? phrase.ids : [],
    code: phrase?.kind === 'region' ? phrase.code : null,
  }
}

function labelsOf({ kind, text, phrase, size }: Piece): Pick<SearchPart, 'label' | 'labelEn'> {
  if (phrase?.kind === 'region') return { label: phrase.name, labelEn: phrase.nameEn }
  if (phrase?.kind === 'brand') return { label: phrase.brand, labelEn: phrase.brandEn }
  const label = kind === 'size' && size ? `${size.value} ${size.unit ?? ''}`.trim() : text
  return { label, labelEn: label }
}
