import { sql } from 'kysely'
import { daysSince } from '#shared/calendar.ts'
import type * as contract from '#shared/demand/contract.ts'
import { demandStatus, demandStatuses, isWithoutWinner, mostInStatus, openDemands, openedDemands } from '#shared/demand/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import { comma } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { byDeptsInScope, hasScopeInCompany, inScope, isUnder, staysInScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { alongOwner, listPage, mostFound, orderOf, pageId, type List, type Paging } from '../db/paging.ts'
import { areFrequent, beginsWith, holdsWords, rowHoldsWords } from '../db/search.ts'
import type { Context } from '../deed.ts'
import { listWorkbook, yuanCell } from '../workbook/list-workbook.ts'
import { alive, withCard } from './queries.ts'
import { todosOf } from './todo.ts'

type Filter = Received<typeof contract.exportOwnDemands>['query']

/** Since when the own people owe the demand a decision: its approval, or an award after its opening. */
const waitingSince = sql<string | null>`case demand.status when ${sql.lit(demandStatus.submitted)} then demand.update_time
  when ${sql.lit(demandStatus.reviewing)} then demand.open_time end`

const columns = {
  publishTime: { column: sql.ref('demand.publish_time'), optional: true },
  quoteDeadline: { column: sql.ref('demand.quote_deadline'), optional: true },
  quoteCount: { column: sql.ref('demand.quote_count') },
  net: { column: sql.ref('demand.awarded_net_fen'), optional: true },
} as const

type At = Pick<Context, 'db' | 'actor' | 'now'>

export async function listOwnDemands(at: At, filter: Filter & Paging) {
  const { db } = at
  const list = await ownList(at, filter)
  const paging = filter.projectName ? { ...filter, most: mostFound } : filter
  const card = withCard(db.selectFrom('demand').where('demand.id', '=', pageId))
    .leftJoin('award', 'award.demandId', 'demand.id')
    .select([
      'demand.quoteCount',
      // Nothing is left of an award that every winner gave up or let lapse.
      sql<number | null>`nullif(award.net_fen, 0)`.as('net'),
      // The mean of a single quote is that quote.
      sql<number | null>`nullif(award.mean_net_fen - award.net_fen, 0)`.as('saved'),
      waitingSince.as('waitingSince'),
    ])
  return listPage(db, { list, paging, card })
}

/** The demands of the scope that fit: found by their units, in order along an index of the company. */
async function ownList({ db, actor, now }: At, filter: Filter): Promise<List & { comparesTexts: boolean }> {
  const { projectName = '' } = filter
  const inCompany = hasScopeInCompany(actor)
  const hasWords = projectName !== ''
  // A project has few demands, so its words are looked for among them.
  const isFrequent = hasWords && (actor.role === 'projectUser' || (await areFrequent(db, 'demand', projectName)))
  const filtered = (demands: Own) => {
    let own = demands.where('demand.status', '<>', sql.lit(demandStatus.draft))
    if (filter.deptId) own = own.where(isUnder('demand.dept_id', filter.deptId))
    if (filter.status) own = own.where('demand.status', '=', filter.status)
    if (filter.open) own = own.where(sql<boolean>`demand.status in (${literals(openDemands)})`)
    // The states are parameters: their literals would draw the planner to an index of every published demand, which has the time of the opening.
    if (filter.opened) own = own.where('demand.openTime', 'is not', null).where('demand.status', 'in', openedDemands)
    if (filter.todo) own = own.where(todosOf(actor, now)[filter.todo])
    if (filter.demandCode) own = own.where(beginsWith('demand.demand_code', filter.demandCode.toUpperCase()))
    return own
  }
  const alongOrder = (demands: Own) => {
    const own = filtered(demands).where(staysInScope('demand.dept_id', actor))
    return hasWords ? own.where(rowHoldsWords('demand', projectName)) : own
  }
  const byUnits = () => {
    const own = filtered(alive(db)).where(byDeptsInScope('demand.dept_id', actor))
    return hasWords ? own.where(rowHoldsWords('demand', projectName)) : own
  }
  const byWords = () => filtered(holding(db, projectName)).where(inScope('demand.dept_id', actor))
  const found = hasWords && !isFrequent ? byWords() : byUnits()
  const order = orderOf({ sort: filter.sort, columns, id: 'demand.id' })
  const owned = alive(db)
    .where('demand.status', '<>', sql.lit(demandStatus.draft))
    .$if(inCompany, (demands) => demands.where('demand.companyId', '=', actor.companyId ?? 0))
  return {
    id: 'demand.id',
    order,
    found: (chosen) => found.select([...chosen]),
    inOrder: alongOwner(db, owned, { table: 'demand', order, filtered: alongOrder }),
    comparesTexts: isFrequent,
    // What waits for somebody is asked of other tables.
    isDear: filter.todo !== undefined,
    ...(isFrequent && inCompany && { bound: mostFound, isAlong: true }),
  }
}
type Own = ReturnType<typeof alive>

/**
 * How many rows of the list each status has, whatever status is chosen. Where the text of each is compared with words, a status is counted up to
 * `mostInStatus` and one more.
 */
export async function countOwnDemands(at: At, filter: Received<typeof contract.countOwnDemands>['query']): Promise<Record<string, number>> {
  const { found, comparesTexts } = await ownList(at, filter)
  const own = found([sql.ref('demand.status').as('status')])
  const counted = comparesTexts
    ? sql`(select each.status from unnest(${demandStatuses}::text[]) each(status),
        lateral (select from (${own}) own where own.status = each.status limit ${sql.lit(mostInStatus + 1)}) few)`
    : sql`(${own})`
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::int as n from ${counted} counted group by status`.execute(at.db)
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}

/** The demands that hold the words, before anything else is asked of them: offset 0 keeps the planner from looking for the words once for each unit. */
const holding = (db: Read, words: string) =>
  db.selectFrom(alive(db).where(holdsWords('demand', words)).selectAll('demand').offset(sql.lit(0)).as('demand')) as Own

/** The list as a workbook, in the language of the reader. */
export async function ownDemandsWorkbook(at: At, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const list = await listOwnDemands(at, { ...filter, pageNum: 1, pageSize: exportLimit, exact: true })
  const { demand } = text
  const zh = text.locale === 'zh-CN'
  return listWorkbook({
    title: demand.own.list,
    text,
    columns: [
      { label: demand.code, width: 18, value: (row) => row.demandCode },
      { label: demand.form.titleField, width: 40, value: (row) => row.title },
      { label: demand.own.projectName, width: 24, value: (row) => row.projectName },
      {
        label: text.site.common.status,
        width: 12,
        value: ({ status, net }) => (isWithoutWinner(status, net !== null) ? demand.noWinner : demand.status[status]),
      },
      {
        label: demand.lines,
        width: 40,
        value: ({ items }) => items.map((item) => `${zh ? item.categoryName : item.categoryNameEn} ×${item.qty}`).join(comma(text)),
      },
      { label: demand.publishedAt, width: 20, format: 'moment', value: (row) => row.publishTime },
      { label: demand.deadline, width: 20, format: 'moment', value: (row) => row.quoteDeadline },
      { label: demand.quoteCount, width: 10, format: 'whole', value: (row) => row.quoteCount },
      {
        label: text.list.demand.waitingDays,
        width: 12,
        format: 'whole',
        value: ({ waitingSince }) => waitingSince && daysSince(waitingSince, at.now),
      },
      { label: text.list.demand.net, width: 16, format: 'money', value: (row) => yuanCell(row.net) },
      { label: text.list.demand.saved, width: 16, format: 'money', value: (row) => yuanCell(row.saved) },
    ],
    list,
  })
}
