import { randomInt } from 'node:crypto'

// Strokes on a 4 × 6 grid, so that the letters are paths and not text that a program reads.
const strokes: Record<string, string> = {
  A: 'M0 6L2 0L4 6M1 4H3',
  B: 'M0 0V6H3L4 5V4L3 3H0M3 3L4 2V1L3 0H0',
  C: 'M4 1L3 0H1L0 1V5L1 6H3L4 5',
  D: 'M0 0V6H2L4 4V2L2 0Z',
  E: 'M4 0H0V6H4M0 3H3',
  F: 'M4 0H0V6M0 3H3',
  G: 'M4 1L3 0H1L0 1V5L1 6H3L4 5V3H2',
  H: 'M0 0V6M4 0V6M0 3H4',
  J: 'M4 0V5L3 6H1L0 5',
  K: 'M0 0V6M4 0L0 3L4 6',
  M: 'M0 6V0L2 3L4 0V6',
  N: 'M0 6V0L4 6V0',
  P: 'M0 6V0H3L4 1V2L3 3H0',
  Q: 'M1 0H3L4 1V5L3 6H1L0 5V1ZM2 4L4 6',
  R: 'M0 6V0H3L4 1V2L3 3H0M2 3L4 6',
  S: 'M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5',
  T: 'M0 0H4M2 0V6',
  U: 'M0 0V5L1 6H3L4 5V0',
  V: 'M0 0L2 6L4 0',
  W: 'M0 0L1 6L2 3L3 6L4 0',
  X: 'M0 0L4 6M4 0L0 6',
  Y: 'M0 0L2 3L4 0M2 3V6',
  Z: 'M0 0H4L0 6H4',
  '2': 'M0 1L1 0H3L4 1V2L0 6H4',
  '3': 'M0 0H4L2 2L4 4V5L3 6H1L0 5',
  '4': 'M3 6V0L0 4H4',
  '5': 'M4 0H0V2H3L4 3V5L3 6H0',
  '6': 'M4 0H2L0 3V5L1 6H3L4 5V4L3 3H0',
  '7': 'M0 0H4L1 6',
  '8': 'M1 0H3L4 1V2L3 3H1L0 4V5L1 6H3L4 5V4L3 3M1 3L0 2V1L1 0',
  '9': 'M4 3H1L0 2V1L1 0H3L4 1V3L2 6',
}

/** The code as an SVG of bent strokes with a few lines across. */
export function drawCode(answer: string): string {
  const letters = [...answer].map((letter, index) => {
    const turn = randomInt(-18, 19)
    const x = 14 + index * 30 + randomInt(-3, 4)
    const y = 10 + randomInt(-4, 5)
    const size = (randomInt(42, 54) / 10).toFixed(1)
    return `<path d="${strokes[letter]}" transform="translate(${x} ${y}) rotate(${turn} 8 12) scale(${size} ${size})" stroke-width="${(2.6 / Number(size)).toFixed(2)}"/>`
  })
  const lines = Array.from(
    { length: 3 },
    () => `<path d="M0 ${randomInt(48)}Q${randomInt(136)} ${randomInt(48)} 136 ${randomInt(48)}" stroke-width="1" opacity=".5"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="136" height="48" viewBox="0 0 136 48"><rect width="136" height="48" fill="#eef2f9"/><g fill="none" stroke="#1c3f86" stroke-linecap="round" stroke-linejoin="round">${letters.join('')}${lines.join('')}</g></svg>`
}
