// Files that a stranger might hand in to stop the platform. The same in every run; each is made when it is used.
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { mutated, numbers } from './archives.ts'
import { claimingSize } from './claimed-size.ts'
import { hostileWorkbooks } from './workbooks.ts'

export type Hostile = {
  name: string
  kind: 'workbook' | 'picture' | 'pdf'
  /** Takes long to make or to refuse: only `npm run hostile` feeds it. */
  heavy: boolean
  content: () => Buffer | Promise<Buffer>
}

const flat = (width: number, height: number, alpha?: number) =>
  sharp({
    create: { width, height, channels: alpha === undefined ? 3 : 4, background: { r: 20, g: 83, b: 209, alpha: alpha ?? 1 } },
    limitInputPixels: false,
  })
const noise = numbers(7)
const grain = Buffer.from(Array.from({ length: 64 * 64 * 3 }, () => Math.floor(noise() * 256)))
const small = () => sharp(grain, { raw: { width: 64, height: 64, channels: 3 } })

const cases = (kind: Hostile['kind'], variants: Record<string, Hostile['content']>, heavy = false): Hostile[] =>
  Object.entries(variants).map(([name, content]) => ({ name, kind, heavy, content }))
const variantsOf = <T extends string | number>(label: string, values: readonly T[], content: (value: T) => Buffer | Promise<Buffer>) =>
  Object.fromEntries(values.map((value) => [`${label}: ${value}`, () => content(value)]))

/** A PNG chunk with its check sum, without which the decoder reads no further. */
function chunk(name: string, content: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const named = Buffer.concat([Buffer.from(name), content])
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
/** Puts a chunk behind the header of a PNG. */
const withChunk = (png: Buffer, name: string, content: Buffer) =>
  Buffer.concat([png.subarray(0, 33), chunk(name, content), png.subarray(33)])

const bomb = deflateSync(Buffer.alloc(50 * 1024 * 1024))

function hostilePictures(): Hostile[] {
  return [
    ...cases('picture', {
      'sound: PNG': () => small().png().toBuffer(),
      ...variantsOf('PNG that claims a side of', [0, 1, 7745, 7746, 30_000, 65_535, 2_147_483_647], async (side) =>
        claimingSize(await small().png().toBuffer(), side, side),
      ),
      ...variantsOf('JPEG that claims a side of', [0, 1, 7745, 7746, 30_000, 65_535], async (side) =>
        claimingSize(await small().jpeg().toBuffer(), side, side),
      ),
      ...variantsOf('PNG line of', [100_000, 1_000_000], (width) => flat(width, 1).png().toBuffer()),
      'PNG with a packed text of 50 MB': async () =>
        withChunk(await small().png().toBuffer(), 'zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb])),
      'PNG with a packed colour profile of 50 MB': async () =>
        withChunk(await small().png().toBuffer(), 'iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb])),
      'JPEG with comments of 4 MB': async () => {
        const jpeg = await small().jpeg().toBuffer()
        const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(65_533)])
        return Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: 64 }, () => comment), jpeg.subarray(2)])
      },
      'WebP of many pictures': () =>
        sharp(Buffer.alloc(64 * 64 * 200 * 3), { raw: { width: 64, height: 64 * 200, channels: 3, pageHeight: 64 } })
          .webp()
          .toBuffer(),
      SVG: () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect width="9" height="9"/></svg>'),
      GIF: () => small().gif().toBuffer(),
      TIFF: () => small().tiff().toBuffer(),
      'PNG of its signature only': () => Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
      'JPEG of its signature only': () => Buffer.from([0xff, 0xd8, 0xff]),
      'WebP of its signature only': () => Buffer.from('RIFF\u0000\u0000\u0000\u0000WEBP', 'latin1'),
      'PNG of more than 5 MB': async () => Buffer.concat([await small().png().toBuffer(), Buffer.alloc(6 * 1024 * 1024)]),
      ...variantsOf('PNG cut at', [10, 40, 200, 4000], async (length) => (await small().png().toBuffer()).subarray(0, length)),
      ...variantsOf('JPEG cut at', [10, 100, 700], async (length) => (await small().jpeg().toBuffer()).subarray(0, length)),
      ...variantsOf('WebP cut at', [13, 40, 300], async (length) => (await small().webp().toBuffer()).subarray(0, length)),
      ...variantsOf('PNG with changed bytes', [1, 2, 3, 4, 5, 6], async (seed) => mutated(await small().png().toBuffer(), seed)),
      ...variantsOf('JPEG with changed bytes', [1, 2, 3, 4, 5, 6], async (seed) => mutated(await small().jpeg().toBuffer(), seed)),
      ...variantsOf('WebP with changed bytes', [1, 2, 3, 4, 5, 6], async (seed) => mutated(await small().webp().toBuffer(), seed)),
    }),
    ...cases(
      'picture',
      {
        ...variantsOf('PNG of 59 million pixels', [1, 2, 3, 4, 5, 6, 7, 8], () => flat(8000, 7375).png().toBuffer()),
        ...variantsOf('turned PNG of 59 million pixels', [1, 2, 3, 4], () =>
          flat(8000, 7375).withMetadata({ orientation: 6 }).png().toBuffer(),
        ),
        ...variantsOf('JPEG of 59 million pixels', [1, 2, 3, 4], () => flat(8000, 7375).jpeg().toBuffer()),
        ...variantsOf('progressive JPEG of a side of', [3500, 4000, 7680], (side) =>
          flat(side, side).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
        ),
        ...variantsOf('interlaced PNG of a side of', [3500, 4000, 7680], (side) => flat(side, side).png({ progressive: true }).toBuffer()),
        ...variantsOf('WebP of a side of', [3500, 4000, 7680], (side) => flat(side, side).webp({ lossless: true }).toBuffer()),
        // What takes the most memory in each format, within the bounds and beyond them.
        ...variantsOf('transparent WebP of a side of', [3500, 3870, 4500], (side) => flat(side, side, 0.5).webp({ effort: 0 }).toBuffer()),
        ...variantsOf('progressive JPEG of four inks and a side of', [3150, 3500, 7000], (side) =>
          flat(side, side).toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
        ),
        ...variantsOf('interlaced PNG of 16 bits and a side of', [3400, 3700], (side) =>
          flat(side, side, 0.5).toColourspace('rgb16').png({ progressive: true }).toBuffer(),
        ),
        ...variantsOf('turned PNG of 16 bits, 700 lines and a width of', [6200, 16_384, 60_000], (width) =>
          flat(width, 700, 0.5).withMetadata({ orientation: 6 }).toColourspace('rgb16').png().toBuffer(),
        ),
        ...variantsOf('PNG of 3600 lines and a width of', [16_384, 16_500], (width) => flat(width, 3600).png().toBuffer()),
      },
      true,
    ),
  ]
}

function hostilePdfs(): Hostile[] {
  const pdf = (body: string) => Buffer.from(`%PDF-1.7\n${body}\ntrailer<</Root 1 0 R>>\n%%EOF`)
  return cases('pdf', {
    ...variantsOf('PDF of megabytes', [19, 21], (size) => Buffer.concat([pdf(''), Buffer.alloc(size * 1024 * 1024)])),
    'PDF with a script': () => pdf('1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
    'PDF that starts a program': () => pdf('1 0 obj<</OpenAction<</S/Launch/F(cmd.exe)>>>>endobj'),
    'PDF of a million levels': () => pdf('['.repeat(1_000_000)),
    'PDF whose table points to itself': () => pdf('xref\n0 1\n0000000000 65535 f\nstartxref\n0'),
    'PDF with a packed stream of 50 MB': () => Buffer.concat([pdf('1 0 obj<</Filter/FlateDecode>>stream'), bomb]),
    'PDF that is a page as well': () => pdf('<html><script>alert(1)</script></html>'),
    'PDF that is an archive as well': () => Buffer.concat([pdf(''), Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]),
    'PDF behind a thousand bytes': () => Buffer.concat([Buffer.alloc(1000, 32), pdf('')]),
    ...variantsOf('PDF cut at', [1, 4, 5, 9], (length) => pdf('').subarray(0, length)),
    ...variantsOf('PDF with changed bytes', [1, 2, 3, 4, 5, 6], (seed) => mutated(pdf('1 0 obj<<>>endobj'), seed)),
  })
}

export const hostileFiles = (): Hostile[] => [...hostileWorkbooks(), ...hostilePictures(), ...hostilePdfs()]
