import { dayOf } from '#shared/calendar.ts'
import type { ContractNotice } from '#shared/contract/notice.ts'
import { isStanding, otherSide } from '#shared/contract/rules.ts'
import type { Read } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { insertStep, lockContract, nameOfSide, refuseNonSigner, notifySide, standingOf } from './events.ts'
import { claimPapers, digestOfFiles } from './papers.ts'

type Notice = { id: number; reason: string; fileIds: readonly string[] }

/** Gives notice that the own side ends the contract. Its reason and the hashes of its files enter the chain, and the other side is told; nothing else changes. */
export async function giveNotice(deed: Deed, { id, reason, fileIds }: Notice): Promise<{ id: number }> {
  const { db, actor, now } = deed
  const found = await lockContract(deed, id)
  if (!isStanding(await standingOf(db, found), dayOf(now))) throw new Refusal('contract_changed')
  await refuseNonSigner(db, actor, found)
  const { side } = found
  const wanted = [...new Set(fileIds)]
  await claimPapers(deed, { contractId: id, fileIds: wanted })
  const notice = await db
    .insertInto('contractNotice')
    .values({ contractId: id, side, accountId: actor.accountId, reason, at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (wanted.length > 0)
    await db
      .insertInto('contractFile')
      .values(wanted.map((fileId, orderNum) => ({ contractId: id, kind: 'notice' as const, fileId, orderNum, noticeId: notice.id })))
      .execute()
  await insertStep(deed, found, {
    move: 'notice',
    refKind: 'notice',
    refId: notice.id,
    digest: await digestOfFiles(db, wanted),
    note: reason,
  })
  const params = { company: await nameOfSide(db, found, side), reason }
  await notifySide(deed, found, { to: otherSide(side), kind: 'contractNotice', params })
  return notice
}

/** The notices of a contract with their files, in their order. */
export async function listNotices(db: Read, contractId: number): Promise<ContractNotice[]> {
  const notices = await db
    .selectFrom('contractNotice')
    .where('contractId', '=', contractId)
    .orderBy('id')
    .select(['id', 'side', 'at', 'reason'])
    .execute()
  if (notices.length === 0) return []
  const files = await db
    .selectFrom('contractFile as c')
    .innerJoin('file as f', 'f.id', 'c.fileId')
    .where('c.contractId', '=', contractId)
    .where('c.kind', '=', 'notice')
    .orderBy('c.orderNum')
    .select(['c.noticeId', 'f.id', 'f.name', 'f.size', 'f.mime'])
    .execute()
  return notices.map((notice) => ({
    ...notice,
    files: files.filter(({ noticeId }) => noticeId === notice.id).map(({ noticeId: _, ...file }) => file),
  }))
}
