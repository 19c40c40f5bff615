import { sql } from 'kysely'
import type { z } from 'zod'
import type { DraftForm } from '#shared/demand/input.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Db, Read } from '../db/connect.ts'
import { holdsWords } from '../db/search.ts'
import { ownProject } from '../dept/project.ts'
import { Refusal, refuseField } from '../http/refusal.ts'

type Form = z.output<typeof DraftForm>

const maxDepth = 8

function depth(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
}

const ownDrafts = (db: Read, actor: Actor) =>
  db.selectFrom('demand').where('demand.status', '=', '0').where('demand.delFlag', '=', '0').where(inScope('demand.dept_id', actor))

export async function findDrafts(db: Read, actor: Actor, filter: { projectName?: string | undefined; pageNum: number; pageSize: number }) {
  const filtered = () => {
    const query = ownDrafts(db, actor)
    return filter.projectName ? query.where(holdsWords('demand', filter.projectName)) : query
  }
  const { total } = await filtered()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await filtered()
    .orderBy('demand.updateTime', 'desc')
    .orderBy('demand.id', 'desc')
    .limit(filter.pageSize)
    .offset((filter.pageNum - 1) * filter.pageSize)
    .select([
      'demand.id',
      'demand.title',
      'demand.projectName',
      sql<number>`case when jsonb_typeof(demand.draft -> 'items') = 'array' then jsonb_array_length(demand.draft -> 'items') else 0 end`.as(
        'itemCount',
      ),
      'demand.updateTime',
      'demand.version',
    ])
    .execute()
  return { total, rows }
}

export function findDraft(db: Read, actor: Actor, id: number) {
  return ownDrafts(db, actor)
    .where('demand.id', '=', id)
    .select(['demand.id', 'demand.version', sql<Form>`coalesce(demand.draft, '{}')`.as('form')])
    .executeTakeFirst()
}

/** With an id and a version the draft is replaced only if nobody saved it meanwhile; otherwise a new one is made. */
export async function saveDraft(
  db: Db,
  actor: Actor,
  draft: { id?: number | undefined; version?: number | undefined; deptId: number; form: Form },
  now: Date,
) {
  if (depth(draft.form) > maxDepth) refuseField(['form'], 'too_big')
  const dept = await ownProject(db, actor, draft.deptId)
  const title = typeof draft.form.title === 'string' ? draft.form.title.trim().slice(0, 60) : ''
  const values = {
    deptId: dept.id,
    companyId: dept.companyId,
    projectName: dept.projectName,
    title,
    searchText: `${title} ${dept.projectName}`,
    draft: JSON.stringify(draft.form),
    updateTime: now,
  }
  if (draft.id === undefined)
    return db
      .insertInto('demand')
      .values({ ...values, accountId: actor.accountId, createTime: now })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow()
  const known = await findDraft(db, actor, draft.id)
  if (!known) throw new Refusal('not_found')
  const saved = await db
    .updateTable('demand')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', draft.id)
    .where('status', '=', '0')
    .where('version', '=', draft.version ?? known.version)
    .where(inScope('demand.dept_id', actor))
    .returning(['id', 'version'])
    .executeTakeFirst()
  if (!saved) throw new Refusal('changed')
  return saved
}

export async function deleteDraft(db: Db, actor: Actor, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('demand')
    .where('id', '=', id)
    .where('status', '=', '0')
    .where(inScope('demand.dept_id', actor))
    .executeTakeFirst()
  return numDeletedRows > 0n
}
