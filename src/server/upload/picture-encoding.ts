import sharp, { type Sharp } from 'sharp'
import { Refusal } from '../http/refusal.ts'

export type Encoded = { content: Uint8Array; thumbnail: Uint8Array }

/** A photograph of a telephone has 12 to 50 million pixels. */
const mostPixels = 60_000_000
/** A progressive JPEG, an interlaced PNG and a WebP are in memory whole before the first line is there: 12 million take 115 MB. */
const mostPixelsWhole = 12_500_000
const seconds = 20

/** The small picture of lists. */
export const makeThumbnail = (image: Sharp): Promise<Buffer> =>
  image.clone().rotate().resize({ width: 480, height: 360, fit: 'cover' }).webp({ quality: 78 }).toBuffer()

/**
 * Encodes a picture anew, upright or turned by `turn` degrees and without its metadata, which may tell the place, and makes its thumbnail.
 * Throws file_kind for what cannot be decoded, and picture_pixels before it decodes too many.
 */
export async function encode(content: Uint8Array, turn: number): Promise<Encoded> {
  if ((await countPixels(content)) > mostPixels) throw new Refusal('picture_pixels')
  try {
    const picture = sharp(content, { limitInputPixels: mostPixels, failOn: 'error' }).timeout({ seconds })
    const encoded = await (turn === 0 ? picture.rotate() : picture.rotate(turn))
      .resize({ width: 2400, height: 2400, fit: 'inside', withoutEnlargement: true })
      .toBuffer()
    return { content: encoded, thumbnail: await makeThumbnail(sharp(encoded)) }
  } catch {
    // The first bytes are those of a picture, but it cannot be decoded, or only in more time than it gets.
    throw new Refusal('file_kind')
  }
}

/** Reads the header only. Pixels that are in memory whole count for more. */
async function countPixels(content: Uint8Array): Promise<number> {
  const { width, height, format, isProgressive } = await sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Refusal('file_kind')
    })
  const pixels = width * height
  return isProgressive || format === 'webp' ? pixels * (mostPixels / mostPixelsWhole) : pixels
}
