import { sql } from 'kysely'
import { suggest, type Suggestion } from '#shared/search/contract.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import { holdsWords } from '../db/search.ts'
import { suggestMachines } from '../equipment/queries.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { regionNameOf } from '../region/queries.ts'

export function searchRoutes(api: Api): void {
  api.handle(suggest, ({ db, locale }, { query }) => suggestions(db, query.keyword, textOf(locale)))
}

const aFew = 4

async function suggestions(db: Read, keyword: string, text: Text): Promise<Suggestion[]> {
  const english = text.locale === 'en-US'
  const pattern = `%${keyword.replace(/[\\%_]/g, '\\$&')}%`
  const [categories, machines, lessors, demands] = await Promise.all([
    db
      .selectFrom('category')
      .where('level', '=', 2)
      .where('status', '=', '0')
      .where((eb) =>
        eb.or([
          eb('name', 'ilike', pattern),
          eb('nameEn', 'ilike', pattern),
          sql<boolean>`exists (select 1 from unnest(alias) a where a ilike ${pattern})`,
        ]),
      )
      .orderBy('core', 'desc')
      .orderBy('id')
      .limit(aFew)
      .select(['id', 'parentId', 'name', 'nameEn'])
      .execute(),
    suggestMachines(db, keyword, aFew),
    db
      .selectFrom('company')
      .where('isLessor', '=', true)
      .where('lessorAudit', '=', '2')
      .where('blacklistedAt', 'is', null)
      .where('delFlag', '=', '0')
      .where(holdsWords('company', keyword))
      .orderBy('id', 'desc')
      .limit(aFew)
      .select(['id', 'enterpriseName', regionNameOf('company').as('regionName')])
      .execute(),
    db
      .selectFrom('demand')
      .where('status', '=', '3')
      .where('demandType', '=', '1')
      .where('delFlag', '=', '0')
      .where(holdsWords('demand', keyword))
      .orderBy('publishTime', 'desc')
      .limit(aFew)
      .select(['id', 'title', regionNameOf('demand').as('regionName')])
      .execute(),
  ])
  return [
    ...categories.map(({ id, parentId, name, nameEn }) => ({
      kind: 'category' as const,
      label: english ? nameEn : name,
      note: '',
      link: `/equipment?fatherCategoryId=${parentId}&categoryId=${id}`,
    })),
    ...machines.map(({ id, name, regionName }) => ({
      kind: 'equipment' as const,
      label: name,
      note: regionName,
      link: `/equipment/detail?id=${id}`,
    })),
    ...lessors.map(({ id, enterpriseName, regionName }) => ({
      kind: 'supplier' as const,
      label: enterpriseName,
      note: regionName,
      link: `/supplier/detail?id=${id}`,
    })),
    ...demands.map(({ id, title, regionName }) => ({
      kind: 'demand' as const,
      label: title,
      note: regionName,
      link: `/demand/detail?id=${id}`,
    })),
  ]
}
