// The bare server's own statement for a list of machines: the newest first, with the total, one prepared text for each set of filters. It is written
// for this question and shares nothing with the product's: the machines that fit are read once, counted up to the bound and sorted out of what was read.
import type pg from 'pg'
import type { SpecFilter } from '#shared/equipment/contract.ts'
import type { SizeRange } from '#shared/search/understand.ts'

/** What the catalogue says, read once: the parameter of each category that has a column, and the words of categories and brands. */
export type Catalogue = {
  mainKeys: ReadonlyMap<number, string>
  categories: readonly { id: number; words: string; grams: readonly string[] }[]
  brands: readonly { brand: string; grams: readonly string[] }[]
  /** The grams that more than a tenth of all machines hold in their own text. */
  frequent: ReadonlySet<string>
}

export async function loadCatalogue(pool: pg.Pool): Promise<Catalogue> {
  const categories = await pool.query<{ id: number; words: string; grams: string[]; main: string | null }>(
    `select id, words, grams, (select p ->> 'key' from jsonb_array_elements(params) p where (p ->> 'main')::boolean) as main from category where level = 2`,
  )
  const brands = await pool.query<{ brand: string; grams: string[] }>('select brand, grams from brand')
  const noted = await pool.query<{ gram: string }>(
    `select n.gram from pg_stats s, unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) n(gram, share)
      where s.schemaname = 'public' and s.tablename = 'equipment' and s.attname = 'own_grams' and n.share >= 0.1`,
  )
  return {
    categories: categories.rows,
    brands: brands.rows,
    mainKeys: new Map(categories.rows.flatMap(({ id, main }) => (main === null ? [] : [[id, main]]))),
    frequent: new Set(noted.rows.map(({ gram }) => gram)),
  }
}

/** What was typed, understood. */
export type Typed = {
  words: string
  ranges: readonly SizeRange[]
  specs: readonly SpecFilter[]
  provinceId: number | undefined
  cityId: number | undefined
}
export type Statement = { text: string; values: unknown[] }

const shelved = `e.audit_status = '2' and e.shelf_status = '1' and e.del_flag = '0'`
/** Up to where rows are counted: of all filters, with words, and of words that only the texts of machines hold before the order is followed. */
const [mostCounted, mostFound, mostOwn] = [10_000, 1000, 4000]

const card = `e.id, e.equipment_code, e.name, e.brand, coalesce(d.dict_label_en, e.brand) as brand_en, e.model, e.father_category_id, e.category_id,
  c.name as category_name, c.name_en as category_name_en, e.specs, coalesce(e.out_factory_date::text, '') as out_factory_date, e.work_hours,
  e.emission_stage, e.province_id, e.city_id,
  case when r.code is null or r.name = p.name then p.name else p.name || ' ' || r.name end as region_name,
  case when r.code is null or r.name_en = p.name_en then p.name_en else r.name_en || ', ' || p.name_en end as region_name_en,
  e.is_lot, e.total_qty,
  case when e.rent_status in ('3', '4') then e.rent_status when e.taken is null then '0'
    when e.taken @> (now() at time zone 'Asia/Shanghai')::date then (
      select case when e.is_lot and count(*) < e.total_qty then '0' when bool_and(b.reason = 'repair') then '3' else '2' end
      from equipment_booking b where b.equipment_id = e.id and b.period @> (now() at time zone 'Asia/Shanghai')::date)
    when e.is_lot then '0'
    when upper(e.taken) > (now() at time zone 'Asia/Shanghai')::date then '1' else '0' end as rent_status,
  e.month_price_fen as month_price, e.company_id, o.enterprise_name as company_name, o.grade as company_grade, e.confirmed_at,
  null::integer as distance_km,
  (select '/prod-api/file/' || file_id || '?thumb=1' from equipment_image where equipment_id = e.id order by order_num limit 1) as cover,
  coalesce((select json_agg(json_build_object('rentUnit', rent_unit, 'price', price_fen, 'withOperator', with_operator, 'fuelBy', fuel_by, 'taxRate', tax_rate)
    order by array_position(array['M','D','S','H','V','L','P'], rent_unit)) from equipment_price where equipment_id = e.id), '[]') as prices`
const cardTables = `join category c on c.id = e.category_id join company o on o.id = e.company_id
  left join dictionary d on d.dict_type = 'brand' and d.dict_value = e.brand
  left join region p on p.code = e.province_id left join region r on r.code = e.city_id`

/** The parameters of one statement, each with the number under which its text names it. */
class Values {
  readonly all: unknown[] = []
  add = (value: unknown): string => `$${this.all.push(value)}`
}

/** The statement for the filters of an address; `typed` is the meaning of its words. */
export function bareList(query: URLSearchParams, catalogue: Catalogue, typed?: Typed): Statement {
  const values = new Values()
  const filters = filtersOf(query, { catalogue, typed, values })
  const words = wordsOf(typed?.words ?? '').map((word) => meaningOf(word, catalogue, values))
  const lead = words.find(({ kinds }) => kinds) ?? words.at(-1)
  const all = [shelved, ...filters, ...words.filter((word) => word !== lead).map(holds)]
  const most = typed ? mostFound : mostCounted
  const bound = 1 + (lead?.own && !lead.isFrequent ? Math.max(most, mostOwn) : most)
  const size = Math.trunc(Number(query.get('pageSize') ?? 12))
  const found = (lead ? branchesOf(lead) : [[]])
    .map((branch) => `(select e.id from equipment e where ${[...all, ...branch].join(' and ')} limit ${bound})`)
    .join(' union all ')
  const text = `with fits as materialized (select id from (${found}) f limit ${bound}), size as materialized (select count(*) as n from fits),
    page as (
      (select id from fits where (select n from size) < ${bound} order by id desc limit ${size})
      union all
      (select id from (${newestOf(all, lead, size)}) newest where (select n from size) >= ${bound} limit ${size}))
    select ${card}, least((select n from size), ${most + 1}) as total from page, lateral (select * from equipment where id = page.id offset 0) e ${cardTables}
    order by e.id desc`
  return { text, values: values.all }
}

type Asked = { catalogue: Catalogue; typed: Typed | undefined; values: Values }

function filtersOf(query: URLSearchParams, { catalogue, typed, values }: Asked): string[] {
  const number = (name: string) => (query.get(name) ? Number(query.get(name)) : undefined)
  const fen = (name: string) => (query.get(name) ? Math.round(Number(query.get(name)) * 100) : undefined)
  const category = number('categoryId')
  const place = { province: number('provinceId') ?? typed?.provinceId, city: number('cityId') ?? typed?.cityId }
  const brand = query.get('brand')
  const isNarrow = [place.province, place.city, number('fatherCategoryId'), category, brand ?? undefined].some((one) => one !== undefined)
  const [least, most] = [fen('beginPrice'), fen('endPrice')]
  // A prepared plan takes every range for a narrow one, so beside another filter it is kept from the choice of the index.
  const upper = isNarrow && least !== undefined ? '(e.month_price_fen + 0)' : 'e.month_price_fen'
  const equal = (column: string, value: unknown) => (value === undefined || value === null ? [] : [`${column} = ${values.add(value)}`])
  return [
    ...equal('e.province_id', place.province),
    ...equal('e.city_id', place.city),
    ...equal('e.father_category_id', number('fatherCategoryId')),
    ...equal('e.category_id', category),
    ...equal('e.company_id', number('companyId')),
    ...equal('e.brand', brand),
    ...(least === undefined ? [] : [`e.month_price_fen >= ${values.add(least)}`]),
    ...(most === undefined ? [] : [`${upper} <= ${values.add(most)}`]),
    ...[...specsOf(query), ...(typed?.specs ?? [])].flatMap((spec) => inSpec(spec, catalogue.mainKeys.get(category ?? 0), values)),
    ...(query.get('freeFrom') ? [freeBetween(query, values)] : []),
    ...(typed && typed.ranges.length > 0 ? [`(${typed.ranges.map((range) => inRange(range, values)).join(' or ')})`] : []),
  ]
}

function specsOf(query: URLSearchParams): SpecFilter[] {
  const found = new Map<string, SpecFilter>()
  for (const [name, value] of query) {
    const [, key, side] = /^spec_(\w+)_(min|max)$/.exec(name) ?? []
    if (!key) continue
    const spec = found.get(key) ?? { key, min: undefined, max: undefined }
    found.set(key, { ...spec, [side === 'min' ? 'min' : 'max']: Number(value) })
  }
  return [...found.values()]
}

function inSpec({ key, min, max }: SpecFilter, mainKey: string | undefined, values: Values): string[] {
  const name = key === mainKey ? '' : values.add(key)
  const column =
    name === '' ? 'e.main_value' : `case when e.specs ->> ${name} ~ '^-?[0-9]+([.][0-9]+)?$' then (e.specs ->> ${name})::numeric end`
  return [
    ...(min === undefined ? [] : [`${column} >= ${values.add(min)}`]),
    ...(max === undefined ? [] : [`${column} <= ${values.add(max)}`]),
  ]
}

function freeBetween(query: URLSearchParams, values: Values): string {
  const period = `daterange(${values.add(query.get('freeFrom'))}::date, ${values.add(query.get('freeTo'))}::date, '[]')`
  return `(e.taken is null or not e.taken && ${period} or (e.total_qty > 1 and (select count(distinct b.slot) from equipment_booking b
    where b.equipment_id = e.id and b.period && ${period}) < e.total_qty))`
}

function inRange({ categoryIds, min, max }: SizeRange, values: Values): string {
  const kinds = `e.category_id = any(${values.add(categoryIds)}::integer[])`
  return min === undefined || max === undefined
    ? kinds
    : `(${kinds} and e.main_value between ${values.add(min)}::numeric and ${values.add(max)}::numeric)`
}

/** Conditions of a word, each where it can hold: in the machine's category, in its brand, in its own text. `list`: the parameter with the categories. */
type Word = {
  kinds: string | undefined
  brands: string | undefined
  text: string
  list: string | undefined
  own: boolean
  isFrequent: boolean
}

const wordsOf = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5)

function gramsOf(word: string): string[] {
  const letters = [...word]
  return letters.length === 1 ? letters : letters.slice(0, -1).map((letter, at) => letter + letters[at + 1])
}

function meaningOf(word: string, { categories, brands, frequent }: Catalogue, values: Values): Word {
  const grams = gramsOf(word)
  const categoryIds = categories.filter(({ words }) => words.includes(word)).map(({ id }) => id)
  const named = brands.filter(({ brand }) => brand.toLowerCase().includes(word)).map(({ brand }) => brand)
  const known = new Set([...categories, ...brands].flatMap((one) => one.grams))
  const own = grams.filter((gram) => !known.has(gram))
  const isFrequent = own.length > 0 && own.every((gram) => frequent.has(gram))
  const list = categoryIds.length > 0 ? values.add(categoryIds) : undefined
  const holdsGrams =
    own.length > 0
      ? `e.own_grams ${isFrequent ? `|| '{}'::text[]` : ''} @> ${values.add(own)}::text[]`
      : `e.own_grams && ${values.add(grams)}::text[]`
  const pattern = [...word].length <= 2 ? '' : ` and lower(e.search_text) like ${values.add(`%${word.replace(/[\\%_]/g, '\\$&')}%`)}`
  return {
    list,
    kinds: list && `e.category_id = any(${list}::integer[])`,
    brands: named.length > 0 ? `e.brand = any(${values.add(named)}::text[])` : undefined,
    text: `(${holdsGrams}${pattern})`,
    own: own.length > 0,
    isFrequent,
  }
}

const holds = ({ kinds, brands, text }: Word) => `(${[kinds, brands, text].filter(Boolean).join(' or ')})`

/** The machines that hold a word, each in one of the branches, of which each is found by an index of its own. */
function branchesOf({ kinds, brands, text }: Word): string[][] {
  const parts = [kinds, brands, text].filter((part) => part !== undefined)
  return parts.map((part, at) => [part, ...parts.slice(0, at).map((earlier) => `not ${earlier}`)])
}

/** The newest that fit: of a word that means nothing but categories the newest of each of them, otherwise along the index of the newest. */
function newestOf(all: readonly string[], lead: Word | undefined, size: number): string {
  if (lead?.list && !lead.brands && !lead.own) {
    const ofKind = `select e.id from equipment e where ${[...all, 'e.category_id = kind'].join(' and ')} order by e.id desc limit ${size}`
    const ofText = `select e.id from equipment e where ${[...all, lead.text, `not ${lead.kinds}`].join(' and ')}`
    return `select id from (select f.id from unnest(${lead.list}::integer[]) kind, lateral (${ofKind}) f union all (${ofText})) n order by id desc`
  }
  const fits = lead ? [...all, holds(lead)] : all
  return `select e.id from (select * from equipment e where ${shelved} order by e.id desc offset 0) e where ${fits.join(' and ')}`
}
