import { downloadFile, fileLimits, uploadFile } from '#shared/file/contract.ts'
import { turnImage } from '#shared/equipment/own.ts'
import sharp from 'sharp'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import { countUploads, findFile, findOwnImage, insertFile } from './queries.ts'

export function fileRoutes(api: Api): void {
  api.handle(uploadFile, async ({ db, storage, actor, upload, now }) => {
    if ((await countUploads(db, actor.accountId, now)) >= fileLimits.perDay) throw new Refusal('too_many')
    const sent = await upload?.()
    if (!sent) throw new Refusal('bad_request')
    return insertFile(db, storage, actor, sent, now)
  })

  api.handle(turnImage, async ({ db, storage, actor, now }, { params }) => {
    const file = await findOwnImage(db, params.id, actor)
    const content = file && (await storage.get(file.id))
    if (!file || !content) throw new Refusal('not_found')
    if ((await countUploads(db, actor.accountId, now)) >= fileLimits.perDay) throw new Refusal('too_many')
    const turned = await sharp(content).rotate(90).toBuffer()
    const { fileId } = await insertFile(db, storage, actor, { name: file.name, content: turned }, now)
    return { fileId }
  })

  api.handle(downloadFile, async ({ db, storage, actor }, { params, query }) => {
    const file = await findFile(db, params.id, actor)
    if (!file) throw new Refusal('not_found')
    const small = query.thumb === '1' && file.hasThumbnail
    const content = await storage.get(small ? `${file.id}-thumb` : file.id)
    if (!content) throw new Refusal('not_found')
    return {
      name: file.name,
      mime: small ? 'image/webp' : file.mime,
      content,
      inline: file.mime.startsWith('image/') || file.mime === 'application/pdf',
      cache: file.access === 'public' ? 'public, max-age=31536000, immutable' : 'private, max-age=3600',
    }
  })
}
