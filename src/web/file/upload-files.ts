import { uploadFile } from '#shared/file/contract.ts'
import { ApiError, upload } from '../app/api.ts'

/** A call that takes one file. */
export type UploadCall = Parameters<typeof upload>[0]
type UploadedFile = { fileId: string; name: string; mime: string; size: number }

/** Uploads one file after the other and stops at the first failure, which a toast shows. `onDone` has got the files before it. */
export async function uploadFiles(
  files: readonly File[],
  onDone: (file: UploadedFile) => void,
  to: UploadCall = uploadFile,
): Promise<void> {
  try {
    for (const file of files) onDone(await upload<UploadedFile>(to, file))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
