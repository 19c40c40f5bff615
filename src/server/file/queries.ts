import { createHash, randomUUID } from 'node:crypto'
import { sql, type ExpressionBuilder } from 'kysely'
import { articleStatus } from '#shared/article/rules.ts'
import { dayMs } from '#shared/calendar.ts'
import { equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { fileKinds } from '#shared/file/contract.ts'
import { seenText } from '#shared/fields.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { lockAccountRow, withContracts, type Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { seesEntry } from '../blacklist/queries.ts'
import { isReadAsPassed, seenByReviewer } from '../certification/queries.ts'
import { seenBy } from '../contract/scope.ts'
import type { Db, Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { DB } from '../db/tables.generated.ts'
import { transact, type Caller, type Deed } from '../deed.ts'
import { isReadableBy, lessorOf } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import type { Upload } from '../http/uploads.ts'
import { isAttached, isOrganisations } from '../upload/attached.ts'
import { onOwnMachine, personalPurposes, type MachineFiles, type Purpose } from '../upload/claim.ts'
import { kindOf } from '../upload/kind.ts'
import { encodePicture } from '../upload/pictures.ts'
import { unusedSince } from './unused.ts'

/** An upload has no transaction while a picture is decoded and stored: it would hold the connection. */
type Uploading = Pick<Deed, 'now' | 'storage'> & { db: Db; actor: Pick<Actor, 'accountId' | 'companyId' | 'deptId'> }
type Wanted = { purpose?: Purpose; picturesOnly?: boolean; turn?: number; mostOfPicture?: number }

/** Stores the file of the request, up to a number in a day. */
export async function uploadFile(at: Uploading & Pick<Caller, 'upload'>, wanted: Wanted = {}) {
  if (!at.upload) throw new Refusal('bad_request')
  await refuseTooMany(at)
  return at.upload((file) => insertFile(at, file, wanted))
}

/** Stores a picture turned a quarter to the right as a new file: an own one, or one of a machine of the own company. */
export async function turnImage(at: Uploading & Pick<Deed, 'actor'>, id: string): Promise<{ fileId: string }> {
  const { db, actor, storage } = at
  const file = await db
    .selectFrom('file')
    .where('id', '=', id)
    .where('mime', 'like', 'image/%')
    .where((eb) =>
      eb.or([
        eb.and([eb('accountId', '=', actor.accountId), eb('purpose', 'is', null)]),
        eb.and([eb('purpose', '=', 'machinePicture'), onOwnMachine(eb, 'equipmentImage', actor)]),
      ]),
    )
    .select(['id', 'name'])
    .executeTakeFirst()
  const content = file && (await storage.get(file.id))
  if (!file || !content) throw new Refusal('not_found')
  await refuseTooMany(at)
  const { fileId } = await insertFile(at, { name: file.name, content: Buffer.from(content) }, { turn: 90 })
  return { fileId }
}

/** Bounds how many files one account can store in a day, and how many bytes in `unusedDays`, with and without using them. */
async function refuseTooMany({ db, actor, now }: Pick<Uploading, 'actor' | 'now'> & { db: Read }): Promise<void> {
  const recent = db.selectFrom('file').where('accountId', '=', actor.accountId).where('createTime', '>', unusedSince(now))
  const bytes = sql<number>`coalesce(sum(size), 0)::float8`.as('bytes')
  const { today, bytes: stored } = await recent
    .select((eb) => [
      eb.fn
        .countAll<number>()
        .filterWhere('createTime', '>', new Date(now.getTime() - dayMs).toISOString())
        .as('today'),
      bytes,
    ])
    .executeTakeFirstOrThrow()
  if (today >= fileLimits.perDay) throw new Refusal('too_many')
  const bound = (bytes: number) => ({ gb: bytes / 1024 ** 3, days: fileLimits.unusedDays })
  if (stored >= fileLimits.recentBytes) throw new Refusal('uploads_recent', bound(fileLimits.recentBytes))
  // What is attached is looked up in all of `filesAttachedIn` for each file, so only for somebody who has stored so much.
  if (stored < fileLimits.unusedBytes) return
  const unused = await recent
    .where(sql<boolean>`not ${isAttached}`)
    .select(bytes)
    .executeTakeFirstOrThrow()
  if (unused.bytes >= fileLimits.unusedBytes) throw new Refusal('uploads_unused', bound(fileLimits.unusedBytes))
}

/**
 * Stores a file whose signature is one of the kinds that the platform takes. A picture is encoded anew, turned where that is wanted, and gets a
 * thumbnail. `purpose` is for a call that takes files for one purpose only, `mostOfPicture` for one that takes larger pictures, in bytes.
 */
export async function insertFile(
  at: Uploading,
  upload: Upload,
  { purpose, picturesOnly = false, turn = 0, mostOfPicture = fileLimits.image }: Wanted = {},
) {
  const { storage, actor, now } = at
  const mime = kindOf(upload.content)
  if (!mime) throw new Refusal('file_kind')
  const isImage = fileKinds[mime] === 'image'
  if (picturesOnly && !isImage) throw new Refusal('file_kind')
  if (upload.content.length > (isImage ? mostOfPicture : fileLimits.attachment)) throw new Refusal('too_large')
  const id = randomUUID()
  const { content, thumbnail } = isImage ? await encodePicture(upload.content, { turn }) : { content: upload.content, thumbnail: null }
  const name =
    seenText(upload.name)
      .replace(/[\t\n\r\\/:*?"<>|]/g, '_')
      .slice(-fileLimits.nameLength) || 'file'
  const file = {
    id,
    name,
    size: content.length,
    mime,
    sha256: createHash('sha256').update(content).digest(),
    purpose: purpose ?? null,
    accountId: actor.accountId,
    companyId: actor.companyId,
    deptId: actor.deptId,
    hasThumbnail: isImage,
    createTime: now,
  }
  try {
    if (thumbnail) await storage.put(`${id}-thumb`, thumbnail)
    await storage.put(id, content)
    await transact({ db: at.db }, { now }, async ({ db }) => {
      // Locked, so uploads that arrive together are counted one after the other.
      await lockAccountRow(db, actor.accountId)
      await refuseTooMany({ db, actor, now })
      await db.insertInto('file').values(file).execute()
    })
  } catch (error) {
    // Whether or not they can be removed, the caller learns why the file was not stored.
    await Promise.allSettled([storage.delete(id), storage.delete(`${id}-thumb`)])
    throw error
  }
  return { fileId: id, name, url: `/prod-api/file/${id}`, size: content.length, mime }
}

/**
 * Reads a file that this person may see: one that is attached to something public or to something that they may see, or an own one that nothing of an
 * organisation refers to. Throws not_found for any other. `isPublic` says whether anybody may see it now.
 */
export async function getFile(
  { db, storage, now }: Pick<Deed, 'storage' | 'now'> & { db: Read },
  actor: Actor | null,
  { id, small }: { id: string; small: boolean },
) {
  const file = await db
    .selectFrom('file')
    .where('file.id', '=', id)
    .select((eb) => ['file.id', 'file.name', 'file.mime', 'file.hasThumbnail', isPublic(eb, now).as('isPublic')])
    .$if(actor === null, (query) => query.where((eb) => isPublic(eb, now)))
    .$if(actor !== null, (query) => query.where((eb) => eb.or([isPublic(eb, now), ...(actor ? visibleTo(eb, actor, now) : [])])))
    .executeTakeFirst()
  if (!file) throw new Refusal('not_found')
  const asThumbnail = small && file.hasThumbnail
  const stored = await storage.open(asThumbnail ? `${file.id}-thumb` : file.id)
  if (!stored) throw new Refusal('not_found')
  return { ...file, mime: asThumbnail ? 'image/webp' : file.mime, ...stored }
}

type Files = ExpressionBuilder<DB, 'file'>

/** Pictures of a machine while it is on the shelf, and of an article while it is published. */
const isPublic = (eb: Files, now: Date) =>
  eb.or([
    eb.and([
      eb('file.purpose', '=', 'machinePicture'),
      eb.exists(
        eb
          .selectFrom('equipmentImage')
          .innerJoin('equipment', 'equipment.id', 'equipmentImage.equipmentId')
          .whereRef('equipmentImage.fileId', '=', 'file.id')
          .where('equipment.auditStatus', '=', equipmentAudit.passed)
          .where('equipment.shelfStatus', '=', shelfStatus.on)
          .where('equipment.delFlag', '=', delFlag.present)
          .select('equipment.id'),
      ),
    ]),
    eb.and([
      eb('file.purpose', '=', 'article'),
      eb.exists(
        eb
          .selectFrom('articleImage')
          .innerJoin('article', 'article.id', 'articleImage.articleId')
          .whereRef('articleImage.fileId', '=', 'file.id')
          .where('article.status', '=', articleStatus.published)
          .where('article.publishTime', '<=', now.toISOString())
          .select('article.id'),
      ),
    ]),
  ])

/** Why somebody signed in may see a file; any one reason is enough. */
function visibleTo(eb: Files, actor: Actor, now: Date) {
  return [
    // Whoever left the organisation, or its role, reads nothing of it that they uploaded themselves, also once it was let go.
    eb.and([eb('file.accountId', '=', actor.accountId), sql<boolean>`not ${isOrganisations}`, staysOwn(actor)]),
    ofVisibleDemand(eb, actor),
    ...(actor.permissions.includes('contract:view') ? [ofContract(eb, withContracts(actor), now)] : []),
    onOwnMachine(eb, 'equipmentImage', actor),
    onOwnMachine(eb, 'equipmentDocument', actor),
    onOwnMachine(eb, 'equipmentChangeFile', actor),
    ...(actor.permissions.includes('equipment:review')
      ? [ofReviewed(eb, 'equipmentImage'), ofReviewed(eb, 'equipmentDocument'), ofReviewed(eb, 'equipmentChangeFile')]
      : []),
    ...(actor.permissions.includes('article:edit') ? [eb('file.purpose', '=', 'article')] : []),
    ...(actor.permissions.includes('feedback:answer') ? [ofFeedback(eb)] : []),
    ...(actor.permissions.includes('blacklist:view') ? [ofBlacklistEntry(eb, actor)] : []),
    ...(actor.permissions.includes('certification:review') ? [ofCertification(eb, actor)] : []),
  ]
}

/** Whether an own upload has not been taken for an organisation, or was taken for the one that the person still works for. */
function staysOwn(actor: Actor) {
  const { role, companyId } = withContracts(actor)
  const works = role !== null && role !== 'driver'
  return sql<boolean>`(file.purpose is null or file.purpose in (${literals(personalPurposes)})
    or (${works}::boolean and file.company_id is not distinct from ${companyId}::bigint))`
}

/** Attachments of a demand that this person may read, or that is within their scope. */
const ofVisibleDemand = (eb: Files, actor: Actor) =>
  eb.exists(
    eb
      .selectFrom('demandAttachment')
      .innerJoin('demand', 'demand.id', 'demandAttachment.demandId')
      .whereRef('demandAttachment.fileId', '=', 'file.id')
      .where('demand.delFlag', '=', delFlag.present)
      .where(sql<boolean>`(${isReadableBy(lessorOf(actor))} or ${inScope('demand.dept_id', actor)})`)
      .select('demand.id'),
  )

/** Scans of a contract, for everybody who sees the contract. */
const ofContract = (eb: Files, actor: Actor, now: Date) =>
  eb.exists(
    eb
      .selectFrom('contractFile')
      .innerJoin('contract', 'contract.id', 'contractFile.contractId')
      .whereRef('contractFile.fileId', '=', 'file.id')
      .where(seenBy({ actor, now }))
      .select('contract.id'),
  )

/** Pictures and documents of a machine, and of the change that waits for it, for its reviewers, once it was handed in. */
const ofReviewed = (eb: Files, table: MachineFiles) =>
  eb.exists(
    eb
      .selectFrom(table)
      .innerJoin('equipment', 'equipment.id', `${table}.equipmentId`)
      .whereRef(`${table}.fileId`, '=', 'file.id')
      .where('equipment.auditStatus', '<>', equipmentAudit.draft)
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

/** Documents of a certification that was handed in, for its reviewers: the platform, or the administrators of the units of a project department. */
const ofCertification = (eb: Files, actor: Actor) =>
  eb.and([
    eb.lit(actor.role === 'operator' || actor.isAdmin),
    eb.or([
      eb.exists(
        eb
          .selectFrom('certificationDocument')
          .innerJoin('certification', 'certification.id', 'certificationDocument.certificationId')
          .whereRef('certificationDocument.fileId', '=', 'file.id')
          .where(sql<boolean>`not ${isReadAsPassed}`)
          .where(seenByReviewer(actor))
          .select('certification.id'),
      ),
      // Everybody hands in files of their own, so the account finds the certifications.
      eb.exists(
        eb
          .selectFrom('certification')
          .whereRef('certification.accountId', '=', 'file.accountId')
          .where(isReadAsPassed)
          .where(sql<boolean>`certification.passed_form -> 'documents' @> jsonb_build_array(jsonb_build_object('fileId', file.id))`)
          .where(seenByReviewer(actor))
          .select('certification.id'),
      ),
    ]),
  ])
