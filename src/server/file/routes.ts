import { turnImage } from '#shared/equipment/own.ts'
import { downloadFile, uploadFile } from '#shared/file/contract.ts'
import { yesNo } from '#shared/rules.ts'
import type { Api } from '../api.ts'
import * as files from './queries.ts'

export function fileRoutes(api: Api): void {
  api.handle(uploadFile, (context) => files.uploadFile(context))
  api.handle(turnImage, (context, { params }) => files.turnImage(context, params.id))

  api.handle(downloadFile, async (context, { params, query }) => {
    const { name, mime, content, access } = await files.getFile(context, context.actor, { ...params, small: query.thumb === yesNo.yes })
    return {
      name,
      mime,
      content,
      inline: mime.startsWith('image/') || mime === 'application/pdf',
      cache: access === 'public' ? 'public, max-age=31536000, immutable' : 'private, max-age=3600',
    }
  })
}
