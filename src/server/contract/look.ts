import { sql } from 'kysely'
import { minuteMs, toMoment } from '#shared/calendar.ts'
import type { listAllContracts as listCall } from '#shared/contract/look.ts'
import { lookMinutes } from '#shared/contract/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import type { Read } from '../db/connect.ts'
import { listed, listOf, pageOf, wholly } from '../db/paging.ts'
import { holdsWords } from '../db/search.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { insertEvent } from './events.ts'

/** Every contract for the platform: how it stands, and nothing that a look needs a reason for. */
export async function listAllContracts(db: Read, filter: Received<typeof listCall>['query']) {
  const { keyword, status, source, companyId } = filter
  let query = db.selectFrom('contract')
  if (status) query = query.where('contract.status', '=', status)
  if (source) query = query.where('contract.source', '=', source)
  if (companyId)
    query = query.where((eb) => eb.or([eb('contract.lesseeCompanyId', '=', companyId), eb('contract.lessorCompanyId', '=', companyId)]))
  if (keyword) query = query.where(holdsWords('contract', keyword))
  const list = listOf(query, 'contract.id', [{ by: sql.ref('contract.id'), direction: 'desc' }])
  const rows = await db
    .selectFrom('contract')
    .innerJoin(pageOf(list, wholly(filter)), 'page.id', 'contract.id')
    .innerJoin('company as lessee', 'lessee.id', 'contract.lesseeCompanyId')
    .innerJoin('company as lessor', 'lessor.id', 'contract.lessorCompanyId')
    .innerJoin('dept', 'dept.id', 'contract.deptId')
    .orderBy('page.at')
    .select([
      'page.total',
      'contract.id',
      'contract.contractCode',
      'contract.title',
      'contract.source',
      'contract.status',
      'lessee.enterpriseName as lesseeName',
      'dept.deptName',
      'lessor.enterpriseName as lessorName',
      'contract.planStart',
      'contract.planEnd',
      'contract.createTime',
    ])
    .execute()
  return listed(db, rows, () => list, wholly(filter))
}

/** Writes into the chain of a contract why the platform reads it, where both sides see it; from then on it may be read for `lookMinutes`. */
export async function lookAtContract(deed: Deed, { id, reason }: { id: number; reason: string }): Promise<{ until: string }> {
  const { db, now, actor } = deed
  const contract = await db.selectFrom('contract').where('id', '=', id).select('id').executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  await insertEvent(deed, { contractId: id, accountId: actor.accountId, side: null, move: 'look', note: reason })
  return { until: toMoment(new Date(now.getTime() + lookMinutes * minuteMs)) }
}
