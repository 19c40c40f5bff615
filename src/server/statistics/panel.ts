import { sql } from 'kysely'
import { dayMs } from '#shared/calendar.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { awardedDemands, demandStatus, demandType } from '#shared/demand/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { feedbackStatus, waitingFeedback } from '#shared/feedback/rules.ts'
import { paths } from '#shared/paths.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { getHomeFigures, getWorkPanel } from '#shared/statistics/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { countWaiting } from '../certification/queries.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { countDemandsForLessor } from '../quote/market.ts'

/** The live figures of the home page. */
export async function countHome(db: Read): Promise<Returned<typeof getHomeFigures>> {
  const isPresent = sql`del_flag = ${sql.lit(delFlag.present)}`
  const { rows } = await sql<{ openDemands: number; lessors: number; deals: number; machinesByGroup: Record<string, number> }>`
    select (select count(*)::int from demand where status = ${sql.lit(demandStatus.quoting)}
        and demand_type = ${sql.lit(demandType.public)} and ${isPresent}) as "openDemands",
      (select count(*)::int from company where is_lessor and lessor_audit = ${sql.lit(certificationStatus.passed)}
        and status = ${sql.lit(companyStatus.active)} and blacklisted_at is null and ${isPresent}) as lessors,
      (select count(*)::int from demand where status in (${literals(awardedDemands)}) and ${isPresent}) as deals,
      (select coalesce(json_object_agg(father_category_id, n), '{}') from (
        select father_category_id, count(*)::int as n from equipment
        where shelf_status = ${sql.lit(shelfStatus.on)} and audit_status = ${sql.lit(equipmentAudit.passed)} and ${isPresent} group by 1) g) as "machinesByGroup"`.execute(
    db,
  )
  const figures = rows[0] ?? { openDemands: 0, lessors: 0, deals: 0, machinesByGroup: {} }
  return { ...figures, machines: Object.values(figures.machinesByGroup).reduce((sum, n) => sum + n, 0) }
}

type Task = Returned<typeof getWorkPanel>['tasks'][number]

/** The tasks that wait for the person, by their role. */
export async function findTasks(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  const tasks = [...(await tasksOfRole(db, actor, now)), await answeredFeedback(db, actor)]
  return tasks.filter(({ count }) => count > 0)
}

async function tasksOfRole(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  switch (actor.role) {
    case 'leaseholder':
    case 'projectUser':
      return tasksOfLessee(db, actor, now)
    case 'leaser':
      return tasksOfLessor(db, actor.companyId ?? 0, now)
    case 'operator':
      return tasksOfOperator(db, actor)
    case null:
      return [{ kind: 'certify', count: 1, link: paths.certification }]
    default:
      return []
  }
}

async function tasksOfLessee(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  const { draft, quoting, reviewing } = demandStatus
  const soon = new Date(now.getTime() + dayMs).toISOString()
  const counts = await db
    .selectFrom('demand')
    .where('delFlag', '=', delFlag.present)
    .where('status', 'in', [draft, quoting, reviewing])
    .where(inScope('demand.dept_id', actor))
    .select([
      sql<number>`count(*) filter (where status = ${reviewing})::int`.as('judge'),
      sql<number>`count(*) filter (where status = ${quoting} and quote_deadline < ${soon}::timestamptz)::int`.as('deadline'),
      sql<number>`count(*) filter (where status = ${draft})::int`.as('drafts'),
    ])
    .executeTakeFirstOrThrow()
  return [
    { kind: 'judge', count: counts.judge, link: paths.ownDemandsIn(reviewing) },
    { kind: 'deadline', count: counts.deadline, link: paths.ownDemandsIn(quoting) },
    { kind: 'drafts', count: counts.drafts, link: paths.drafts },
    ...(actor.role === 'leaseholder' && actor.isAdmin
      ? [{ kind: 'review' as const, count: await countWaiting(db, actor), link: paths.unitReviews }]
      : []),
  ]
}

async function tasksOfLessor(db: Read, companyId: number, now: Date): Promise<Task[]> {
  const quoted = await db
    .selectFrom('quote')
    .where('companyId', '=', companyId)
    .where('status', '=', quoteStatus.quoted)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const offShelf = await db
    .selectFrom('equipment')
    .where('companyId', '=', companyId)
    .where('shelfStatus', '=', shelfStatus.off)
    .where('auditStatus', '=', equipmentAudit.passed)
    .where('delFlag', '=', delFlag.present)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return [
    { kind: 'recommended', count: await countDemandsForLessor(db, companyId, now), link: paths.market() },
    { kind: 'quoted', count: quoted.count, link: paths.marketIn('quoted') },
    { kind: 'offShelf', count: offShelf.count, link: paths.ownMachinesOn(shelfStatus.off) },
  ]
}

/** Only the tasks of the operator's duties; the lists of other duties are closed to them. */
async function tasksOfOperator(db: Read, actor: Actor): Promise<Task[]> {
  const may = (permission: Actor['permissions'][number]) => actor.permissions.includes(permission)
  const tasks: Task[] = []
  if (may('certification:review'))
    tasks.push({ kind: 'review', count: await countWaiting(db, actor), link: paths.reviewsIn(certificationStatus.inReview) })
  if (may('feedback:answer')) {
    const { n } = await db
      .selectFrom('feedback')
      .where('status', 'in', waitingFeedback)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    tasks.push({ kind: 'feedback', count: n, link: paths.adminFeedbackIn(feedbackStatus.received) })
  }
  return tasks
}

async function answeredFeedback(db: Read, actor: Actor): Promise<Task> {
  const { n } = await db
    .selectFrom('feedback')
    .where('accountId', '=', actor.accountId)
    .where('status', '=', feedbackStatus.answered)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { kind: 'answered', count: n, link: paths.feedbackIn(feedbackStatus.answered) }
}
