import type { Category } from '#shared/category/contract.ts'
import { DemandFilter } from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { mainSizeOf } from '#shared/equipment/size.ts'
import { paths } from '#shared/paths.ts'
import { enableStatus } from '#shared/rules.ts'
import type * as contract from '#shared/search/contract.ts'
import { withoutPart, type Understanding } from '#shared/search/understand.ts'
import { mainParam } from '#shared/main-param.ts'
import { findCategories } from '../category/queries.ts'
import { understandSearch } from '../category/vocabulary.ts'
import type { Read } from '../db/connect.ts'
import { contains, holdsWords } from '../db/search.ts'
import { listPublicDemands } from '../demand/queries.ts'
import { suggestMachines } from '../equipment/queries.ts'
import type { Locale } from '../http/locale.ts'
import { publicLessors } from '../public-lessors.ts'
import { regionNamesOf } from '../region/queries.ts'

/** Suggestions of each kind. */
const maxOfKind = { category: 3, equipment: 4, demand: 3, supplier: 3 } as const

type Suggestions = Returned<typeof contract.suggest>
const plain = { note: '', size: '', monthPrice: null }

/** Categories, machines, demands and lessors that fit what is typed, a few of each. */
export async function findSuggestions(db: Read, keyword: string, locale: Locale): Promise<Suggestions> {
  const meaning = await understandSearch(db, keyword)
  const [categoryIds, machines, demands, lessors] = await Promise.all([
    meaning.categoryIds.length > 0 ? meaning.categoryIds.slice(0, maxOfKind.category) : findCategoryIds(db, keyword),
    suggestMachines(db, keyword, maxOfKind.equipment),
    suggestDemands(db, keyword),
    suggestLessors(db, keyword),
  ])
  const categories = await findCategories(db, [...categoryIds, ...machines.map(({ categoryId }) => categoryId)])
  const byId = new Map(categories.map((category) => [category.id, category]))
  const inEnglish = locale === 'en-US'
  const nameOf = ({ name, nameEn }: Category) => (inEnglish ? nameEn : name)
  const placeOf = (one: { regionName: string; regionNameEn: string }) => (inEnglish ? one.regionNameEn : one.regionName)
  return [
    ...categoryIds.flatMap((id) => {
      const category = byId.get(id)
      return category ? { kind: 'category' as const, label: nameOf(category), ...categoryLink(category, meaning, inEnglish) } : []
    }),
    ...machines.map((machine) => ({
      kind: 'equipment' as const,
      label: inEnglish ? machineNameEn(machine) : machine.name,
      note: placeOf(machine),
      size: mainSizeOf(byId.get(machine.categoryId)?.params ?? [], machine.specs),
      monthPrice: machine.monthPrice,
      link: paths.machine(machine.id),
    })),
    ...demands.map((demand) => ({
      ...plain,
      kind: 'demand' as const,
      label: demand.title,
      note: placeOf(demand),
      link: paths.demand(demand.id),
    })),
    ...lessors.map((lessor) => ({
      ...plain,
      kind: 'supplier' as const,
      label: lessor.enterpriseName,
      note: placeOf(lessor),
      link: paths.lessor(lessor.id),
    })),
  ]
}

/** The categories in whose names the letters stand that were typed so far. */
async function findCategoryIds(db: Read, keyword: string): Promise<number[]> {
  const pattern = contains(keyword)
  const rows = await db
    .selectFrom('category')
    .where('level', '=', 2)
    .where('status', '=', enableStatus.enabled)
    .where((eb) => eb.or([eb('words', 'like', contains(keyword.toLowerCase())), eb('nameEn', 'ilike', pattern)]))
    .orderBy('core', 'desc')
    .orderBy('id')
    .limit(maxOfKind.category)
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** The list of a category, narrowed to the size and the place that were typed. */
function categoryLink({ id, parentId, params }: Category, { ranges, provinceId, cityId, parts }: Understanding, inEnglish: boolean) {
  const range = ranges.find(({ categoryIds }) => categoryIds.includes(id))
  const main = mainParam(params)
  const query = new URLSearchParams()
  if (range?.min !== undefined && main) query.set(`spec_${main.key}_min`, String(range.min))
  if (range?.max !== undefined && main) query.set(`spec_${main.key}_max`, String(range.max))
  if (provinceId !== undefined) query.set('provinceId', String(provinceId))
  if (cityId !== undefined) query.set('cityId', String(cityId))
  const label = (kind: 'size' | 'region') => parts.find((part) => part.kind === kind)?.[inEnglish ? 'labelEn' : 'label'] ?? ''
  return {
    note: label('region'),
    size: range?.min === undefined ? '' : label('size'),
    monthPrice: null,
    link: paths.machinesOf(parentId, id) + (query.size > 0 ? `&${query}` : ''),
  }
}

async function suggestDemands(db: Read, keyword: string) {
  const filter = DemandFilter.parse({ keyword, status: demandStatus.quoting, pageSize: maxOfKind.demand })
  // As a visitor finds them, since the answer is the same for everybody.
  return (await listPublicDemands(db, filter, null)).rows
}

function suggestLessors(db: Read, keyword: string) {
  return publicLessors(db)
    .where(holdsWords('company', keyword))
    .orderBy('id', 'desc')
    .limit(maxOfKind.supplier)
    .select(['id', 'enterpriseName', ...regionNamesOf('company')])
    .execute()
}

/** The parts of a search with their names in the language of the caller. */
export async function describeSearch(db: Read, keyword: string, locale: Locale): Promise<Returned<typeof contract.understandSearch>> {
  const { parts } = await understandSearch(db, keyword)
  const ids = parts.flatMap(({ categoryIds }) => (categoryIds.length === 1 ? categoryIds : []))
  const inEnglish = locale === 'en-US'
  const names = new Map((await findCategories(db, ids)).map(({ id, name, nameEn }) => [id, inEnglish ? nameEn : name]))
  return parts.map(({ kind, text, label, labelEn, categoryIds: [id, ...more] }, at) => ({
    kind,
    text,
    // A word that means several categories stays as it was typed.
    label: (id !== undefined && more.length === 0 && names.get(id)) || (inEnglish ? labelEn : label),
    rest: withoutPart(parts, at),
  }))
}
