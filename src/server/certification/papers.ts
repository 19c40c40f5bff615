import { documentsOf, type CertificationKind } from '#shared/certification/rules.ts'
import type { FieldProblem } from '#shared/endpoint.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { claimFiles } from '../upload/claim.ts'
import type { Paper } from './queries.ts'

type Attached = { kind: CertificationKind; documents: readonly Paper[] }
const takenKinds = (mime: string | undefined) => mime === 'application/pdf' || mime?.startsWith('image/') === true

/** A problem beside each file that is not the person's own, is of no kind that is taken, or stands for a paper that this kind does not submit. */
export async function ownFileProblems(deed: Deed, { documents: papers, kind }: Attached): Promise<FieldProblem[]> {
  const own = await claimFiles(
    deed,
    'certification',
    papers.map(({ fileId }) => fileId),
  )
  return papers.flatMap((paper) =>
    takenKinds(own.get(paper.fileId)) && documentsOf[kind].includes(paper.kind)
      ? []
      : [{ path: ['documents', paper.kind], rule: 'file_unknown' }],
  )
}

/** Replaces the papers but the kinds that were accepted. */
export async function replacePapers(
  db: Tx,
  id: number,
  { papers, accepted }: { papers: readonly Paper[]; accepted: readonly string[] },
): Promise<void> {
  let old = db.deleteFrom('certificationDocument').where('certificationId', '=', id)
  if (accepted.length > 0) old = old.where('kind', 'not in', accepted)
  await old.execute()
  const added = papers.filter(({ kind }) => !accepted.includes(kind))
  if (added.length > 0)
    await db
      .insertInto('certificationDocument')
      .values(added.map(({ kind, fileId, validTo }) => ({ certificationId: id, kind, fileId, validTo })))
      .execute()
}
