import sharp from 'sharp'
import { expect, test } from 'vitest'
import { runInReader } from '../reader/reader.ts'
import { letterable, lettered } from './lettering.ts'
import { drawSheet, pictureSize, symbolsOf } from './picture.ts'
import { hireOnPicture } from './serve.ts'

const symbols = symbolsOf('<svg><symbol id="c203" viewBox="0 0 120 80"><path d="M10 70h100v-20h-100z" fill="var(--amber)"/></symbol></svg>')
const sheet = (headline: string) => ({ machines: [{ category: 203, group: 200, note: '徐工 XCT25' }], headline, lines: ['¥ 24,000 /M'] })
const pixelsOf = async (headline: string) => {
  const png = await runInReader<Uint8Array>({ kind: 'drawing', svg: drawSheet(symbols, sheet(headline)) })
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
  return { data, info, bytes: png.byteLength }
}

test('a sharing picture is 1200 × 630, small, and shows its figures without any font', async () => {
  const [blank, five, eight] = [await pixelsOf(''), await pixelsOf('25 t'), await pixelsOf('80 t')]
  expect(five.info).toMatchObject(pictureSize)
  expect(five.bytes).toBeLessThan(100_000)
  expect(five.data.equals(blank.data)).toBe(false)
  expect(five.data.equals(eight.data)).toBe(false)
})

test('of a text that has letters without strokes only the others are drawn', () => {
  expect(letterable('徐工 XCT25 汽车吊')).toBe('XCT25')
  expect(letterable('<script>&"')).toBe('script')
  const drawn = lettered('25 t', { x: 0, y: 14, size: 14, colour: '#000' })
  expect(drawn.match(/<path/g)).toHaveLength(4)
  expect(lettered('吊', { x: 0, y: 14, size: 14, colour: '#000' })).not.toContain('<path')
})

test('the picture of a demand names the last day of the hire, because it has no word to say that a day is not part of it', () => {
  expect(hireOnPicture({ planStart: '2026-12-01', planEnd: '2027-02-01' })).toBe('2026-12-01 - 01-31')
})
