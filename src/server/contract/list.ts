import { sql } from 'kysely'
import { mostParties, type contractSorts } from '#shared/contract/contract.ts'
import type * as contract from '#shared/contract/contract.ts'
import type { ContractStatus } from '#shared/contract/rules.ts'
import { contractStatusOf, scanStatusOf } from '#shared/contract/status-text.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { byDeptsInScope, hasScopeInCompany, inScope, staysInScope } from '../actor/scope.ts'
import { alongOwner, listOf, listPage, mostFound, orderOf, pageId, type List, type Paging } from '../db/paging.ts'
import { areFrequent, contains, holdsWords, rowHoldsWords, textHoldsWords } from '../db/search.ts'
import { listWorkbook, yuanCell } from '../workbook/list-workbook.ts'
import { filtered, narrowed, otherCompany, rowOf, withSides, type At, type Contracts } from './queries.ts'
import { seenBy, sideOf } from './scope.ts'

type Filter = Received<typeof contract.exportContracts>['query']

const sortColumns = {
  planEnd: { column: sql.ref('contract.plan_end') },
  amount: { column: sql.ref('contract.amount_fen') },
  updateTime: { column: sql.ref('contract.update_time') },
  status: { column: sql.ref('contract.status') },
} satisfies Record<(typeof contractSorts)[number], unknown>

export async function listContracts(at: At, filter: Filter & Paging) {
  const list = await ownList(at, filter)
  const paging = filter.keyword ? { ...filter, most: mostFound } : filter
  const card = withSides(at.db.selectFrom('contract').where('contract.id', '=', pageId))
  const side = sideOf(at.actor)
  const { rows, ...counted } = await listPage(at.db, { list, paging, card })
  return { ...counted, rows: rows.map((row) => rowOf(row, side)) }
}

/** The contracts of the scope that fit: found by their units, in order along the index of the company. */
async function ownList(at: At, filter: Filter): Promise<List> {
  const { db, actor } = at
  const { keyword = '' } = filter
  const order = orderOf({ sort: filter.sort, columns: sortColumns, id: 'contract.id' })
  const contracts = db.selectFrom('contract')
  const isFiltered = [filter.status, filter.deptId, filter.companyId, filter.endsWithin].some((value) => value !== undefined)
  const holding = (some: Contracts, holds = textHoldsWords) => (keyword === '' ? some : some.where(holds('contract', keyword)))
  // A project or a lessor has few contracts, so words are looked for among them.
  if (!hasScopeInCompany(actor)) return listOf(holding(narrowed(contracts.where(seenBy(at)), at, filter)), 'contract.id', order)
  const isFrequent = keyword !== '' && (await areFrequent(db, 'contract', keyword))
  const owned = contracts.where('contract.lesseeCompanyId', '=', actor.companyId ?? 0)
  const inScopeOf = (some: Contracts) => narrowed(some, at, filter).where(staysInScope('contract.dept_id', actor))
  // Along the order few rows pass another filter, which an index holds: only their texts are read.
  const alongOrder = (some: Contracts) => holding(inScopeOf(some), isFiltered ? rowHoldsWords : textHoldsWords)
  // Those of one lessor are few, and those that end soon are a range of the company's index; most of those that are over are past their state.
  const unitsFind = filter.companyId === undefined && (filter.endsWithin === undefined || filter.endsWithin === 'over')
  const byUnits = unitsFind
    ? holding(narrowed(contracts.where(byDeptsInScope('contract.dept_id', actor)), at, filter))
    : holding(inScopeOf(filter.companyId === undefined ? owned : contracts))
  // Offset 0 keeps the planner from looking for the words once for each unit.
  const worded = contracts.where(holdsWords('contract', keyword)).selectAll('contract').offset(sql.lit(0)).as('contract')
  const byWords = narrowed(db.selectFrom(worded) as Contracts, at, filter).where(inScope('contract.dept_id', actor))
  const narrow = keyword === '' || isFrequent ? byUnits : byWords
  const along = alongOwner(db, owned, { table: 'contract', order, filtered: alongOrder })
  return {
    id: 'contract.id',
    order,
    found: (columns) => narrow.select([...columns]),
    inOrder: along,
    isDear: keyword !== '',
    isAlong: isFrequent && !isFiltered,
    // Those that end soon are counted faster than they are sorted.
    ...((isFrequent || filter.endsWithin !== undefined) && { bound: mostFound }),
  }
}

/** How many rows of the list each state has, whatever state is chosen. */
export async function countContracts(
  at: At,
  filter: Received<typeof contract.countContracts>['query'],
): Promise<Partial<Record<ContractStatus, number>>> {
  const rows = await filtered(at, filter)
    .groupBy('contract.status')
    .select(['contract.status', (eb) => eb.fn.countAll<number>().as('n')])
    .execute()
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** The companies on the other side of what the person sees; the chosen one first. */
export function listParties(at: At, { keyword, companyId }: Received<typeof contract.listContractParties>['query']) {
  const found = filtered(at, {})
    .select(`contract.${otherCompany(at.actor)} as id`)
    .distinct()
  return at.db
    .selectFrom('company')
    .where('company.id', 'in', found)
    .where((eb) =>
      eb.or([
        ...(keyword === undefined ? [eb.lit(true)] : [eb('enterpriseName', 'like', contains(keyword))]),
        eb('company.id', '=', companyId ?? 0),
      ]),
    )
    .orderBy(sql`company.id = ${companyId ?? 0}`, 'desc')
    .orderBy('enterpriseName')
    .orderBy('company.id')
    .limit(mostParties)
    .select(['company.id as companyId', 'enterpriseName as companyName'])
    .execute()
}

/** The list as a workbook, in the language of the reader. */
export async function contractsWorkbook(at: At, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const list = await listContracts(at, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true })
  const words = text.contract
  const side = sideOf(at.actor)
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: words.code, width: 18, value: (row) => row.contractCode },
      { label: words.name, width: 36, value: (row) => row.title },
      { label: words.side.lessee, width: 28, value: (row) => `${row.lessee.companyName} ${row.lessee.deptName}` },
      { label: words.side.lessor, width: 28, value: (row) => row.lessor.companyName },
      { label: words.positions, width: 8, format: 'whole', value: (row) => row.positions },
      { label: words.amountYuan, width: 16, format: 'money', value: (row) => yuanCell(row.amount) },
      { label: words.start, width: 14, format: 'day', value: (row) => row.planStart },
      { label: words.end, width: 14, format: 'day', value: (row) => row.planEnd },
      { label: text.site.common.status, width: 12, value: ({ status }) => contractStatusOf(text, { status, side }) },
      { label: words.pages.lapseTime, width: 20, format: 'moment', value: (row) => row.lapsesAt },
      { label: words.pages.lapseBlame, width: 14, value: (row) => (row.lapseBlame ? words.blame[row.lapseBlame] : null) },
      { label: words.pages.scans, width: 20, value: (row) => scanStatusOf(text, row) },
      { label: words.pages.updated, width: 20, format: 'moment', value: (row) => row.updateTime },
    ],
    list,
  })
}
