import { certificationStatus, certSign, isCertified, signOf, type CertificationKind } from '#shared/certification/rules.ts'
import type { Read } from '../db/connect.ts'

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

type Ended = (typeof certificationStatus)['unsubmitted' | 'rejected' | 'expired']

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
