import { uploadFile } from '#shared/file/contract.ts'
import { ApiError, upload } from '../app/api.ts'

type Uploaded = { fileId: string; name: string; mime: string }

/** Uploads one file after the other and stops at the first failure, which a toast shows. `onDone` has got the files before it. */
export async function sendAll(files: readonly File[], onDone: (file: Uploaded) => void): Promise<void> {
  try {
    for (const file of files) onDone(await upload<Uploaded>(uploadFile, file))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
