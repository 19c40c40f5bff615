import { sql, type RawBuilder } from 'kysely'
import { heardEntries } from '#shared/blacklist/rules.ts'
import { addDays, dayOf, hourMs } from '#shared/calendar.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { giveUpHours, quoteStatus } from '#shared/quote/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { itemsPerTask, panelDays, type Task, type TaskItem, type TaskKind } from '#shared/statistics/panel.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { isInUse } from '../equipment/expiry.ts'
import { findMachineNamesEn } from '../equipment/names.ts'
import { findRecommended } from '../quote/market.ts'

/** Tasks whose objects are machines. */
const ofMachines = ['returned', 'papers', 'offShelf'] as const

type Lessor = { companyId: number; now: Date }
type Row = { id: number; title: string; detail: string; since: string | null; due: string | null; total: number }
type Source = { kind: TaskKind; list: string | null; item: (id: number) => string; objects: RawBuilder<unknown> }

/** What waits for a lessor: quotes to confirm, awards, hearings, machines and their papers, and demands that their machines fit. */
export async function findLessorTasks(db: Read, lessor: Lessor): Promise<Task[]> {
  const tasks: Task[] = []
  for (const { kind, list, item, objects } of sourcesOf(lessor)) {
    const { rows } = await sql<Row>`
      select id, title, detail, since, due, count(*) over ()::int as total from (${objects}) w
      order by due nulls last, since nulls last, id limit ${sql.lit(itemsPerTask)}`.execute(db)
    const items = rows.map(({ id, total: _, ...row }) => ({ ...row, id: String(id), quotes: null, link: item(id) }))
    tasks.push({
      kind,
      count: rows[0]?.total ?? 0,
      link: list,
      items: isAmong(kind, ofMachines) ? await withNamesEn(db, items) : items,
    })
  }
  return [...tasks, await findDemandsToQuote(db, lessor)]
}

async function findDemandsToQuote(db: Read, lessor: Lessor): Promise<Task> {
  const rows = await findRecommended(db, lessor, itemsPerTask)
  return {
    kind: 'recommended',
    count: rows[0]?.total ?? 0,
    link: paths.marketIn('recommended'),
    items: rows.map(({ id, title, projectName, quoteDeadline }) => ({
      id: String(id),
      title,
      detail: projectName,
      quotes: null,
      since: null,
      due: quoteDeadline,
      link: paths.marketDemand(id),
    })),
  }
}

/** The objects of each kind: id, title, detail, since, due. */
function sourcesOf({ companyId, now }: Lessor): Source[] {
  const today = dayOf(now)
  const quoted = sql`from quote q join demand d on d.id = q.demand_id where q.company_id = ${companyId}`
  const machines = sql`from equipment e where e.company_id = ${companyId} and e.del_flag = ${sql.lit(delFlag.present)}`
  const never = sql`null::timestamptz`
  return [
    {
      kind: 'confirm',
      list: null,
      item: paths.marketDemand,
      objects: sql`select d.id, d.title, d.project_name as detail, q.update_time as since, d.quote_deadline as due ${quoted}
        and q.status = ${sql.lit(quoteStatus.toConfirm)} and d.quote_deadline > ${now.toISOString()}`,
    },
    {
      kind: 'won',
      list: null,
      item: paths.marketDemand,
      objects: sql`select d.id, d.title, d.project_name as detail, w.at as since,
          case when q.accepted_at is null then w.at + ${sql.lit(`${giveUpHours} hours`)}::interval end as due
        from quote q join demand d on d.id = q.demand_id join award w on w.demand_id = d.id
        where q.company_id = ${companyId} and q.status = ${sql.lit(quoteStatus.won)}
          and w.at > ${new Date(now.getTime() - giveUpHours * hourMs).toISOString()}`,
    },
    {
      kind: 'hearing',
      list: null,
      item: paths.blacklistEntry,
      objects: sql`select id, blacklist_code as title, '' as detail, notify_time as since, answer_until as due from blacklist
        where company_id = ${companyId} and status in (${literals(heardEntries)}) and answer_time is null
          and answer_until > ${now.toISOString()}`,
    },
    {
      kind: 'returned',
      list: paths.ownMachinesIn({ auditStatus: equipmentAudit.rejected }),
      item: paths.editMachine,
      objects: sql`select e.id, e.name as title, e.equipment_code as detail, e.update_time as since, ${never} as due ${machines}
        and e.audit_status = ${sql.lit(equipmentAudit.rejected)}`,
    },
    {
      kind: 'papers',
      list: null,
      item: paths.editMachine,
      objects: sql`select e.id, e.name as title, e.equipment_code as detail, ${never} as since, min(d.valid_to) as due
        from equipment e join equipment_document d on d.equipment_id = e.id
        where e.company_id = ${companyId} and e.del_flag = ${sql.lit(delFlag.present)} and ${isInUse('e')}
          and d.valid_to <= ${addDays(today, panelDays)}::date group by e.id`,
    },
    {
      kind: 'offShelf',
      list: paths.ownMachinesIn({ auditStatus: equipmentAudit.passed, shelfStatus: shelfStatus.off }),
      item: paths.editMachine,
      objects: sql`select e.id, e.name as title, e.equipment_code as detail, e.update_time as since, ${never} as due ${machines}
        and e.audit_status = ${sql.lit(equipmentAudit.passed)} and e.shelf_status = ${sql.lit(shelfStatus.off)}`,
    },
  ]
}

/** Items that are machines, with the English name of each. */
export async function withNamesEn(db: Read, items: readonly TaskItem[]): Promise<TaskItem[]> {
  const names = await findMachineNamesEn(
    db,
    items.map(({ id }) => Number(id)),
  )
  return items.map((item) => ({ ...item, titleEn: names.get(Number(item.id)) ?? item.title }))
}
