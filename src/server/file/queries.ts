import { createHash, randomUUID } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { sql } from 'kysely'
import sharp, { type Sharp } from 'sharp'
import { fileKinds, fileLimits } from '#shared/file/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { seesEntry } from '../blacklist/queries.ts'
import type { Db, Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import type { Storage } from '../outside/storage.ts'

type Kind = keyof typeof fileKinds

/** The small picture of lists. */
export const makeThumbnail = (image: Sharp): Promise<Buffer> =>
  image.clone().rotate().resize({ width: 480, height: 360, fit: 'cover' }).webp({ quality: 78 }).toBuffer()

/** Stores an upload after looking at its signature; pictures lose their metadata (place) and get a thumbnail. */
export async function insertFile(db: Db, storage: Storage, actor: Actor, upload: { name: string; content: Buffer }, now: Date) {
  const type = await fileTypeFromBuffer(upload.content)
  const mime = type?.mime as Kind | undefined
  if (!mime || !(mime in fileKinds)) throw new Refusal('file_kind')
  const isImage = fileKinds[mime] === 'image'
  if (upload.content.length > (isImage ? fileLimits.image : fileLimits.attachment)) throw new Refusal('too_large')
  let { content } = upload
  const id = randomUUID()
  if (isImage) {
    try {
      const image = sharp(content, { limitInputPixels: 60_000_000, failOn: 'error' }).rotate()
      content = await image.clone().resize({ width: 2400, height: 2400, fit: 'inside', withoutEnlargement: true }).toBuffer()
      await storage.put(`${id}-thumb`, await makeThumbnail(image))
    } catch {
      // A picture by its first bytes only: what cannot be decoded is not kept.
      throw new Refusal('file_kind')
    }
  }
  await storage.put(id, content)
  // oxlint-disable-next-line no-control-regex
  const name = upload.name.replace(/[\u0000-\u001f\\/:*?"<>|]/g, '_').slice(-fileLimits.nameLength) || 'file'
  await db
    .insertInto('file')
    .values({
      id,
      name,
      size: content.length,
      mime,
      sha256: createHash('sha256').update(content).digest(),
      access: 'owner',
      accountId: actor.accountId,
      companyId: actor.companyId,
      deptId: actor.deptId,
      hasThumbnail: isImage,
      createTime: now,
    })
    .execute()
  return { fileId: id, name, url: `/prod-api/file/${id}`, size: content.length, mime }
}

/** How many somebody has uploaded since yesterday; a bound on what can be stored without being used. */
export async function countUploads(db: Read, accountId: number, now: Date): Promise<number> {
  const { n } = await db
    .selectFrom('file')
    .where('accountId', '=', accountId)
    .where('createTime', '>', new Date(now.getTime() - 86_400_000).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

export const findOwnImage = (db: Read, id: string, actor: Actor) =>
  db
    .selectFrom('file')
    .where('id', '=', id)
    .where('mime', 'like', 'image/%')
    .where((eb) =>
      eb.or([eb('accountId', '=', actor.accountId), ...(actor.role === 'leaser' ? [eb('companyId', '=', actor.companyId)] : [])]),
    )
    .select(['id', 'name'])
    .executeTakeFirst()

/**
 * A file that this person may see: public ones anybody, attachments of a published demand anybody signed in, one's own,
 * those of demands within one's scope, and, for those who judge them, papers of certifications and pictures of feedback. Otherwise it does not exist.
 */
export function findFile(db: Read, id: string, actor: Actor | null) {
  return db
    .selectFrom('file')
    .where('file.id', '=', id)
    .where((eb) =>
      eb.or([
        eb('file.access', '=', 'public'),
        ...(actor
          ? [
              eb('file.access', '=', 'login'),
              eb('file.accountId', '=', actor.accountId),
              eb.exists(
                eb
                  .selectFrom('demandAttachment')
                  .innerJoin('demand', 'demand.id', 'demandAttachment.demandId')
                  .whereRef('demandAttachment.fileId', '=', 'file.id')
                  .where((inner) =>
                    inner.or([
                      inner.and([inner('demand.status', 'in', ['3', '4', '5', '6', '7', '9']), inner('demand.demandType', '=', '1')]),
                      inScope('demand.dept_id', actor),
                      inner.exists(
                        inner
                          .selectFrom('demandInvite')
                          .whereRef('demandInvite.demandId', '=', 'demand.id')
                          .where('demandInvite.companyId', '=', actor.companyId ?? 0)
                          .select('demandInvite.demandId'),
                      ),
                    ]),
                  )
                  .select('demand.id'),
              ),
              ...(actor.permissions.includes('feedback:answer')
                ? [
                    eb.exists(
                      eb.selectFrom('feedbackImage').whereRef('feedbackImage.fileId', '=', 'file.id').select('feedbackImage.fileId'),
                    ),
                  ]
                : []),
              // Evidence, answers and appeals of an entry of the blacklist: whoever sees the entry.
              ...(actor.permissions.includes('blacklist:view')
                ? [
                    eb.exists(
                      eb
                        .selectFrom('blacklistFile')
                        .innerJoin('blacklist', 'blacklist.id', 'blacklistFile.blacklistId')
                        .whereRef('blacklistFile.fileId', '=', 'file.id')
                        .where(seesEntry(actor))
                        .select('blacklist.id'),
                    ),
                  ]
                : []),
              // A machine's papers: its company's people, and who reviews.
              eb.exists(
                eb
                  .selectFrom('equipmentDocument')
                  .innerJoin('equipment', 'equipment.id', 'equipmentDocument.equipmentId')
                  .whereRef('equipmentDocument.fileId', '=', 'file.id')
                  .where(
                    actor.permissions.includes('equipment:review')
                      ? sql<boolean>`equipment.audit_status <> '0'`
                      : sql<boolean>`${actor.role === 'leaser'} and equipment.company_id = ${actor.companyId ?? 0}`,
                  )
                  .select('equipment.id'),
              ),
              ...(actor.permissions.includes('certification:review')
                ? [
                    eb.exists(
                      eb
                        .selectFrom('certificationDocument')
                        .innerJoin('certification', 'certification.id', 'certificationDocument.certificationId')
                        .whereRef('certificationDocument.fileId', '=', 'file.id')
                        .where('certification.status', '<>', '0')
                        .where(
                          actor.role === 'operator'
                            ? sql<boolean>`true`
                            : sql<boolean>`${actor.isAdmin} and certification.kind = 'dept' and ${inScope('certification.parent_dept_id', actor)}`,
                        )
                        .select('certification.id'),
                    ),
                  ]
                : []),
            ]
          : []),
      ]),
    )
    .select(['file.id', 'file.name', 'file.mime', 'file.access', 'file.hasThumbnail'])
    .executeTakeFirst()
}
