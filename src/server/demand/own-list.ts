import { sql } from 'kysely'
import { dayMs, fromMoment } from '#shared/calendar.ts'
import type * as contract from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import { exportLimit } from '#shared/rules.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { inScope } from '../actor/scope.ts'
import { paged, sorted } from '../db/paging.ts'
import { beginsWith, holdsWords } from '../db/search.ts'
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
  net: { column: sql`(select w.net_fen from award w where w.demand_id = demand.id)`, optional: true },
} as const

type At = Pick<Context, 'db' | 'actor' | 'now'>

export function listOwnDemands({ db, actor, now }: At, filter: Filter & { pageNum: number; pageSize: number }) {
  let own = alive(db).where('demand.status', '<>', demandStatus.draft).where(inScope('demand.dept_id', actor))
  if (filter.deptId) own = own.where('demand.deptId', '=', filter.deptId)
  if (filter.status) own = own.where('demand.status', '=', filter.status)
  if (filter.todo) own = own.where(todosOf(actor, now)[filter.todo])
  if (filter.demandCode) own = own.where(beginsWith('demand.demand_code', filter.demandCode.toUpperCase()))
  if (filter.projectName) own = own.where(holdsWords('demand', filter.projectName))
  return paged(own, filter, (query) =>
    sorted(
      withCard(query)
        .leftJoin('award', 'award.demandId', 'demand.id')
        .select([
          'demand.quoteCount',
          'award.netFen as net',
          sql<number | null>`award.mean_net_fen - award.net_fen`.as('saved'),
          waitingSince.as('waitingSince'),
        ]),
      { sort: filter.sort, columns, id: 'demand.id', usual: (rows) => rows.orderBy('demand.id', 'desc') },
    ),
  )
}

const daysSince = (moment: string, now: Date) => Math.max(0, Math.floor((now.getTime() - fromMoment(moment).getTime()) / dayMs))

/** The list as a workbook, in the language of the reader. */
export async function ownDemandsWorkbook(at: At, { filter, text }: { filter: Filter; text: Text }): Promise<Download> {
  const list = await listOwnDemands(at, { ...filter, pageNum: 1, pageSize: exportLimit })
  const { demand } = text
  const zh = text.locale === 'zh-CN'
  return listWorkbook({
    title: demand.own.list,
    text,
    columns: [
      { label: demand.code, width: 18, value: (row) => row.demandCode },
      { label: demand.form.titleField, width: 40, value: (row) => row.title },
      { label: demand.own.projectName, width: 24, value: (row) => row.projectName },
      { label: text.site.common.status, width: 12, value: (row) => demand.status[row.status] },
      {
        label: demand.lines,
        width: 40,
        value: ({ items }) => items.map((item) => `${zh ? item.categoryName : item.categoryNameEn} ×${item.qty}`).join(zh ? '、' : ', '),
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
