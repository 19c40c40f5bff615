import { dayOf } from '#shared/calendar.ts'
import { canMatchScan, canUploadScan, isStanding, otherSide, scanState } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { insertStep, lockContract, nameOfSide, notifySide, standingOf } from './events.ts'
import { claimPapers, digestOfFiles } from './papers.ts'

type Scan = { id: number; fileIds: readonly string[]; revision?: number | undefined }

/**
 * Hands in the scan of the sealed paper of a version, the newest unless another is named; the other side compares it with that one. A new scan takes the
 * place of the own one that waits, or of one that was not found the same.
 */
export async function uploadScan(deed: Deed, { id, fileIds, revision: named }: Scan): Promise<void> {
  const { db, now } = deed
  const found = await lockContract(deed, id)
  if (!isStanding(await standingOf(db, found), dayOf(now)) || !canUploadScan(found, found.side)) throw new Refusal('contract_changed')
  const revision = named ?? found.revision
  if (revision > found.revision) throw new Refusal('contract_changed')
  const wanted = [...new Set(fileIds)]
  await claimPapers(deed, { contractId: id, fileIds: wanted, replaces: 'scan' })
  await db.deleteFrom('contractFile').where('contractId', '=', id).where('kind', '=', 'scan').execute()
  await db
    .insertInto('contractFile')
    .values(wanted.map((fileId, orderNum) => ({ contractId: id, kind: 'scan' as const, fileId, orderNum })))
    .execute()
  await db
    .updateTable('contract')
    .set({ scanState: scanState.uploaded, scanBy: found.side, scanRevision: revision, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertStep(deed, found, {
    move: 'scan',
    refKind: 'version',
    refId: revision,
    digest: await digestOfFiles(db, wanted),
    note: JSON.stringify(wanted),
  })
  const params = { company: await nameOfSide(db, found, found.side) }
  await notifySide(deed, found, { to: otherSide(found.side), kind: 'contractScanned', params, link: paths.contract(id, 'people') })
}

type Comparison = Scan & { agrees: boolean; reason: string }

/** The other side says whether the scan is what was confirmed. It names the files and the version it compared, because they may be replaced until its answer. */
export async function matchScan(deed: Deed, { id, agrees, reason, fileIds, revision }: Comparison): Promise<void> {
  const { db, now } = deed
  const found = await lockContract(deed, id)
  if (!isStanding(await standingOf(db, found), dayOf(now)) || !canMatchScan(found, found.side)) throw new Refusal('contract_changed')
  const attached = await findScanIds(db, id)
  const isOther = revision !== undefined && revision !== (found.scanRevision ?? found.revision)
  if (isOther || attached.toSorted().join() !== fileIds.toSorted().join()) throw new Refusal('contract_changed')
  await db
    .updateTable('contract')
    .set({ scanState: agrees ? scanState.matched : scanState.none, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertStep(deed, found, {
    move: agrees ? 'matchScan' : 'refuseScan',
    // As the event of the scan itself has it, so the chain says which one was compared.
    digest: await digestOfFiles(db, attached),
    note: reason,
  })
  const params = { company: await nameOfSide(db, found, found.side), reason }
  const kind = agrees ? 'contractScanMatched' : 'contractScanRefused'
  await notifySide(deed, found, { to: otherSide(found.side), kind, params, link: paths.contract(id, 'people') })
}

/** The files of the scan that is attached, in their order. */
export async function findScanIds(db: Tx, contractId: number): Promise<string[]> {
  const files = await db
    .selectFrom('contractFile')
    .where('contractId', '=', contractId)
    .where('kind', '=', 'scan')
    .orderBy('orderNum')
    .select('fileId')
    .execute()
  return files.map(({ fileId }) => fileId)
}
