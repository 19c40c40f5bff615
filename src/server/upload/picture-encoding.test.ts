import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { claimingSize } from '#test/hostile/claimed-size.ts'
import { Refusal } from '../http/refusal.ts'
import { encode } from './picture-encoding.ts'

const flat = (width: number, height: number, alpha?: number) =>
  sharp({
    create: { width, height, channels: alpha === undefined ? 3 : 4, background: { r: 20, g: 83, b: 209, alpha: alpha ?? 1 } },
    limitInputPixels: false,
  })
/** Red, green, blue and white quarters. */
const quarters = () =>
  sharp(
    Buffer.from(
      '<svg width="64" height="32"><rect width="32" height="16" fill="red"/><rect x="32" width="32" height="16" fill="lime"/><rect y="16" width="32" height="16" fill="blue"/><rect x="32" y="16" width="32" height="16" fill="white"/></svg>',
    ),
  ).removeAlpha()
const middles = async (content: Uint8Array) => {
  const { data, info } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const from = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels
    // JPEG and inks are not exact.
    return [...data.subarray(from, from + 3)].map((value) => Math.round(value / 64))
  }
  return { width: info.width, height: info.height, colours: [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)] }
}
/** Its header is all that is read of a picture that is refused. */
const small = (alpha?: number) => flat(16, 16, alpha)
const outcome = (content: Buffer) =>
  encode(content, 0).then(
    () => 'encoded',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe('a picture is encoded anew', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('upright where it is taken with orientation %i', async (orientation) => {
    const taken = await quarters().withMetadata({ orientation }).png().toBuffer()
    const { content, thumbnail } = await encode(taken, 0)
    const upright = await sharp(taken).autoOrient().png().toBuffer()
    expect(await middles(content)).toEqual(await middles(upright))
    expect((await sharp(thumbnail).metadata()).width).toBe(480)
    expect((await sharp(content).metadata()).orientation).toBeUndefined()
  })

  test('turned where its owner asks for it', async () => {
    const taken = await quarters().png().toBuffer()
    expect(await middles((await encode(taken, 90)).content)).toEqual(await middles(await sharp(taken).rotate(90).png().toBuffer()))
  })

  test.each([
    ['JPEG', () => quarters().jpeg({ quality: 95, chromaSubsampling: '4:4:4' })],
    ['progressive JPEG', () => quarters().jpeg({ quality: 95, chromaSubsampling: '4:4:4', progressive: true })],
    ['PNG of 16 bits', () => quarters().toColourspace('rgb16').png()],
    ['PNG with transparency', () => quarters().ensureAlpha().png()],
    ['WebP', () => quarters().webp({ quality: 95 })],
    ['WebP with transparency', () => quarters().ensureAlpha(0.9).webp({ quality: 95 })],
  ])('in its format and colours: %s', async (_, make) => {
    const taken = await make().toBuffer()
    const { content } = await encode(taken, 0)
    const [before, after] = [await sharp(taken).metadata(), await sharp(content).metadata()]
    expect([after.format, after.hasAlpha]).toEqual([before.format, before.hasAlpha])
    expect((await middles(content)).colours).toEqual((await middles(await quarters().png().toBuffer())).colours)
  })

  test('in its grey, however it was stored', async () => {
    const { content } = await encode(await flat(40, 20).greyscale().png().toBuffer(), 0)
    const [[red, green, blue] = []] = (await middles(content)).colours
    expect([red, green]).toEqual([green, blue])
  })
})

describe('before it is decoded', () => {
  test.each([
    ['a photograph of 12 million pixels', () => flat(4000, 3000).withMetadata({ orientation: 6 }).jpeg()],
    ['a panorama', () => flat(16_382, 3600).jpeg()],
    ['a progressive photograph of 12 million', () => flat(4000, 3000).jpeg({ progressive: true })],
    ['a screenshot with transparency and 16 bits', () => flat(1290, 2796, 0.5).toColourspace('rgb16').png()],
    ['a WebP of 12 million', () => flat(4000, 3000).webp({ effort: 0 })],
  ])(
    '%s is taken',
    async (_, make) => {
      expect(await outcome(await make().toBuffer())).toBe('encoded')
    },
    30_000,
  )

  test.each([
    ['more than 60 million pixels', [8000, 7600], () => small().jpeg()],
    ['a side of more than 16,400', [16_500, 10], () => small().png()],
    [
      'a progressive JPEG whose coefficients fill the memory',
      [4000, 4000],
      () => small().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    ],
    ['one of four inks', [3500, 3500], () => small().toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' })],
    ['an interlaced PNG of 16 bits', [3600, 3600], () => small(0.5).toColourspace('rgb16').png({ progressive: true })],
    ['a PNG whose lines are long', [16_000, 100], () => small(0.5).toColourspace('rgb16').png()],
    ['a WebP that is decoded whole', [4000, 4000], () => small().webp({ effort: 0 })],
  ] as const)('%s is refused', async (_, [width, height], make) => {
    const picture = await make().toBuffer()
    expect(await outcome(picture)).toBe('encoded')
    expect(await outcome(claimingSize(picture, width, height))).toBe('picture_pixels')
  })
})
