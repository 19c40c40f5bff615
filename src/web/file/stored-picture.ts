import { ApiError, privateFile } from '../app/api.ts'

const stored = /^\/prod-api\/file\/([0-9a-f-]{36})(?:\?thumb=1)?$/

/** The id in the address of a file of the platform. */
export const storedFileId = (source: string): string | undefined => stored.exec(source)?.[1]

/**
 * Shows a picture in an element as the person who is signed in may see it: one of the platform is fetched with their token, because it may not be
 * public yet. Gives the function that lets the picture go.
 */
export function showPicture(image: HTMLImageElement, source: string): () => void {
  const id = storedFileId(source)
  if (!id) {
    image.src = source
    return () => undefined
  }
  let gone = false
  privateFile(id, false).then(
    (url) => {
      if (gone) URL.revokeObjectURL(url)
      else image.src = url
    },
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    },
  )
  return () => {
    gone = true
    if (image.src.startsWith('blob:')) URL.revokeObjectURL(image.src)
  }
}
