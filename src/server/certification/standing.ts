import { sql } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import {
  certificationMoves,
  certificationStatus,
  certSign,
  isCertified,
  passedCertifications,
  signOf,
  type CertificationKind,
  type CertificationStatus,
} from '#shared/certification/rules.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Work } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

const { changing, inReview, passed, unsubmitted } = certificationStatus

type Standing = { accountId: number; kind: CertificationKind }

/**
 * Notes at the account that an application of its person is in review. Whoever has the role already, by what was passed or because an administrator added
 * them, keeps it meanwhile (decision 8).
 */
export async function startReview(db: Read, { accountId, kind }: Standing): Promise<void> {
  const { auditStatus, userType } = await db
    .selectFrom('account')
    .where('id', '=', accountId)
    .select(['auditStatus', 'userType'])
    .executeTakeFirstOrThrow()
  const keepsRole = isCertified(auditStatus) && userType === signOf[kind].userType
  await db
    .updateTable('account')
    .set(keepsRole ? { auditStatus: changing } : { auditStatus: inReview, certSign: signOf[kind].certSign })
    .where('id', '=', accountId)
    .execute()
}

/**
 * Refuses `last_certification_leaves` where the person would take the only certification in force of their company to another one: nothing would certify
 * those who stay. A company whose certification has ended loses nothing by it. The caller who moves them has locked their certification, so that one
 * of a colleague does not end meanwhile.
 */
export async function refuseLeavingCertification(
  db: Read,
  { accountId, kind, companyId }: Standing & { companyId: number | null },
): Promise<void> {
  const alone = await db
    .selectFrom('certification as own')
    .innerJoin('company', 'company.id', 'own.companyId')
    .where('own.accountId', '=', accountId)
    .where('own.kind', '=', kind)
    .where('own.status', 'in', passedCertifications)
    .where('company.id', 'is distinct from', companyId)
    .where(kind === 'rentout' ? 'lessorAudit' : 'lesseeAudit', '=', passed)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('certification as other')
            .whereRef('other.companyId', '=', 'own.companyId')
            .whereRef('other.kind', '=', 'own.kind')
            .whereRef('other.id', '<>', 'own.id')
            .where('other.status', 'in', passedCertifications)
            .select('other.id'),
        ),
      ),
    )
    .select('own.id')
    .executeTakeFirst()
  if (alone) throw new Refusal('last_certification_leaves')
}

const { expire, outlast } = certificationMoves

/**
 * The status that the clock gives a certification in force which has run out. A change in review goes on as an application, because its applicant was in
 * time; withdrawn or sent back, it restores nothing.
 */
export const statusAfterEnd = sql<CertificationStatus>`case when status in (${literals(outlast.from)})
  then ${sql.lit(outlast.to)} else ${sql.lit(expire.to)} end`

type Ended = (typeof certificationStatus)['unsubmitted' | 'rejected']

/** Ends a review that passed nothing: a role that was kept stays, anybody else has the status of their certification. */
export async function endReview(db: Read, accountId: number, status: Ended): Promise<void> {
  const account = db.updateTable('account').where('id', '=', accountId)
  const { numUpdatedRows } = await account.set({ auditStatus: passed }).where('auditStatus', '=', changing).executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await account
    .set({ auditStatus: status, ...(status === unsubmitted && { certSign: certSign.none }) })
    .where('auditStatus', '=', inReview)
    .execute()
}

/**
 * Shows a lessor as certified until the last day of the certifications in force of its people, without an end where one of them has none. Gives whether
 * one of the kind keeps the company certified today.
 */
export async function updateValidity(
  { db, now }: Pick<Work, 'db' | 'now'>,
  { companyId, kind }: { companyId: number; kind: CertificationKind },
): Promise<boolean> {
  // Whoever passes a certification writes the company first, so a pass at this moment is waited for and seen. Whoever only adds a row of the company is not.
  await db.selectFrom('company').where('id', '=', companyId).forNoKeyUpdate().select('id').execute()
  const last = await db
    .selectFrom('certification')
    .where('companyId', '=', companyId)
    .where('kind', '=', kind)
    .where('status', 'in', passedCertifications)
    .orderBy(sql`valid_to desc nulls first`)
    .select('validTo')
    .executeTakeFirst()
  if (!last) return false
  const { validTo } = last
  if (kind === 'rentout') await db.updateTable('company').set({ lessorValidTo: validTo }).where('id', '=', companyId).execute()
  return validTo === null || validTo >= dayOf(now)
}
