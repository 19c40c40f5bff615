import { contractStatus } from '#shared/contract/rules.ts'
import { formTypes } from '#shared/file/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Deed } from '../deed.ts'
import { refuseField } from '../http/refusal.ts'
import { claimFiles } from '../upload/claim.ts'
import { lockDraft, updateDraft } from './edit.ts'
import { insertStep } from './events.ts'
import { digestOfFiles } from './papers.ts'
import { findForms } from './text.ts'

type Attaching = { id: number; version: number; fileIds: readonly string[] }

/**
 * Attaches the own form of the unit to a draft as annex 2, in place of the files before. Their names, sizes and hashes stand in the text, so whoever
 * confirms the text confirms them; a change after the approval of the unit above needs it again. Once the draft is sent, they are frozen with the text.
 */
export async function attachOwnForms(deed: Deed, { id, version, fileIds }: Attaching): Promise<{ version: number }> {
  const { db } = deed
  const found = await lockDraft(deed, { id, version })
  const wanted = [...new Set(fileIds)]
  // A colleague may have attached those that stay.
  const attached = (await findForms(db, id)).map((file) => file.id)
  const added = wanted.filter((file) => !attached.includes(file))
  const claimed = await claimFiles(deed, 'contract', added)
  if (added.some((file) => !isAmong(claimed.get(file), formTypes))) refuseField(['fileIds'], 'file_unknown')
  await db.deleteFrom('contractFile').where('contractId', '=', id).where('kind', '=', 'form').execute()
  if (wanted.length > 0)
    await db
      .insertInto('contractFile')
      .values(wanted.map((fileId, orderNum) => ({ contractId: id, kind: 'form' as const, fileId, orderNum })))
      .execute()
  const changed = await updateDraft(deed, id, {})
  await insertStep(deed, found, {
    move: 'forms',
    fromStatus: found.status,
    toStatus: contractStatus.draft,
    digest: await digestOfFiles(db, wanted),
  })
  return changed
}
