import { sql, type RawBuilder } from 'kysely'
import { firstStepsOf, type FirstStep, type getFirstSteps } from '#shared/account/first-steps.ts'
import { awardedDemands, demandStatus } from '#shared/demand/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import type { Returned } from '#shared/endpoint.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

/** Each step is done when its rows exist, so a step that was done before and undone since comes back. */
export async function findFirstSteps(db: Read, actor: Actor): Promise<Returned<typeof getFirstSteps>> {
  const steps = firstStepsOf(actor.role)
  if (steps.length === 0) return []
  const conditions = steps.map((step) => sql`${rowsOf(step, actor)} as ${sql.ref(step)}`)
  const { rows } = await sql<Record<FirstStep, boolean>>`select ${sql.join(conditions)}`.execute(db)
  return steps.map((step) => ({ step, done: rows[0]?.[step] ?? false }))
}

function rowsOf(step: FirstStep, actor: Actor): RawBuilder<boolean> {
  const { companyId, accountId } = actor
  const present = sql`del_flag = ${sql.lit(delFlag.present)}`
  switch (step) {
    case 'certify':
      return sql<boolean>`${sql.lit(actor.role !== null)}`
    case 'machine':
      return sql<boolean>`exists (select from equipment where company_id = ${companyId} and ${present})`
    case 'shelf':
      return sql<boolean>`exists (select from equipment
        where company_id = ${companyId} and shelf_status = ${sql.lit(shelfStatus.on)} and ${present})`
    case 'quote':
      return sql<boolean>`exists (select from quote where company_id = ${companyId})`
    case 'project':
      return sql<boolean>`exists (select from dept where dept_type = ${sql.lit(deptType.project)} and ${present} and ${inScope('dept.id', actor)})`
    case 'person':
      return sql<boolean>`exists (select from account where id <> ${accountId} and ${present} and ${inScope('account.dept_id', actor)})`
    case 'demand':
      return sql<boolean>`exists (select from demand where status <> ${sql.lit(demandStatus.draft)} and ${present} and ${inScope('demand.dept_id', actor)})`
    case 'award':
      return sql<boolean>`exists (select from demand where status in (${literals(awardedDemands)}) and ${present} and ${inScope('demand.dept_id', actor)})`
  }
}
