import { sql, type SelectQueryBuilder } from 'kysely'
import { dayMs, minuteMs, toMoment } from '#shared/calendar.ts'
import type * as contract from '#shared/contract/manage.ts'
import { lookMinutes, recordLimits, type ContractStatus } from '#shared/contract/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import { logTaken } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { isUnfiltered, listOf, listPage, orderedBy, orderOf, pageId, type List, type OrderKey, type Paging } from '../db/paging.ts'
import { holdsWords } from '../db/search.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context, Deed } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'
import { insertEvent } from './events.ts'

type Filter = Received<typeof contract.exportAllContracts>['query']

function filtered(db: Read, { keyword, status, source, companyId }: Partial<Filter>) {
  let query = db.selectFrom('contract')
  if (status) query = query.where('contract.status', '=', status)
  if (source) query = query.where('contract.source', '=', source)
  if (companyId)
    query = query.where((eb) => eb.or([eb('contract.lesseeCompanyId', '=', companyId), eb('contract.lessorCompanyId', '=', companyId)]))
  if (keyword) query = query.where(holdsWords('contract', keyword))
  return query
}

const sortColumns = { planEnd: { column: sql.ref('contract.plan_end') }, updateTime: { column: sql.ref('contract.update_time') } } as const

/** Every contract for the platform: how it stands, and nothing that a look needs a reason for. */
export async function listAllContracts(db: Read, filter: Filter & Paging) {
  const { companyId, ...others } = filter
  const order = orderOf({ sort: filter.sort, columns: sortColumns, id: 'contract.id' })
  const list: List = companyId
    ? ofCompany(filtered(db, others), companyId, order)
    : { ...listOf(filtered(db, others), 'contract.id', order), isWhole: isUnfiltered(others) }
  const card = db
    .selectFrom('contract')
    .where('contract.id', '=', pageId)
    .innerJoin('company as lessee', 'lessee.id', 'contract.lesseeCompanyId')
    .innerJoin('company as lessor', 'lessor.id', 'contract.lessorCompanyId')
    .innerJoin('dept', 'dept.id', 'contract.deptId')
    .select([
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
      'contract.updateTime',
    ])
  return listPage(db, { list, paging: filter, card })
}

type Contracts = SelectQueryBuilder<DB, 'contract', object>

/** The contracts of a company, as either side: each side has its index. */
function ofCompany(contracts: Contracts, companyId: number, order: OrderKey[]): List {
  const asLessee = contracts.where('contract.lesseeCompanyId', '=', companyId)
  const asLessor = contracts.where('contract.lessorCompanyId', '=', companyId).where('contract.lesseeCompanyId', '<>', companyId)
  const found: List['found'] = (columns) => sql`${asLessee.select([...columns])} union all ${asLessor.select([...columns])}`
  const keys = order.map(({ by, direction }, at) => ({ column: by.as(`o${at}`), by: sql.ref(`o${at}`), direction }))
  const columns = [sql.ref('contract.id').as('id'), ...keys.map(({ column }) => column)]
  return { id: 'contract.id', order, found, inOrder: sql`select id from (${found(columns)}) either order by ${orderedBy(keys)}` }
}

/** How many contracts each state has, whatever state is chosen. */
export async function countAllContracts(
  db: Read,
  filter: Received<typeof contract.countAllContracts>['query'],
): Promise<Partial<Record<ContractStatus, number>>> {
  const rows = await filtered(db, filter)
    .groupBy('contract.status')
    .select(['contract.status', (eb) => eb.fn.countAll<number>().as('n')])
    .execute()
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** The filtered list as a workbook, and an entry in the audit log. It holds no more than the list: a price needs a reason for each contract. */
export async function exportAllContracts(
  { db, actor, now, locale }: Pick<Context, 'db' | 'actor' | 'now' | 'locale'>,
  filter: Filter,
): Promise<Download> {
  const text = textOf(locale)
  const words = text.contract
  const { list: own } = words.record
  const list = await listAllContracts(db, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true })
  const file = await listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: words.code, width: 18, value: (row) => row.contractCode },
      { label: words.name, width: 36, value: (row) => row.title },
      { label: text.site.common.status, width: 12, value: (row) => words.status[row.status] },
      { label: own.source, width: 14, value: (row) => words.source[row.source] },
      { label: own.lessee, width: 28, value: (row) => row.lesseeName },
      { label: text.demand.own.dept, width: 24, value: (row) => row.deptName },
      { label: own.lessor, width: 28, value: (row) => row.lessorName },
      { label: words.start, width: 14, format: 'day', value: (row) => row.planStart },
      { label: words.end, width: 14, format: 'day', value: (row) => row.planEnd },
      { label: own.created, width: 20, format: 'moment', value: (row) => row.createTime },
      { label: words.pages.updated, width: 20, format: 'moment', value: (row) => row.updateTime },
    ],
    list,
  })
  await logTaken({ db, actor, now }, { action: 'contract.export', bizType: 'contract', after: filter })
  return file
}

/** Writes into the chain of a contract why the platform reads it, where both sides see it; from then on it may be read for `lookMinutes`. */
export async function lookAtContract(deed: Deed, { id, reason }: { id: number; reason: string }): Promise<{ until: string }> {
  const { db, now, actor } = deed
  const contract = await db.selectFrom('contract').where('id', '=', id).forNoKeyUpdate().select('id').executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  const { looks } = await db
    .selectFrom('contractEvent')
    .where('contractId', '=', id)
    .where('move', '=', 'look')
    .where('accountId', '=', actor.accountId)
    .where('at', '>', new Date(now.getTime() - dayMs).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('looks'))
    .executeTakeFirstOrThrow()
  if (looks >= recordLimits.looksADay) throw new Refusal('day_limit')
  await insertEvent(deed, { contractId: id, accountId: actor.accountId, side: null, move: 'look', note: reason })
  return { until: toMoment(new Date(now.getTime() + lookMinutes * minuteMs)) }
}
