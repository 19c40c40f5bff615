import { paperTypes } from '#shared/file/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import { claimFiles } from '../upload/claim.ts'
import { sha256 } from './digest.ts'

type Papers = { contractId: number; fileIds: readonly string[]; replaces?: 'scan' }

/** Claims papers for a contract. Refuses files that are not the person's own, are no papers, or stand for something else in the contract already. */
export async function claimPapers(deed: Deed, { contractId, fileIds, replaces }: Papers): Promise<void> {
  const claimed = await claimFiles(deed, 'contract', fileIds)
  const attached = await deed.db.selectFrom('contractFile').where('contractId', '=', contractId).select(['fileId', 'kind']).execute()
  const isTaken = (file: string) => attached.some(({ fileId, kind }) => fileId === file && kind !== replaces)
  if (fileIds.some((file) => !isAmong(claimed.get(file), paperTypes) || isTaken(file))) refuseField(['fileIds'], 'file_unknown')
}

/** The SHA-256 of the hashes of the files, in the order given: what the event of a scan, a notice or an own form commits to. */
export async function digestOfFiles(db: Tx, fileIds: readonly string[]): Promise<string> {
  return sha256(JSON.stringify(await hashesOf(db, fileIds)))
}

/** SHA-256 of each file in hex, in the order given. */
async function hashesOf(db: Tx, fileIds: readonly string[]): Promise<string[]> {
  if (fileIds.length === 0) return []
  const files = await db.selectFrom('file').where('id', 'in', fileIds).select(['id', 'sha256']).execute()
  return fileIds.map((fileId) => files.find(({ id }) => id === fileId)?.sha256.toString('hex') ?? '')
}
