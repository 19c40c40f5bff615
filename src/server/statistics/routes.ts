import * as report from '#shared/statistics/report.ts'
import { textOf } from '../http/locale.ts'
import { findFigures, findGroups, findRows, overMany, reportWorkbook } from './report.ts'
import { sql } from 'kysely'

import { getHomeFigures, getWorkPanel } from '#shared/statistics/contract.ts'
import { inScope } from '../actor/scope.ts'
import type { Actor } from '../actor/actor.ts'
import { countWaiting } from '../certification/queries.ts'
import type { Read } from '../db/connect.ts'
import type { Api } from '../api.ts'
import { countDemandsForLessor } from '../quote/market.ts'

export function statisticsRoutes(api: Api): void {
  api.handle(getHomeFigures, ({ db, answerCache }) => answerCache.figure('home', () => homeFigures(db)))
  api.handle(getWorkPanel, async ({ db, actor, now }) => ({
    tasks: [...(await tasksOf(db, actor, now)), await answeredFeedback(db, actor)].filter(({ count }) => count > 0),
  }))

  // The figures of a large organisation take a second (decision 21), so repeated calls get the figures of a moment ago.
  const keyOf = ({ accountId, role, deptId }: Actor, query: object) => `report ${accountId} ${role} ${deptId} ${JSON.stringify(query)}`
  api.handle(report.getReport, ({ db, actor, answerCache }, { query }) =>
    answerCache.figure(keyOf(actor, query), () => overMany(db, (tx) => findFigures(tx, actor, query))),
  )

  api.handle(report.getReportGroups, ({ db, actor, answerCache }, { query }) =>
    answerCache.figure(keyOf(actor, query), () => overMany(db, (tx) => findGroups(tx, actor, query, query.by))),
  )

  api.handle(report.listReportRows, ({ db, actor }, { query }) => findRows(db, actor, query))

  api.handle(report.exportReport, ({ db, actor, locale }, { query }) =>
    overMany(db, (tx) => reportWorkbook(tx, actor, query, textOf(locale))),
  )
}

async function homeFigures(db: Read) {
  const { rows } = await sql<{ openDemands: number; lessors: number; deals: number; machinesByGroup: Record<string, number> }>`
    select (select count(*)::int from demand where status = '3' and demand_type = '1' and del_flag = '0') as "openDemands",
      (select count(*)::int from company where is_lessor and lessor_audit = '2' and status = '0' and blacklisted_at is null and del_flag = '0') as lessors,
      (select count(*)::int from demand where status in ('5', '6', '9') and del_flag = '0') as deals,
      (select coalesce(json_object_agg(father_category_id, n), '{}') from (
        select father_category_id, sum(total_qty)::int as n from equipment
        where shelf_status = '1' and audit_status = '2' and del_flag = '0' group by 1) g) as "machinesByGroup"`.execute(db)
  const figures = rows[0] ?? { openDemands: 0, lessors: 0, deals: 0, machinesByGroup: {} }
  return { ...figures, machines: Object.values(figures.machinesByGroup).reduce((sum, n) => sum + n, 0) }
}

type Task = {
  kind: 'judge' | 'deadline' | 'drafts' | 'recommended' | 'quoted' | 'offShelf' | 'certify' | 'review' | 'feedback' | 'answered'
  count: number
  link: string
}

async function tasksOf(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  switch (actor.role) {
    case 'leaseholder':
    case 'projectUser': {
      const soon = new Date(now.getTime() + 24 * 3_600_000).toISOString()
      const counts = await db
        .selectFrom('demand')
        .where('delFlag', '=', '0')
        .where('status', 'in', ['0', '3', '4'])
        .where(inScope('demand.dept_id', actor))
        .select([
          sql<number>`count(*) filter (where status = '4')::int`.as('judge'),
          sql<number>`count(*) filter (where status = '3' and quote_deadline < ${soon}::timestamptz)::int`.as('deadline'),
          sql<number>`count(*) filter (where status = '0')::int`.as('drafts'),
        ])
        .executeTakeFirstOrThrow()
      return [
        { kind: 'judge', count: counts.judge, link: '/workbench/requirement/list?status=4' },
        { kind: 'deadline', count: counts.deadline, link: '/workbench/requirement/list?status=3' },
        { kind: 'drafts', count: counts.drafts, link: '/workbench/requirement/drafts' },
        ...(actor.role === 'leaseholder' && actor.isAdmin
          ? [{ kind: 'review' as const, count: await countWaiting(db, actor), link: '/workbench/organization/review' }]
          : []),
      ]
    }
    case 'leaser': {
      const companyId = actor.companyId ?? 0
      const quoted = await db
        .selectFrom('quote')
        .where('companyId', '=', companyId)
        .where('status', '=', '1')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      const offShelf = await db
        .selectFrom('equipment')
        .where('companyId', '=', companyId)
        .where('shelfStatus', '=', '0')
        .where('auditStatus', '=', '2')
        .where('delFlag', '=', '0')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [
        { kind: 'recommended', count: await countDemandsForLessor(db, companyId, now), link: '/workbench/crequirement' },
        { kind: 'quoted', count: quoted.count, link: '/workbench/crequirement?scope=quoted' },
        { kind: 'offShelf', count: offShelf.count, link: '/workbench/cequipment?shelfStatus=0' },
      ]
    }
    case 'operator': {
      const { n } = await db
        .selectFrom('feedback')
        .where('status', 'in', ['0', '1'])
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
      // Only what the operator's duties allow; the lists of other duties are closed to them.
      const may = (permission: (typeof actor.permissions)[number]) => actor.permissions.includes(permission)
      return [
        ...(may('certification:review')
          ? [{ kind: 'review' as const, count: await countWaiting(db, actor), link: '/admin/certification?status=1' }]
          : []),
        ...(may('feedback:answer') ? [{ kind: 'feedback' as const, count: n, link: '/admin/feedback?status=0' }] : []),
      ]
    }
    case null:
      return [{ kind: 'certify', count: 1, link: '/personal/myapprove' }]
    default:
      return []
  }
}

async function answeredFeedback(db: Read, actor: Actor): Promise<Task> {
  const { n } = await db
    .selectFrom('feedback')
    .where('accountId', '=', actor.accountId)
    .where('status', '=', '2')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { kind: 'answered', count: n, link: '/personal/feedback?status=2' }
}
