import { sql, type RawBuilder } from 'kysely'
import { minuteMs } from '#shared/calendar.ts'
import {
  contractApproval,
  contractSource,
  contractStatus,
  lookMinutes,
  writtenFormMonths,
  type ContractApproval,
  type ContractSide,
  type ContractTask,
} from '#shared/contract/rules.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { accountStatus, userType } from '#shared/account/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope, seesDept } from '../actor/scope.ts'
import { isBarred, isMachineBarred } from '../blacklist/restricted.ts'
import type { Read } from '../db/connect.ts'
import { wantsApproval } from '../demand/scope.ts'

/** The side that a person acts for; the platform's people and auditors act for none. */
export function sideOf(actor: Actor): ContractSide | null {
  if (actor.role === 'leaser') return 'lessor'
  return actor.role === 'projectUser' || actor.role === 'leaseholder' ? 'lessee' : null
}

/** Whether a person reads an amendment that still needs the unit's approval, or was refused it: it was proposed to nobody. */
export const seesUnsent = (actor: Actor): boolean => sideOf(actor) === 'lessee' || actor.role === 'auditor'

/**
 * The contracts that a person sees: those of their departments, or of their company from the first time they were sent, or once the draft of an award to
 * them was given up. A draft that a unit wrote down itself and never sent was told to nobody. An operator sees one for a
 * while after stating why, which stands in its chain.
 */
export function seenBy({ actor, now }: { actor: Actor; now: Date }): RawBuilder<boolean> {
  if (actor.role === 'operator')
    return sql<boolean>`exists (select from contract_event l where l.contract_id = contract.id and l.move = 'look'
      and l.account_id = ${actor.accountId} and l.at > ${new Date(now.getTime() - lookMinutes * minuteMs)} and l.at <= ${now})`
  if (actor.role === 'leaser')
    return sql<boolean>`(contract.lessor_company_id = ${actor.companyId} and (contract.sent_at is not null
      or (contract.status = ${sql.lit(contractStatus.voided)} and contract.source <> ${sql.lit(contractSource.direct)})))`
  return inScope('contract.dept_id', actor)
}

type Party = { id: number; deptId: number; lesseeCompanyId: number; lessorCompanyId: number }

/**
 * Whether a person may name an account for a task of their side of a contract: only somebody who sees it, of one's own project or of the own unit
 * and below. Whom a unit above has named stays named.
 */
export function mayBeNamed(actor: Actor, { id, deptId, lesseeCompanyId, lessorCompanyId }: Party): RawBuilder<boolean> {
  const isInUse = sql`account.status = ${sql.lit(accountStatus.active)} and account.del_flag = ${sql.lit(delFlag.present)}`
  if (sideOf(actor) === 'lessor')
    return sql<boolean>`(${isInUse} and account.company_id = ${lessorCompanyId} and account.user_type = ${sql.lit(userType.lessor)}
      and not account.driver_only)`
  return sql<boolean>`(${isInUse} and account.company_id = ${lesseeCompanyId} and ${seesDept('account', sql`${deptId}::bigint`)}
    and (account.user_type = ${sql.lit(userType.project)} or ${inScope('account.dept_id', actor)}
      or exists (select from contract_person p where p.contract_id = ${id} and p.side = 'lessee' and p.account_id = account.id)))`
}

/** Whether no unit at or above the department does without the scan. */
export const unitNeedsScan = sql<boolean>`not exists (select from dept d join dept u on u.id = d.id or u.id = any(d.ancestors)
  where d.id = contract.dept_id and u.del_flag = ${sql.lit(delFlag.present)} and not u.needs_scan)`

/** `needsScan` of the rules, for the rows of `contract`. */
export const isScanNeeded = sql<boolean>`(contract.plan_end >= contract.plan_start + make_interval(months => ${sql.lit(writtenFormMonths)})
  or ${unitNeedsScan})`

/** Whether a unit at or above the department of `contract` approves contracts. */
const isApprovalWanted = wantsApproval(sql.ref('contract.dept_id'), 'approves_contracts')

/**
 * The approval of a draft `contract` as it stands now. One that was submitted waits for nobody once no unit wants to approve contracts any more, so its
 * project changes and sends it like any other.
 */
export const approvalNow = sql<ContractApproval>`case when contract.approval = ${sql.lit(contractApproval.waiting)} and not ${isApprovalWanted}
  then ${sql.lit(contractApproval.none)} else contract.approval end`

/** Whether the lessor has returned the draft `contract`, and it was neither sent again nor taken back since. */
export const isReturned = sql<boolean>`coalesce(contract.returned_at >= contract.sent_at
  and (contract.recalled_at is null or contract.recalled_at < contract.returned_at), false)`

/**
 * Whether `contract` was sent by a lessee whose certification was revoked since. Nobody confirms it until that lessee is certified again (decision 33), so
 * nobody is asked to, and its lessor is not to blame for a lapse.
 */
export const isSentByRevoked = sql<boolean>`(contract.status = ${sql.lit(contractStatus.sent)} and exists (select from company c
  where c.id = contract.lessee_company_id and c.lessee_audit = ${sql.lit(certificationStatus.revoked)}))`

/**
 * Whether the unit of `contract`, or one above it, has barred its lessor or one of its machines: then nobody confirms it, and its lessor is not to blame for
 * a lapse.
 */
export const isBarredOn = (today: string): RawBuilder<boolean> => {
  const where = { deptId: sql.ref('contract.dept_id'), today }
  return sql<boolean>`(${isBarred(sql.ref('contract.lessor_company_id'), where)} or exists (select from contract_line l
    where l.contract_id = contract.id and ${isMachineBarred(sql.ref('l.equipment_id'), where)}))`
}

/** Whether the certification of the lessee was revoked at any moment since `contract` was sent, also where they are certified again. */
export const wasRevokedSinceSent = sql<boolean>`exists (select from certification c join certification_event e on e.certification_id = c.id
  where c.company_id = contract.lessee_company_id and c.kind = 'lease' and e.action = 'revoke' and e.at >= contract.sent_at)`

/** Whether the person reads bank accounts whole: the administrators, signers and settlers of both sides do. */
export async function maySeeAccounts(db: Read, contractId: number, actor: Actor): Promise<boolean> {
  const side = sideOf(actor)
  if (side === null) return false
  return (
    actor.isAdmin ||
    (await mayDo(db, contractId, { actor, side, task: 'signer' })) ||
    (await mayDo(db, contractId, { actor, side, task: 'settler' }))
  )
}

/** A bank account as the person reads it: whole, or its last four digits. */
export async function accountReader(db: Read, contractId: number, actor: Actor): Promise<(account: string) => string> {
  return (await maySeeAccounts(db, contractId, actor)) ? (account) => account : (account) => account.replace(/\d(?=\d{4})/g, '*')
}

/** `mayDo` of the signers, as a condition on `contract`. */
export const maySign = (actor: Actor, side: ContractSide): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from contract_person p where p.contract_id = contract.id and p.side = ${sql.lit(side)} and p.task = 'signer'
      and p.account_id = ${actor.accountId})
    or not exists (select from contract_person p where p.contract_id = contract.id and p.side = ${sql.lit(side)} and p.task = 'signer'))`

/** Whether the person may do the task for their side: they are named for it, or nobody of their side is. */
export async function mayDo(db: Read, contractId: number, at: { actor: Actor; side: ContractSide; task: ContractTask }): Promise<boolean> {
  const named = await db
    .selectFrom('contractPerson')
    .where('contractId', '=', contractId)
    .where('side', '=', at.side)
    .where('task', '=', at.task)
    .select('accountId')
    .execute()
  return named.length === 0 || named.some(({ accountId }) => accountId === at.actor.accountId)
}
