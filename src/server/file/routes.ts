import { turnImage } from '#shared/equipment/own.ts'
import { uploadScanFile } from '#shared/contract/moves.ts'
import { downloadFile, uploadFile } from '#shared/file/contract.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { yesNo } from '#shared/rules.ts'
import type { Api } from '../api.ts'
import * as files from './queries.ts'

export function fileRoutes(api: Api): void {
  api.handle(uploadFile, (context) => files.uploadFile(context))
  api.handle(uploadScanFile, (context) => files.uploadFile(context, { purpose: 'contract', mostOfPicture: fileLimits.attachment }))
  api.handle(turnImage, (context, { params }) => files.turnImage(context, params.id))

  api.handle(downloadFile, async (context, { params, query }) => {
    const { name, mime, size, chunks, isPublic } = await files.getFile(context, context.actor, {
      ...params,
      small: query.thumb === yesNo.yes,
    })
    return {
      name,
      mime,
      size,
      chunks,
      inline: mime.startsWith('image/') || mime === 'application/pdf',
      // A private file leaves nothing in the browser of the next person; a public one may stop being public.
      cache: isPublic ? 'public, max-age=600' : 'no-store',
    }
  })
}
