import { sql } from 'kysely'
import { userType } from '#shared/account/rules.ts'
import { liveContracts } from '#shared/contract/rules.ts'
import { seesDept } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { Refusal } from '../http/refusal.ts'

/**
 * Lets changes of an organisation's tree be one after the other: two moves at once could make a ring, and whatever is added below a department that moves
 * would keep its old ancestors. The departments are read after it.
 */
export async function lockTree(db: Read, companyId: number | null): Promise<void> {
  await sql`select pg_advisory_xact_lock(41, ${companyId}::int)`.execute(db)
}

/** A person who goes elsewhere, or a department that goes there with everything below. */
type Moved = { accountId: number } | { deptId: number }

/** Carries out a move, and refuses one after which somebody would no longer see a live contract that they are named in. */
export async function keepNamed<T>(db: Read, moved: Moved, move: () => Promise<T>): Promise<T> {
  const before = await countUnseen(db, moved)
  const result = await move()
  // Whoever saw nothing before does not hold up the move.
  if ((await countUnseen(db, moved)) > before) throw new Refusal('accountId' in moved ? 'person_named' : 'dept_named')
  return result
}

/** The namings in live contracts whose person does not see the contract from where they belong now. */
async function countUnseen(db: Read, moved: Moved): Promise<number> {
  const isMoved =
    'accountId' in moved
      ? sql`p.account_id = ${moved.accountId}`
      : sql`c.dept_id in (select id from dept where id = ${moved.deptId} or ancestors @> array[${moved.deptId}]::bigint[])`
  const seesAsLessor = sql`a.user_type = ${sql.lit(userType.lessor)} and a.company_id = c.lessor_company_id and not a.driver_only`
  const { rows } = await sql<{ unseen: number }>`select count(*)::int as unseen from contract_person p
    join contract c on c.id = p.contract_id and c.status in (${literals(liveContracts)}) join account a on a.id = p.account_id
    where ${isMoved} and (case p.side when 'lessor' then ${seesAsLessor} else ${seesDept('a', sql`c.dept_id`)} end) is not true`.execute(db)
  return rows[0]?.unseen ?? 0
}
