// Why an open amendment is neither confirmed nor approved now, as its readers are told and as the calls refuse it.
import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import { endedCertifications } from '#shared/certification/rules.ts'
import { hiresMore } from '#shared/contract/change-terms.ts'
import type { StoredChange } from '#shared/contract/changes.ts'
import {
  type ChangeHindrance,
  changeHindrances,
  type ChangeKind,
  type ChangeStatus,
  changeStatus,
  confirmDays,
  type ContractSide,
  isOverdue,
  outlivesContract,
  type Standing,
} from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { type Locked, standingOf } from './events.ts'
import { sideOf } from './scope.ts'

type Parties = Pick<Locked, 'lessorCompanyId' | 'lesseeCompanyId'>
type Proposed = { side: ContractSide; input: StoredChange }
type Open = Proposed & { kind: ChangeKind; status: ChangeStatus; fromDay: string }

/** Why nobody, or not this reader, confirms or approves an open amendment of a contract now. */
export async function hindrancesOf(
  { db, actor, now }: { db: Read; actor: Actor; now: Date },
  contract: Standing & Parties,
  change: Open,
): Promise<ChangeHindrance[]> {
  const side = sideOf(actor)
  const today = dayOf(now)
  const isUncertified = hiresMore(change.input.terms) && makesNone(actor)
  const proposerUncertified = await isProposerUncertified(db, contract, change)
  const holds: Record<ChangeHindrance, boolean> = {
    overdue: isOverdue(change, today),
    contractOver: outlivesContract(change.kind, contract, today),
    proposerUncertified,
    // Of a draft the reader is of the side that proposed it, which is told once.
    readerUncertified: isUncertified && (change.side !== side || (change.status === changeStatus.draft && !proposerUncertified)),
  }
  return changeHindrances.filter((one) => holds[one])
}

const refusalOf = {
  contractOver: 'change_contract_over',
  proposerUncertified: 'change_uncertified',
  readerUncertified: 'not_certified',
} as const satisfies Partial<Record<ChangeHindrance, string>>

/** Refuses to confirm or approve an amendment, or to ask about it, by the first of its hindrances. Of one that is overdue, whoever approves reads other words. */
export async function refuseHindered(
  deed: Deed,
  found: Locked,
  change: Open,
  overdue: 'change_overdue' | 'change_approval_late' = 'change_overdue',
): Promise<void> {
  const [first] = await hindrancesOf(deed, { ...found, ...(await standingOf(deed.db, found)) }, change)
  if (first) throw new Refusal({ ...refusalOf, overdue }[first])
}

/** Whether the person handles contracts and is not certified, so they agree on no more hire. */
const makesNone = ({ permissions }: Actor) => permissions.includes('contract:edit') && !permissions.includes('contract:make')

/** The two hindrances of certification (`hindrancesOf`) in SQL: whether `change`, the open amendment of `contract`, hires more, and its proposer or this reader is not certified. */
export const waitsForCertification = (reader: Actor) =>
  sql<boolean>`((change.kind = 'extend' or change.input -> 'terms' -> 'added' -> 0 is not null) and (${sql.lit(makesNone(reader))}
    or exists (select from company c where c.id = case change.side when 'lessor' then contract.lessor_company_id else contract.lessee_company_id end
      and case change.side when 'lessor' then c.lessor_audit else c.lessee_audit end in (${literals(endedCertifications)}))))`

/** `confirmBy` of the rules, for the rows of `contract_change` under this name. */
export const confirmByOf = (change: string) =>
  sql<
    string | null
  >`case when ${sql.ref(`${change}.kind`)} <> 'account' then ${sql.ref(`${change}.from_day`)} + ${sql.lit(confirmDays)} end`

/** `isOverdue` of the rules, for the rows of `contract_change` under this name. */
export const isOverdueOn = (change: string, day: string) => sql<boolean>`coalesce(${confirmByOf(change)} < ${day}::date, false)`

/** Whether an amendment hires more, and the certification of the company that proposed it has ended. */
async function isProposerUncertified(db: Read, parties: Parties, { side, input }: Proposed): Promise<boolean> {
  if (!hiresMore(input.terms)) return false
  const { audit } = await db
    .selectFrom('company')
    .where('id', '=', companyOfSide(side, parties))
    .select(side === 'lessor' ? 'lessorAudit as audit' : 'lesseeAudit as audit')
    .executeTakeFirstOrThrow()
  return isAmong(audit, endedCertifications)
}

/**
 * Makes whoever ends or restores the certification of the proposer at this moment wait, or waits for them, where the amendment hires more. They wait for no
 * contract, and lock the company before its machines, as this does.
 */
export async function lockProposer(db: Tx, parties: Parties, { side, input }: Proposed): Promise<void> {
  if (!hiresMore(input.terms)) return
  await db.selectFrom('company').where('id', '=', companyOfSide(side, parties)).forShare().select('id').execute()
}

const companyOfSide = (side: ContractSide, { lessorCompanyId, lesseeCompanyId }: Parties) =>
  side === 'lessor' ? lessorCompanyId : lesseeCompanyId
