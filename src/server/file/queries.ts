import { createHash, randomUUID } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import type { ExpressionBuilder } from 'kysely'
import sharp, { type Sharp } from 'sharp'
import { dayMs } from '#shared/calendar.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { demandType, publicStatuses } from '#shared/demand/rules.ts'
import { equipmentAudit } from '#shared/equipment/rules.ts'
import { fileKinds, fileLimits } from '#shared/file/contract.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { seesEntry } from '../blacklist/queries.ts'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Caller, Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'

type Kind = keyof typeof fileKinds
type Upload = { name: string; content: Buffer }
/** An upload has no transaction of its own: decoding a picture and storing it would hold the connection. */
type Uploading = Pick<Deed, 'actor' | 'now' | 'storage'> & { db: Read }

/** The small picture of lists. */
export const makeThumbnail = (image: Sharp): Promise<Buffer> =>
  image.clone().rotate().resize({ width: 480, height: 360, fit: 'cover' }).webp({ quality: 78 }).toBuffer()

/** Stores the file of the request, up to a number in a day. */
export async function uploadFile(at: Uploading & Pick<Caller, 'upload'>) {
  await refuseTooMany(at)
  const upload = await at.upload?.()
  if (!upload) throw new Refusal('bad_request')
  return insertFile(at, upload)
}

/** Stores an own picture turned a quarter to the right as a new file. */
export async function turnImage(at: Uploading, id: string): Promise<{ fileId: string }> {
  const { db, actor, storage } = at
  const file = await db
    .selectFrom('file')
    .where('id', '=', id)
    .where('mime', 'like', 'image/%')
    .where((eb) =>
      eb.or([eb('accountId', '=', actor.accountId), ...(actor.role === 'leaser' ? [eb('companyId', '=', actor.companyId)] : [])]),
    )
    .select(['id', 'name'])
    .executeTakeFirst()
  const content = file && (await storage.get(file.id))
  if (!file || !content) throw new Refusal('not_found')
  await refuseTooMany(at)
  const turned = await sharp(content).rotate(90).toBuffer()
  const { fileId } = await insertFile(at, { name: file.name, content: turned })
  return { fileId }
}

/** Bounds how much one account can store without using it. */
async function refuseTooMany({ db, actor, now }: Uploading): Promise<void> {
  const { n } = await db
    .selectFrom('file')
    .where('accountId', '=', actor.accountId)
    .where('createTime', '>', new Date(now.getTime() - dayMs).toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  if (n >= fileLimits.perDay) throw new Refusal('too_many')
}

/**
 * Stores a file whose signature is one of the kinds that the platform takes. Pictures lose their metadata, which may tell the place, and get a
 * thumbnail.
 */
export async function insertFile({ db, storage, actor, now }: Uploading, upload: Upload) {
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
      // The first bytes are those of a picture, but it cannot be decoded.
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

/**
 * Reads a file that this person may see: a public one, one for everybody signed in, an own one, or one attached to a row that they may
 * see. Throws not_found for any other.
 */
export async function getFile(
  { db, storage }: Pick<Deed, 'storage'> & { db: Read },
  actor: Actor | null,
  { id, small }: { id: string; small: boolean },
) {
  const file = await db
    .selectFrom('file')
    .where('file.id', '=', id)
    .where((eb) => eb.or([eb('file.access', '=', 'public'), ...(actor ? visibleTo(eb, actor) : [])]))
    .select(['file.id', 'file.name', 'file.mime', 'file.access', 'file.hasThumbnail'])
    .executeTakeFirst()
  if (!file) throw new Refusal('not_found')
  const asThumbnail = small && file.hasThumbnail
  const content = await storage.get(asThumbnail ? `${file.id}-thumb` : file.id)
  if (!content) throw new Refusal('not_found')
  return { ...file, mime: asThumbnail ? 'image/webp' : file.mime, content }
}

type Files = ExpressionBuilder<DB, 'file'>

/** Why somebody signed in may see a file; any one reason is enough. */
function visibleTo(eb: Files, actor: Actor) {
  return [
    eb('file.access', '=', 'login'),
    eb('file.accountId', '=', actor.accountId),
    ofVisibleDemand(eb, actor),
    ofOwnMachine(eb, actor),
    ...(actor.permissions.includes('feedback:answer') ? [ofFeedback(eb)] : []),
    ...(actor.permissions.includes('blacklist:view') ? [ofBlacklistEntry(eb, actor)] : []),
    ...(actor.permissions.includes('certification:review') ? [ofCertification(eb, actor)] : []),
  ]
}

/** Attachments of a published public demand, of one that invites the company, and of those within the person's scope. */
const ofVisibleDemand = (eb: Files, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom('demandAttachment')
      .innerJoin('demand', 'demand.id', 'demandAttachment.demandId')
      .whereRef('demandAttachment.fileId', '=', 'file.id')
      .where((inner) =>
        inner.or([
          inner.and([inner('demand.status', 'in', publicStatuses), inner('demand.demandType', '=', demandType.public)]),
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
  )

/** Documents of a machine: for the people of its company, and once it is submitted for its reviewers. */
const ofOwnMachine = (eb: Files, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom('equipmentDocument')
      .innerJoin('equipment', 'equipment.id', 'equipmentDocument.equipmentId')
      .whereRef('equipmentDocument.fileId', '=', 'file.id')
      .where((inner) =>
        actor.permissions.includes('equipment:review')
          ? inner('equipment.auditStatus', '<>', equipmentAudit.draft)
          : inner.and([inner.lit(actor.role === 'leaser'), inner('equipment.companyId', '=', actor.companyId ?? 0)]),
      )
      .select('equipment.id'),
  )

/** Pictures of feedback. */
const ofFeedback = (eb: Files) =>
  eb.exists(eb.selectFrom('feedbackImage').whereRef('feedbackImage.fileId', '=', 'file.id').select('feedbackImage.fileId'))

/** Evidence, answers and appeals of an entry of the blacklist: for everybody who sees the entry. */
const ofBlacklistEntry = (eb: Files, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom('blacklistFile')
      .innerJoin('blacklist', 'blacklist.id', 'blacklistFile.blacklistId')
      .whereRef('blacklistFile.fileId', '=', 'file.id')
      .where(seesEntry(actor))
      .select('blacklist.id'),
  )

/** Documents of a certification that was handed in: for the platform, or for the administrator of the unit above a project department. */
const ofCertification = (eb: Files, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom('certificationDocument')
      .innerJoin('certification', 'certification.id', 'certificationDocument.certificationId')
      .whereRef('certificationDocument.fileId', '=', 'file.id')
      .where('certification.status', '<>', certificationStatus.unsubmitted)
      .where((inner) =>
        actor.role === 'operator'
          ? inner.lit(true)
          : inner.and([inner.lit(actor.isAdmin), inner('certification.kind', '=', 'dept'), inScope('certification.parent_dept_id', actor)]),
      )
      .select('certification.id'),
  )
