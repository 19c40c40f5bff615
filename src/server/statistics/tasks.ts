import { sql, type RawBuilder } from 'kysely'
import { contactStatus } from '#shared/contact/rules.ts'
import { cancellationStatus } from '#shared/account/rules.ts'
import { demandStatus, fewDays } from '#shared/demand/rules.ts'
import { demandTodos, type DemandTodo } from '#shared/demand/todo.ts'
import { feedbackStatus } from '#shared/feedback/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { transferTodos } from '#shared/internal/rules.ts'
import { paths, wholeList } from '#shared/paths.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { itemsPerTask, taskKinds, type Task, type TaskItem } from '#shared/statistics/panel.ts'
import type { WaitingKind } from '#shared/system/contract.ts'
import { withContracts, type Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { listEntries } from '../blacklist/queries.ts'
import { listCertifications } from '../certification/queries.ts'
import { sideOf } from '../contract/scope.ts'
import type { Read } from '../db/connect.ts'
import { decisionEnds, intervalOfDays, todosOf } from '../demand/todo.ts'
import { listTransfers } from '../internal/queries.ts'
import { findWaiting } from '../system/waiting.ts'
import { findContractTasks } from './contract-tasks.ts'
import { findLessorTasks, withNamesEn } from './lessor-tasks.ts'

/** What waits for the person, the most pressing kind first. */
export async function findTasks(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  const tasks = [...(await findTasksOfRole(db, actor, now)), await findAnsweredFeedback(db, actor)]
  return tasks.filter(({ count }) => count > 0).toSorted((a, b) => taskKinds.indexOf(a.kind) - taskKinds.indexOf(b.kind))
}

/** What only the certified do. */
const makingTasks = ['contractSend', 'contractReturned', 'contractConfirm'] as const

async function findTasksOfRole(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  switch (actor.role) {
    case 'leaseholder':
    case 'projectUser':
      return [
        ...(await findContractTasks(db, { actor, now, side: 'lessee' })),
        ...(await findDemandTasks(db, actor, now)),
        ...(await findTransferTasks(db, actor)),
        ...(await findDecisions(db, actor)),
      ]
    case 'leaser':
      return [
        ...(await findContractTasks(db, { actor, now, side: 'lessor' })),
        ...(await findLessorTasks(db, { companyId: actor.companyId ?? 0, now })),
      ]
    case 'operator':
      return findOperatorTasks(db, actor)
    case null: {
      const party = withContracts(actor)
      const side = sideOf(party)
      const contracts = side ? await findContractTasks(db, { actor: party, now, side }) : []
      const item = { id: '', title: '', detail: '', quotes: null, since: null, due: null, link: paths.certification }
      return [
        { kind: 'certify', count: 1, items: [item], link: paths.certification },
        ...contracts.filter(({ kind }) => !isAmong(kind, makingTasks)),
      ]
    }
    default:
      return []
  }
}

/** Since when a demand waits and until when, and what it says beside its name, each as a column of `demand`. */
const columnsOf: Record<DemandTodo | 'drafts', Partial<Record<'since' | 'due' | 'detail', RawBuilder<unknown>>>> = {
  // The owner has so many days from when the clock told them (decision 9).
  short: {
    since: sql`demand.quote_deadline`,
    due: sql`coalesce(demand.few_told_at, demand.quote_deadline) + ${intervalOfDays(fewDays)}::interval`,
  },
  // An offer binds its lessor only until its day, and at the end of the time to decide the clock lets the demand fail.
  judge: {
    since: sql`demand.open_time`,
    due: sql`least((select min(q.valid_until) from quote q where q.demand_id = demand.id and q.status = ${sql.lit(quoteStatus.reviewing)})::text,
      to_char(${decisionEnds} at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS'))`,
  },
  approveAward: { since: sql`(select max(r.request_time) from award_request r where r.demand_id = demand.id)` },
  approve: { since: sql`demand.update_time` },
  question: {
    since: sql`(select min(x.ask_time) from demand_question x where x.demand_id = demand.id and x.answer = '')`,
    due: sql`demand.quote_deadline`,
    detail: sql`(select x.content from demand_question x where x.demand_id = demand.id and x.answer = '' order by x.id limit 1)`,
  },
  closing: { due: sql`demand.quote_deadline` },
  rejected: { since: sql`demand.update_time`, detail: sql`demand.status_reason` },
  drafts: { since: sql`demand.update_time` },
}

async function findDemandTasks(db: Read, actor: Actor, now: Date): Promise<Task[]> {
  const todos = todosOf(actor, now)
  const tasks: Task[] = []
  for (const todo of demandTodos)
    tasks.push(await findDemands(db, actor, { kind: todo, where: todos[todo], link: paths.ownDemandsTodo(todo) }))
  const drafts = sql<boolean>`demand.status = ${sql.lit(demandStatus.draft)}`
  return [...tasks, await findDemands(db, actor, { kind: 'drafts', where: drafts, link: wholeList(paths.drafts) })]
}

function linkOf(kind: DemandTodo | 'drafts', id: number): string {
  if (kind === 'drafts') return paths.draft(id)
  return kind === 'question' ? paths.ownDemandQuestions(id) : paths.ownDemand(id)
}

type Wanted = { kind: DemandTodo | 'drafts'; where: RawBuilder<boolean>; link: string }

async function findDemands(db: Read, actor: Actor, { kind, where, link }: Wanted): Promise<Task> {
  const { since = sql`null::timestamptz`, due = sql`null::timestamptz`, detail = sql`demand.project_name` } = columnsOf[kind]
  const rows = await db
    .selectFrom('demand')
    .where('demand.delFlag', '=', sql.lit(delFlag.present))
    .where(inScope('demand.dept_id', actor))
    .where(where)
    .select([
      'demand.id',
      'demand.title',
      'demand.quoteCount',
      sql<string>`coalesce(${detail}, '')`.as('detail'),
      sql<string | null>`${since}`.as('since'),
      sql<string | null>`${due}`.as('due'),
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy(sql`due nulls last`)
    .orderBy(sql`since nulls last`)
    .orderBy('demand.id')
    .limit(itemsPerTask)
    .execute()
  const counts = kind === 'judge' || kind === 'short' || kind === 'approveAward' || kind === 'closing'
  return {
    kind,
    count: rows[0]?.total ?? 0,
    link,
    items: rows.map((row) => ({
      id: String(row.id),
      title: row.title,
      detail: row.detail,
      quotes: counts ? row.quoteCount : null,
      since: row.since,
      due: row.due,
      link: linkOf(kind, row.id),
    })),
  }
}

const firstPage = { pageNum: 1, pageSize: itemsPerTask } as const

/** Requests that the giving unit answers, and agreed transfers whose machine the taking unit receives; each names the other unit. */
async function findTransferTasks(db: Read, actor: Actor): Promise<Task[]> {
  const tasks: Task[] = []
  for (const todo of transferTodos) {
    const { total, rows } = await listTransfers(db, actor, { ...firstPage, todo })
    const link = paths.transfersTodo(todo)
    const items = rows.map(({ id, machineName, machineNameEn, fromDeptName, toDeptName, updateTime }) =>
      itemOf({
        id: String(id),
        title: machineName,
        titleEn: machineNameEn,
        detail: todo === 'transferAnswer' ? toDeptName : fromDeptName,
        since: updateTime,
        link,
      }),
    )
    tasks.push({ kind: todo, count: total, link, items })
  }
  return tasks
}

const todoPage = { ...firstPage, todo: '1', keyword: undefined } as const

/** What an organisation's administrator decides beside demands: applications of projects, and entries of the restriction list. */
async function findDecisions(db: Read, actor: Actor): Promise<Task[]> {
  if (actor.role !== 'leaseholder' || !actor.isAdmin) return []
  const applications = await listCertifications(db, actor, todoPage)
  const entries = await listEntries(db, actor, todoPage)
  return [
    {
      kind: 'review',
      count: applications.total,
      link: `${paths.unitReviews}?todo=1`,
      items: applications.rows.map(({ id, name, applicant, submittedAt }) =>
        itemOf({ id: String(id), title: name, detail: applicant, since: submittedAt, link: paths.unitReview(id) }),
      ),
    },
    {
      kind: 'blacklist',
      count: entries.total,
      link: paths.blacklist('?todo=1'),
      items: entries.rows.map(({ id, companyName, blacklistCode, createTime }) =>
        itemOf({ id: String(id), title: companyName, detail: blacklistCode, since: createTime, link: paths.blacklistEntry(id) }),
      ),
    },
  ]
}

const itemOf = (item: Pick<TaskItem, 'id' | 'title' | 'titleEn' | 'detail' | 'since' | 'link'>): TaskItem => ({
  ...item,
  quotes: null,
  due: null,
})

/** The list of a kind, null where none has exactly its objects, and the page of one object. */
const operatorLinks: Record<WaitingKind, { list: string | null; item: (id: string) => string }> = {
  certification: { list: paths.reviews('?todo=1'), item: (id) => paths.review(Number(id)) },
  equipment: { list: paths.equipmentReviews(), item: (id) => paths.equipmentReview(Number(id)) },
  trusted: { list: paths.equipmentReviews('?scope=trusted'), item: (id) => paths.equipmentReview(Number(id)) },
  feedback: { list: paths.adminFeedback('?todo=1'), item: (id) => paths.adminFeedbackDetail(Number(id)) },
  contact: { list: `${paths.contacts}?status=${contactStatus.waiting}`, item: () => `${paths.contacts}?status=${contactStatus.waiting}` },
  cancellation: {
    list: `${paths.cancellations}?status=${cancellationStatus.stopped}`,
    item: () => `${paths.cancellations}?status=${cancellationStatus.stopped}`,
  },
  blacklist: { list: paths.blacklist('?todo=1'), item: (id) => paths.blacklistEntry(Number(id)) },
  outbox: { list: `${paths.outbox}?todo=1`, item: () => `${paths.outbox}?todo=1` },
  jobs: { list: paths.jobs, item: () => paths.jobs },
}

async function findOperatorTasks(db: Read, actor: Actor): Promise<Task[]> {
  const tasks: Task[] = []
  for (const { kind, count, items: waiting } of await findWaiting(db, actor)) {
    const items = waiting.map((item) => itemOf({ ...item, link: operatorLinks[kind].item(item.id) }))
    tasks.push({
      kind: kind === 'certification' ? 'review' : kind,
      count,
      link: operatorLinks[kind].list,
      items: kind === 'equipment' || kind === 'trusted' ? await withNamesEn(db, items) : items,
    })
  }
  return tasks
}

async function findAnsweredFeedback(db: Read, actor: Actor): Promise<Task> {
  const rows = await db
    .selectFrom('feedback')
    .where('accountId', '=', actor.accountId)
    .where('status', '=', feedbackStatus.answered)
    .select(['id', 'title', 'feedbackCode', 'updateTime', sql<number>`count(*) over ()::int`.as('total')])
    .orderBy('updateTime')
    .limit(itemsPerTask)
    .execute()
  return {
    kind: 'answered',
    count: rows[0]?.total ?? 0,
    link: paths.feedbackIn(feedbackStatus.answered),
    items: rows.map(({ id, title, feedbackCode, updateTime }) =>
      itemOf({ id: String(id), title, detail: feedbackCode, since: updateTime, link: paths.feedbackDetail(id) }),
    ),
  }
}
