import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { levelOf, parentOf } from '#shared/region/rules.ts'
import { demandMethods, demandStatuses, demandTypes } from '#shared/demand/rules.ts'
import { rentUnits, type RentUnit } from '#shared/equipment/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { cityPlaces } from './places.ts'
import { brandNames, categoryNames, paramLabels } from './english.ts'

type Areas = Record<'province_list' | 'city_list' | 'county_list', Record<string, string>>
type Source = {
  tree: {
    id: number
    name: string
    parentId: number
    orderNum: number
    children: {
      id: number
      name: string
      alias: string[]
      parentId: number
      orderNum: number
      core: boolean
      params: { key: string; label: string; unit: string; main: number }[]
      flags: Record<string, boolean>
      operatorCert: string
      priceUnits: string[]
    }[]
  }[]
}

/** Litres of diesel a shift of 8 hours, by first-level class; machines without an engine of their own use none. */
const litres: Record<number, number> = { 100: 110, 200: 60, 300: 20, 400: 70, 500: 180, 600: 80, 700: 120, 900: 60, 1000: 90 }

/** Regions, categories, dictionaries and settings: once, in an empty database. */
export async function seedReference(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7263542)`.execute(tx)
    const { rows } = await sql<{ present: boolean }>`select exists (select 1 from region) as present`.execute(tx)
    if (rows[0]?.present) {
      await seedPlaces(tx)
      await seedNames(tx)
      return
    }
    await seedRegions(tx)
    await seedPlaces(tx)
    await seedNames(tx)
    await seedCategories(tx)
    await seedDictionaries(tx)
    await tx
      .insertInto('setting')
      .values({ key: 'cost', value: JSON.stringify({ dieselFenPerLitre: 760, operatorMonthFen: 900_000 }) })
      .execute()
  })
}

async function seedRegions(tx: Tx): Promise<void> {
  const { areaList } = createRequire(import.meta.url)('@vant/area-data') as { areaList: Areas }
  const codes: [string, string][] = [areaList.province_list, areaList.city_list, areaList.county_list].flatMap((list) =>
    Object.entries(list),
  )
  // 省直辖县级 carry codes like 429004 whose city entry is missing in the package for some provinces.
  const known = new Set(codes.map(([code]) => Number(code)))
  // The package has its own code for overseas in some releases; ours is one for all.
  const regions = [...codes.filter(([code]) => !code.startsWith('9')), ['990000', '海外'] as const, ['990100', '海外'] as const].map(
    ([text, name]) => {
      const code = Number(text)
      const parent = parentOf(code)
      return { code, name, level: levelOf(code), parentCode: parent !== null && (known.has(parent) || parent === 990_000) ? parent : null }
    },
  )
  for (const level of [1, 2, 3]) {
    const rows = regions.filter((region) => region.level === level)
    for (let at = 0; at < rows.length; at += 1000)
      await tx
        .insertInto('region')
        .values(rows.slice(at, at + 1000))
        .execute()
  }
}

/** Coordinates came later than the regions: a database made before them gets them here. */
async function seedPlaces(tx: Tx): Promise<void> {
  const missing = await tx.selectFrom('region').where('code', '=', 110_100).where('lat', 'is', null).select('code').executeTakeFirst()
  if (!missing) return
  const places = [...cityPlaces].map(([code, { lat, lng }]) => ({ code, lat, lng }))
  await sql`update region r set lat = p.lat, lng = p.lng
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(code integer, lat numeric, lng numeric) where r.code = p.code`.execute(
    tx,
  )
}

/** English names of regions and the names of makers came later: a database made before them gets them here. */
async function seedNames(tx: Tx): Promise<void> {
  const missing = await tx.selectFrom('region').where('nameEn', '=', '').limit(1).select('code').executeTakeFirst()
  if (!missing) return
  const names = readFileSync(new URL('./region-names.json', import.meta.url), 'utf8')
  await sql`update region r set name_en = n.value from jsonb_each_text(${names}::jsonb) as n where r.code = n.key::integer`.execute(tx)
  await tx
    .insertInto('dictionary')
    .values(
      Object.entries(brandNames).map(([dictValue, dictLabelEn], dictSort) => ({
        dictType: 'brand',
        dictValue,
        dictLabel: dictValue,
        dictLabelEn,
        dictSort,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const textParams = new Set([
  'attachment',
  'tail',
  'shoe',
  'type',
  'drive',
  'emission',
  'mixer',
  'silent',
  'process',
  'section',
  'accuracy',
  'spec',
  'exciting',
])
const unitCodes: Record<string, RentUnit> = { '元/月': 'M', '元/天': 'D', '元/台班': 'S', '元/小时': 'H', '元/m³': 'V', '元/延米': 'L' }

async function seedCategories(tx: Tx): Promise<void> {
  const { tree } = JSON.parse(readFileSync(new URL('./categories.json', import.meta.url), 'utf8')) as Source
  await tx
    .insertInto('category')
    .values(
      tree.flatMap(({ children, ...group }) => [
        {
          id: group.id,
          parentId: 0,
          name: group.name,
          nameEn: categoryNames[group.id] ?? group.name,
          level: 1 as const,
          orderNum: group.orderNum,
          core: children.some(({ core }) => core),
        },
        ...children.map((category) => {
          const {
            specialEquipment = false,
            buildingLifting = false,
            nonRoad = false,
            roadVehicle = false,
            erection = false,
          } = category.flags
          return {
            id: category.id,
            parentId: category.parentId,
            name: category.name,
            nameEn: categoryNames[category.id] ?? category.name,
            alias: category.alias,
            level: 2 as const,
            orderNum: category.orderNum,
            core: category.core,
            params: JSON.stringify(
              category.params.map(({ key, label, unit, main }) => ({
                key,
                label,
                labelEn: paramLabels[key] ?? label,
                unit,
                main: main === 1,
                type: textParams.has(key) ? 'text' : 'number',
              })),
            ),
            flags: JSON.stringify({ specialEquipment, buildingLifting, nonRoad, roadVehicle, erection }),
            operatorCert: category.operatorCert,
            priceUnits: category.priceUnits.map((unit) => unitCodes[unit] ?? 'P'),
            litresPerShift: nonRoad || roadVehicle ? (litres[group.id] ?? 0) : 0,
          }
        }),
      ]),
    )
    .execute()
}

async function seedDictionaries(tx: Tx): Promise<void> {
  const entries: [type: string, values: readonly string[], zh: Record<string, string>, english: Record<string, string>][] = [
    ['demand_status', demandStatuses, zhCn.demand.status, en.demand.status],
    ['demand_type', demandTypes, zhCn.demand.type, en.demand.type],
    ['demand_method', demandMethods, zhCn.demand.method, en.demand.method],
    ['project_type', Object.keys(zhCn.demand.projectType), zhCn.demand.projectType, en.demand.projectType],
    ['rent_unit', rentUnits, zhCn.equipment.unit, en.equipment.unit],
    ['emission_stage', Object.keys(zhCn.equipment.emission), zhCn.equipment.emission, en.equipment.emission],
    ['document_kind', Object.keys(zhCn.equipment.document), zhCn.equipment.document, en.equipment.document],
    ['quote_status', Object.keys(zhCn.quote.status), zhCn.quote.status, en.quote.status],
    ['message_subject', Object.keys(zhCn.account.message.subjects), zhCn.account.message.subjects, en.account.message.subjects],
  ]
  await tx
    .insertInto('dictionary')
    .values(
      entries.flatMap(([dictType, values, zh, english]) =>
        values.map((dictValue, dictSort) => ({
          dictType,
          dictValue,
          dictLabel: zh[dictValue] ?? dictValue,
          dictLabelEn: english[dictValue] ?? dictValue,
          dictSort,
        })),
      ),
    )
    .execute()
}
