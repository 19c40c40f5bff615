import { sql } from 'kysely'
import { certificationStatus } from '#shared/certification/rules.ts'
import { demandStatus, demandType } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag, enableStatus } from '#shared/rules.ts'
import type { Suggestion } from '#shared/search/contract.ts'
import type { Read } from '../db/connect.ts'
import { contains, holdsWords } from '../db/search.ts'
import { suggestMachines } from '../equipment/queries.ts'
import type { Locale } from '../http/locale.ts'
import { regionNameOf } from '../region/queries.ts'

/** Suggestions of each kind. */
const maxOfKind = 4

/** Categories, machines, lessors and demands that hold the words, a few of each. */
export async function findSuggestions(db: Read, keyword: string, locale: Locale): Promise<Suggestion[]> {
  const [categories, machines, lessors, demands] = await Promise.all([
    suggestCategories(db, keyword),
    suggestMachines(db, keyword, maxOfKind),
    suggestLessors(db, keyword),
    suggestDemands(db, keyword),
  ])
  const named = (kind: Suggestion['kind'], label: string, { note, link }: Pick<Suggestion, 'note' | 'link'>) => ({
    kind,
    label,
    note,
    link,
  })
  return [
    ...categories.map(({ id, parentId, name, nameEn }) =>
      named('category', locale === 'en-US' ? nameEn : name, { note: '', link: paths.machinesOf(parentId, id) }),
    ),
    ...machines.map(({ id, name, regionName }) => named('equipment', name, { note: regionName, link: paths.machine(id) })),
    ...lessors.map(({ id, enterpriseName, regionName }) =>
      named('supplier', enterpriseName, { note: regionName, link: paths.supplier(id) }),
    ),
    ...demands.map(({ id, title, regionName }) => named('demand', title, { note: regionName, link: paths.demand(id) })),
  ]
}

function suggestCategories(db: Read, keyword: string) {
  const pattern = contains(keyword)
  return db
    .selectFrom('category')
    .where('level', '=', 2)
    .where('status', '=', enableStatus.enabled)
    .where((eb) =>
      eb.or([
        eb('name', 'ilike', pattern),
        eb('nameEn', 'ilike', pattern),
        sql<boolean>`exists (select 1 from unnest(alias) a where a ilike ${pattern})`,
      ]),
    )
    .orderBy('core', 'desc')
    .orderBy('id')
    .limit(maxOfKind)
    .select(['id', 'parentId', 'name', 'nameEn'])
    .execute()
}

function suggestLessors(db: Read, keyword: string) {
  return db
    .selectFrom('company')
    .where('isLessor', '=', true)
    .where('lessorAudit', '=', certificationStatus.passed)
    .where('blacklistedAt', 'is', null)
    .where('delFlag', '=', delFlag.present)
    .where(holdsWords('company', keyword))
    .orderBy('id', 'desc')
    .limit(maxOfKind)
    .select(['id', 'enterpriseName', regionNameOf('company').as('regionName')])
    .execute()
}

function suggestDemands(db: Read, keyword: string) {
  return db
    .selectFrom('demand')
    .where('status', '=', demandStatus.quoting)
    .where('demandType', '=', demandType.public)
    .where('delFlag', '=', delFlag.present)
    .where(holdsWords('demand', keyword))
    .orderBy('publishTime', 'desc')
    .limit(maxOfKind)
    .select(['id', 'title', regionNameOf('demand').as('regionName')])
    .execute()
}
