import { randomBytes, randomInt } from 'node:crypto'
import sharp from 'sharp'

// The letters that are taken for no other when they are bent, as strokes on a 4 × 6 grid: no font is needed, and every picture bends them anew.
const strokes: Record<string, string> = {
  A: 'M0 6L2 0L4 6M1 4H3',
  C: 'M4 1L3 0H1L0 1V5L1 6H3L4 5',
  E: 'M4 0H0V6H4M0 3H3',
  F: 'M4 0H0V6M0 3H3',
  H: 'M0 0V6M4 0V6M0 3H4',
  J: 'M4 0V5L3 6H1L0 5',
  K: 'M0 0V6M4 0L0 3L4 6',
  M: 'M0 6V0L2 3L4 0V6',
  N: 'M0 6V0L4 6V0',
  P: 'M0 6V0H3L4 1V2L3 3H0',
  R: 'M0 6V0H3L4 1V2L3 3H0M2 3L4 6',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V5L1 6H3L4 5V0',
  V: 'M0 0L2 6L4 0',
  W: 'M0 0L1 6L2 3L3 6L4 0',
  X: 'M0 0L4 6M4 0L0 6',
  Y: 'M0 0L2 3L4 0M2 3V6',
  '3': 'M0 0H4L2 2L4 4V5L3 6H1L0 5',
  '4': 'M3 6V0L0 4H4',
  '7': 'M0 0H4L1 6',
  '9': 'M4 3H1L0 2V1L1 0H3L4 1V3L2 6',
}

export const codeLetters = Object.keys(strokes)

const width = 272
const height = 96
const paper = 238
const ink = 60

/** A number between the two, from the system's random numbers. */
const between = (low: number, high: number) => low + (randomInt(1_000_001) / 1_000_000) * (high - low)

/**
 * The code as a grey PNG (decision 39). Each letter has bent strokes, its own size, slant and turn; lines of the same ink cross them; the whole is
 * warped by waves and strewn with noise. Nothing of the answer is in the file but its pixels.
 */
export async function drawCode(answer: string): Promise<Buffer> {
  const letters = [...answer].map(drawLetter).join('')
  const lines = Array.from({ length: 2 }, drawLine).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g fill="none" stroke="#000" stroke-linecap="round" stroke-linejoin="round">${letters}${lines}</g></svg>`
  const drawn = await sharp(Buffer.from(svg)).greyscale().raw().toBuffer()
  return sharp(strew(warp(drawn)), { raw: { width, height, channels: 1 } })
    .png({ palette: true, colours: 4, dither: 0 })
    .toBuffer()
}

function drawLetter(letter: string, index: number): string {
  const [x, y] = [26 + index * 58 + between(-6, 6), 20 + between(-7, 7)]
  const scale = `${between(8, 10.5).toFixed(2)} ${between(8, 10.5).toFixed(2)}`
  const turn = `rotate(${between(-18, 18).toFixed(1)} 2 3) skewX(${between(-12, 12).toFixed(1)})`
  return `<path d="${bend(strokes[letter] ?? '')}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${scale}) ${turn}" stroke-width="${between(0.72, 0.95).toFixed(2)}"/>`
}

/** Moves every corner a little and makes every straight line a curve. */
function bend(path: string): string {
  let at = [0, 0]
  let bent = ''
  const near = (value: number) => value + between(-0.2, 0.2)
  const curveTo = ([x = 0, y = 0]: number[]) => {
    const [fromX = 0, fromY = 0] = at
    bent += `Q${near((fromX + x) / 2).toFixed(2)} ${near((fromY + y) / 2).toFixed(2)} ${x.toFixed(2)} ${y.toFixed(2)}`
    at = [x, y]
  }
  for (const [, command = '', numbers = ''] of path.matchAll(/([MLHV])([\d ]*)/g)) {
    const [a = 0, b = 0] = numbers.split(' ').map(Number)
    if (command === 'M') {
      at = [near(a), near(b)]
      bent += `M${at.map((part) => part.toFixed(2)).join(' ')}`
    } else curveTo(command === 'H' ? [near(a), at[1] ?? 0] : command === 'V' ? [at[0] ?? 0, near(a)] : [near(a), near(b)])
  }
  return bent
}

function drawLine(): string {
  const [a, b, c] = [between(0, height), between(-height / 2, height * 1.5), between(0, height)]
  return `<path d="M0 ${a.toFixed(1)}Q${between(60, width - 60).toFixed(1)} ${b.toFixed(1)} ${width} ${c.toFixed(1)}" stroke-width="${between(2, 3).toFixed(1)}"/>`
}

/** Takes each pixel from a place that waves move it to. */
function warp(drawn: Buffer): Buffer {
  const wave = (amplitude: number, length: number) => ({ amplitude, length: between(length, length * 2), phase: between(0, 2 * Math.PI) })
  const shift = (at: number, waves: ReturnType<typeof wave>[]) =>
    waves.reduce((sum, { amplitude, length, phase }) => sum + amplitude * Math.sin((2 * Math.PI * at) / length + phase), 0)
  const [across, down] = [
    [wave(3.5, 60), wave(1.5, 26)],
    [wave(4, 70), wave(1.2, 24)],
  ] as const
  const warped = Buffer.alloc(width * height, 255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const fromX = Math.round(x + shift(y, [...across]))
      const fromY = Math.round(y + shift(x, [...down]))
      if (fromX >= 0 && fromX < width && fromY >= 0 && fromY < height) warped[y * width + x] = drawn[fromY * width + fromX] ?? 255
    }
  return warped
}

/** Greys the picture, with specks of ink on the paper and of paper on the ink. */
function strew(drawn: Buffer): Uint8Array {
  const noise = randomBytes(drawn.length)
  return drawn.map((value, at) => {
    const isInk = value < 128
    const speck = noise[at] ?? 0
    return speck < 14 ? (isInk ? paper : ink) : speck < 60 ? (paper + ink) / 2 + (isInk ? -45 : 45) : isInk ? ink : paper
  })
}
