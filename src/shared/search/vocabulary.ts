import { fillers, regionEndings, unknownBrand } from '../text/zh-cn/search-words.ts'

/** The words that a search knows: those of the catalogue, of the map, and of the brands that the dictionary has or that stand on the shelf. */
type Vocabulary = {
  categories: readonly SearchCategory[]
  brands: readonly SearchBrand[]
  regions: readonly SearchRegion[]
}
export type SearchCategory = {
  id: number
  name: string
  nameEn: string
  alias: readonly string[]
  params: readonly { key: string; unit: string; main: boolean; type: 'number' | 'text' }[]
}
/** A province or a city of GB/T 2260. */
type SearchRegion = { code: number; name: string; nameEn: string }
/** A brand with its English name, which is the brand itself where it has none. */
type SearchBrand = { brand: string; brandEn: string }

/**
 * A word of the vocabulary. `whole`: the category is called exactly so; otherwise the word is a part of longer names. A filler
 * narrows nothing, such as 出租.
 */
export type Phrase =
  | { kind: 'category'; ids: readonly number[]; whole: boolean; isEnglish: boolean }
  | ({ kind: 'brand' } & SearchBrand)
  | ({ kind: 'region' } & SearchRegion)
  | { kind: 'filler' }

/** The vocabulary as an index from a word in lower case to its meaning. */
export type SearchIndex = { phrases: ReadonlyMap<string, Phrase>; longest: number; categories: ReadonlyMap<number, SearchCategory> }

const longestPart = 10

/**
 * Builds the index. A word with several meanings keeps the first of: category by its own name, region, brand, part of a category's name. A brand
 * of digits alone is no word of it, because digits are sizes.
 */
export function indexOf({ categories, brands, regions }: Vocabulary): SearchIndex {
  const phrases = new Map<string, Phrase>()
  const add = (word: string, phrase: Phrase) => {
    if (word.length >= 2 && !phrases.has(word)) phrases.set(word, phrase)
  }
  for (const filler of fillers) phrases.set(filler, { kind: 'filler' })
  for (const [word, ids] of wholeNames(categories)) add(word, { kind: 'category', ids, whole: true, isEnglish: false })
  // Provinces stand before the cities of the same name, such as Beijing's.
  const ordered = regions.toSorted((a, b) => Number(a.code % 10_000 !== 0) - Number(b.code % 10_000 !== 0))
  for (const region of ordered) for (const word of [region.name, shortOf(region.name)]) add(word, { kind: 'region', ...region })
  for (const region of ordered) if (hasOwnEnglishName(region, regions)) add(lower(region.nameEn), { kind: 'region', ...region })
  for (const one of brands)
    if (one.brand !== unknownBrand)
      for (const word of [one.brand, one.brandEn].map(lower)) if (!/^[\d.]+$/.test(word)) add(word, { kind: 'brand', ...one })
  for (const [word, ids] of partsOfNames(categories)) add(word, { kind: 'category', ids, whole: false, isEnglish: false })
  for (const [word, ids] of englishNames(categories)) add(word, { kind: 'category', ids, whole: true, isEnglish: true })
  const longest = Math.max(...[...phrases.keys()].map(({ length }) => length))
  return { phrases, longest, categories: new Map(categories.map((category) => [category.id, category])) }
}

/** A region without what it is: a province, a city, an autonomous area. */
const shortOf = (name: string) => regionEndings.reduce((short, ending) => short.replace(ending, ''), name)

/** Whether its English name means no other place: 苏州 and 宿州 are both Suzhou, so that word stays a word. */
const hasOwnEnglishName = ({ name, nameEn }: SearchRegion, regions: readonly SearchRegion[]) =>
  regions.every((other) => other.nameEn !== nameEn || shortOf(other.name) === shortOf(name))

type Names = Map<string, number[]>

function put(names: Names, word: string, id: number): void {
  const ids = names.get(word)
  if (!ids) names.set(word, [id])
  else if (!ids.includes(id)) ids.push(id)
}

const lower = (text: string) => text.normalize('NFKC').toLowerCase()

function wholeNames(categories: readonly SearchCategory[]): Names {
  const names: Names = new Map()
  for (const { id, name, alias } of categories) for (const word of [name, ...alias]) put(names, lower(word), id)
  return names
}

/** Each run of letters inside a name or an alias: 剪叉 of 剪叉式高空作业平台. */
function partsOfNames(categories: readonly SearchCategory[]): Names {
  const names: Names = new Map()
  for (const { id, name, alias } of categories)
    for (const word of [name, ...alias]) {
      const letters = lower(word)
      for (let from = 0; from < letters.length; from++)
        for (let to = from + 2; to <= Math.min(letters.length, from + longestPart); to++) {
          const part = letters.slice(from, to)
          // A part of a Latin word is found in the machine's own text and means nothing by itself.
          if (/^[^a-z0-9\s]+$/.test(part)) put(names, part, id)
        }
    }
  return names
}

/** An English name and its endings: "crane" and "truck crane", in the singular and with an s. */
function englishNames(categories: readonly SearchCategory[]): Names {
  const names: Names = new Map()
  for (const { id, nameEn } of categories) {
    const words = lower(nameEn.replace(/\(.*?\)/g, ' ')).match(/[a-z][a-z-]*/g) ?? []
    for (let from = 0; from < words.length; from++) {
      const ending = words.slice(from).join(' ')
      if (ending.length < 4) continue
      put(names, ending, id)
      put(names, `${ending}s`, id)
    }
  }
  return names
}
