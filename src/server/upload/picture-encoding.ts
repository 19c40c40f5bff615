import sharp, { type Metadata, type Sharp } from 'sharp'
import { Refusal } from '../http/refusal.ts'

export type Encoded = { content: Uint8Array; thumbnail: Uint8Array }

/** A photograph of a telephone has 12 to 50 million pixels, a panorama 16,382 in a line. */
const mostPixels = 60_000_000
const mostSide = 16_400
/** Of what is in memory whole before the first line is there. */
const mostBytesWhole = 120_000_000
/** Of a line of a PNG: some hundred of them are in memory while it is made smaller. A JPEG is made smaller by its decoder. */
const mostBytesOfLine = 50_000
const seconds = 20
/** The encoder of WebP takes 20 bytes for each pixel with transparency, and 8 for one without. */
const sides = { usual: 2400, transparentWebp: 1600 }

/** The small picture of lists. */
export const makeThumbnail = (image: Sharp): Promise<Buffer> =>
  image.clone().rotate().resize({ width: 480, height: 360, fit: 'cover' }).webp({ quality: 78 }).toBuffer()

/**
 * Encodes a picture anew, upright or turned by `turn` degrees and without its metadata, which may tell the place, and makes its thumbnail.
 * Throws file_kind for what cannot be decoded, and picture_pixels before it decodes too many.
 *
 * It is decoded and made smaller first, then turned and encoded: so what the decoder holds is free before the encoder begins (decision 36).
 */
export async function encode(content: Uint8Array, turn: number): Promise<Encoded> {
  const metadata = await readHeader(content)
  refuseLarge(metadata)
  const { format, hasAlpha, orientation } = metadata
  const isTransparentWebp = format === 'webp' && hasAlpha
  const side = isTransparentWebp ? sides.transparentWebp : sides.usual
  try {
    const { data, info } = await sharp(content, { limitInputPixels: mostPixels, failOn: 'error' })
      .timeout({ seconds })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    const small = sharp(data, { raw: { width, height, channels } }).timeout({ seconds })
    const upright = turn === 0 ? turnedBy(small, orientation) : small.rotate(turn)
    const encoded = await (isTransparentWebp ? upright.webp({ effort: 0 }) : upright.toFormat(format)).toBuffer()
    return { content: encoded, thumbnail: await makeThumbnail(sharp(encoded)) }
  } catch {
    // The first bytes are those of a picture, but it cannot be decoded, or only in more time than it gets.
    throw new Refusal('file_kind')
  }
}

/** Turns and mirrors as the orientation of EXIF says. */
function turnedBy(image: Sharp, orientation = 1): Sharp {
  const angle = { 3: 180, 4: 180, 5: 270, 6: 90, 7: 90, 8: 270 }[orientation] ?? 0
  return image.rotate(angle).flop([2, 4, 5, 7].includes(orientation))
}

const readHeader = (content: Uint8Array): Promise<Metadata> =>
  sharp(content, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new Refusal('file_kind')
    })

function refuseLarge(picture: Metadata): void {
  const { width, height, format } = picture
  const pixels = width * height
  const isLineLong = format === 'png' && width * bytesOfPixel(picture) > mostBytesOfLine
  if (pixels > mostPixels || Math.max(width, height) > mostSide || isLineLong || pixels * bytesWhole(picture) > mostBytesWhole)
    throw new Refusal('picture_pixels')
}

const bytesOfPixel = ({ channels, depth }: Metadata) => channels * (depth === 'ushort' ? 2 : 1)

/** Bytes for each pixel that the decoder holds at once: none of a picture that is decoded line by line. */
function bytesWhole(picture: Metadata): number {
  const { format, isProgressive, channels, chromaSubsampling } = picture
  if (format === 'webp') return 8
  if (!isProgressive) return 0
  if (format === 'png') return bytesOfPixel(picture) + 2
  // Two for each coefficient; the colours may have fewer of them.
  const colours = chromaSubsampling?.startsWith('4:2:0') ? 1.5 : chromaSubsampling?.startsWith('4:2:2') ? 2 : channels
  return 2 * colours + channels
}
