import sharp from 'sharp'
import { expect, test } from 'vitest'
import { codeLetters, drawCode } from './image-code.ts'

const answers = Array.from({ length: 20 }, (_, n) =>
  Array.from({ length: 4 }, (_unused, place) => codeLetters[(n * 7 + place * 5) % codeLetters.length] ?? '').join(''),
)

test('a script that looks for the paths of letters finds no text in the picture', async () => {
  for (const answer of answers) {
    const picture = await drawCode(answer)
    expect((await sharp(picture).metadata()).format).toBe('png')
    expect(picture.toString('latin1')).not.toMatch(/<path|<svg|<text/)
  }
})

test('the same answer is never drawn twice with the same pixels, nor nearly so', async () => {
  const pixels = (picture: Buffer) => sharp(picture).greyscale().threshold(128).raw().toBuffer()
  const [one, other] = [await pixels(await drawCode('HMNX')), await pixels(await drawCode('HMNX'))]
  const isInk = (value: number | undefined) => (value ?? 255) < 128
  const both = one.filter((value, at) => isInk(value) && isInk(other[at])).length
  const any = one.filter((value, at) => isInk(value) || isInk(other[at])).length
  // Of equal pictures this is 1.
  expect(both / any).toBeLessThan(0.5)
})

test('comparing each letter with pictures of letters that were read before reads few whole codes', async () => {
  const cells = async (picture: Buffer) => {
    const { data, info } = await sharp(picture)
      .greyscale()
      .median(5)
      .resize(64, 24, { fit: 'fill' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    return [0, 1, 2, 3].map((place) =>
      Array.from({ length: 16 * 24 }, (_, at) => data[Math.floor(at / 16) * info.width + place * 16 + (at % 16)] ?? 0),
    )
  }
  // Each letter at each of the four places. Of letters that are always drawn alike this reads every code.
  const known = await Promise.all(codeLetters.map(async (letter) => ({ letter, cells: await cells(await drawCode(letter.repeat(4))) })))
  const distance = (a: readonly number[], b: readonly number[] = []) => a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0)
  const read = (cell: readonly number[], place: number) =>
    known.toSorted((a, b) => distance(cell, a.cells[place]) - distance(cell, b.cells[place]))[0]?.letter ?? ''
  const right = await Promise.all(answers.map(async (answer) => (await cells(await drawCode(answer))).map(read).join('') === answer))
  expect(right.filter(Boolean).length).toBeLessThanOrEqual(4)
})
