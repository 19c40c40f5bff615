import { sql } from 'kysely'
import type { z } from 'zod'
import type * as contract from '#shared/demand/contract.ts'
import type { DraftForm } from '#shared/demand/input.ts'
import { demandStatus, maxDrafts } from '#shared/demand/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { delFlag } from '#shared/rules.ts'
import { lockAccountRow, type Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { paged, sorted } from '../db/paging.ts'
import { holdsWords } from '../db/search.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { holdProject } from '../dept/project.ts'
import { Refusal, refuseField } from '../http/refusal.ts'

type Form = z.output<typeof DraftForm>

const maxDepth = 8

function depth(value: unknown): number {
  return typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0
}

const ownDrafts = (db: Read, actor: Actor) =>
  db
    .selectFrom('demand')
    .where('demand.status', '=', demandStatus.draft)
    .where('demand.delFlag', '=', delFlag.present)
    .where(inScope('demand.dept_id', actor))

export function listDrafts(db: Read, actor: Actor, filter: Received<typeof contract.listDrafts>['query']) {
  const drafts = ownDrafts(db, actor).$if(Boolean(filter.projectName), (query) =>
    query.where(holdsWords('demand', filter.projectName ?? '')),
  )
  return paged(drafts, filter, (query) =>
    sorted(
      query.select([
        'demand.id',
        'demand.title',
        'demand.projectName',
        sql<number>`case when jsonb_typeof(demand.draft -> 'items') = 'array' then jsonb_array_length(demand.draft -> 'items') else 0 end`.as(
          'itemCount',
        ),
        'demand.updateTime',
        'demand.version',
      ]),
      {
        sort: filter.sort,
        columns: { updateTime: { column: sql.ref('demand.update_time') } },
        id: 'demand.id',
        usual: (rows) => rows.orderBy('demand.updateTime', 'desc').orderBy('demand.id', 'desc'),
      },
    ),
  )
}

export async function getDraft(db: Read, actor: Actor, id: number) {
  const draft = await ownDrafts(db, actor)
    .where('demand.id', '=', id)
    .select(['demand.id', 'demand.version', sql<Form>`coalesce(demand.draft, '{}')`.as('form')])
    .executeTakeFirst()
  if (!draft) throw new Refusal('not_found')
  return draft
}

type Draft = Received<typeof contract.saveDraft>['body']

/** With an id the draft is replaced if nobody saved it meanwhile; otherwise a new one is stored. */
export async function saveDraft(deed: Deed, draft: Draft) {
  const { db, actor, now } = deed
  const { deptId, form } = draft
  if (depth(form) > maxDepth) refuseField(['form'], 'too_big')
  const dept = await holdProject(db, actor, deptId).executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  const title = typeof form.title === 'string' ? form.title.trim().slice(0, 60) : ''
  const values = {
    deptId: dept.id,
    companyId: dept.companyId,
    projectName: dept.projectName,
    title,
    searchText: `${title} ${dept.projectName}`,
    draft: JSON.stringify(form),
    updateTime: now,
  }
  if (!('id' in draft)) {
    await refuseMany(deed, dept.companyId)
    return db
      .insertInto('demand')
      .values({ ...values, accountId: actor.accountId, createTime: now })
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow()
  }
  await getDraft(db, actor, draft.id)
  const saved = await db
    .updateTable('demand')
    .set({ ...values, version: nextVersion })
    .where('id', '=', draft.id)
    .where('status', '=', demandStatus.draft)
    .where('version', '=', draft.version)
    .where(inScope('demand.dept_id', actor))
    .returning(['id', 'version'])
    .executeTakeFirst()
  if (!saved) throw new Refusal('changed')
  return saved
}

/** Refuses one more draft of somebody who has as many as they may. Those of one person wait for each other, so that they are counted exactly. */
async function refuseMany({ db, actor }: Deed, companyId: number): Promise<void> {
  await lockAccountRow(db, actor.accountId)
  const { drafts } = await db
    .selectFrom('demand')
    .where('companyId', '=', companyId)
    .where('status', '=', demandStatus.draft)
    .where('accountId', '=', actor.accountId)
    .select((eb) => eb.fn.countAll<number>().as('drafts'))
    .executeTakeFirstOrThrow()
  if (drafts >= maxDrafts) throw new Refusal('drafts_enough', { n: drafts })
}

export async function deleteDraft({ db, actor }: Deed, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('demand')
    .where('id', '=', id)
    .where('status', '=', demandStatus.draft)
    .where(inScope('demand.dept_id', actor))
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Refusal('not_found')
}
