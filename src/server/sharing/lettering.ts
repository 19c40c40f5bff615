/*
 * Letters of the drawing sheet as strokes (after ISO 3098), 14 units high. A picture that is drawn on the server needs no font then: a bare machine has
 * none, least of all a Chinese one.
 */
type Glyph = readonly [width: number, path: string]

const glyphs: Readonly<Record<string, Glyph>> = {
  ' ': [6, ''],
  '0': [11, 'M5 0C2 0 1 3 1 7s1 7 4 7 4-3 4-7-1-7-4-7z'],
  '1': [8, 'M2 3L6 0V14'],
  '2': [11, 'M1 4C1 1 3 0 5 0s4 1 4 4c0 3-8 7-8 10h8'],
  '3': [11, 'M1 1.5C2 .5 3.5 0 5 0c2.5 0 4 1.4 4 3.4S7.2 6.7 4.5 6.7C7.2 6.7 9 8 9 10.3S7.5 14 5 14c-1.8 0-3.3-.6-4-1.8'],
  '4': [11, 'M7 14V0L1 10h8.5'],
  '5': [11, 'M8.5 0H2L1.5 6.2C2.5 5.4 3.7 5 5 5c2.5 0 4 1.8 4 4.4S7.4 14 5 14c-1.7 0-3-.6-3.8-1.6'],
  '6': [11, 'M8 1C7.2.3 6.2 0 5.3 0 2.5 0 1 3 1 8c0 4 1.6 6 4 6s4-1.8 4-4.3S7.5 5.6 5.2 5.6C3 5.6 1.4 7 1 9'],
  '7': [11, 'M1 0h8L4 14'],
  '8': [11, 'M5 6.6C2.8 6.6 1.4 5.2 1.4 3.3S2.8 0 5 0s3.6 1.4 3.6 3.3S7.2 6.6 5 6.6 1 8.2 1 10.3 2.6 14 5 14s4-1.6 4-3.7S7.2 6.6 5 6.6z'],
  '9': [11, 'M2 13c.8.7 1.8 1 2.7 1C7.5 14 9 11 9 6 9 2 7.4 0 5 0S1 1.8 1 4.3s1.5 4.1 3.8 4.1C7 8.4 8.6 7 9 5'],
  '.': [4, 'M2 13.6v.2'],
  ',': [4, 'M2.5 13v1l-1 2'],
  '-': [9, 'M1 8h6'],
  '/': [10, 'M1 15L8-1'],
  '×': [10, 'M1 5l7 7M8 5l-7 7'],
  ':': [5, 'M2 5.5v.2M2 12v.2'],
  '·': [5, 'M2 8v.2'],
  '¥': [11, 'M1 0l4 6 4-6M5 6v8M1.5 7.5h7M1.5 10.5h7'],
  '³': [7, 'M1 .5C1.8 0 2.4 0 3 0c1.4 0 2 .8 2 1.7S4.4 3.2 3 3.2C4.4 3.2 5.2 4 5.2 5S4.4 6.8 3 6.8C2.2 6.8 1.5 6.6 1 6'],
  A: [11, 'M0 14L5 0l5 14M1.8 9.5h6.4'],
  B: [11, 'M1 0v14h4c3 0 4-1.8 4-3.7S8 6.7 5 6.7H1M5 6.7c2.4 0 3.4-1.5 3.4-3.3S7.4 0 5 0H1'],
  C: [11, 'M9 2.5C8.2 1 6.9 0 5.3 0 2.5 0 1 3 1 7s1.5 7 4.3 7c1.6 0 2.9-1 3.7-2.5'],
  D: [11, 'M1 0v14h3c3.4 0 5-2.8 5-7S7.4 0 4 0z'],
  E: [10, 'M8.5 0H1v14h7.5M1 6.7h6'],
  F: [10, 'M8.5 0H1v14M1 6.7h6'],
  G: [11, 'M9 2.5C8.2 1 6.9 0 5.3 0 2.5 0 1 3 1 7s1.5 7 4.3 7C8 14 9 12 9 7.5H5.5'],
  H: [11, 'M1 0v14M9 0v14M1 6.7h8'],
  I: [5, 'M2 0v14'],
  J: [9, 'M7 0v10c0 2.6-1.2 4-3.2 4S1 12.8.8 11'],
  K: [11, 'M1 0v14M9 0L1 8.5M4 5.6L9 14'],
  L: [9, 'M1 0v14h7'],
  M: [12, 'M1 14V0l4.5 8L10 0v14'],
  N: [11, 'M1 14V0l8 14V0'],
  O: [11, 'M5 0C2 0 .5 3 .5 7S2 14 5 14s4.5-3 4.5-7S8 0 5 0z'],
  P: [11, 'M1 14V0h4c3 0 4 1.9 4 3.8S8 7.6 5 7.6H1'],
  Q: [11, 'M5 0C2 0 .5 3 .5 7S2 14 5 14s4.5-3 4.5-7S8 0 5 0zM6 10l4 5'],
  R: [11, 'M1 14V0h4c3 0 4 1.9 4 3.8S8 7.6 5 7.6H1M5 7.6L9 14'],
  S: [11, 'M8.7 2C7.8.7 6.5 0 5 0 2.7 0 1.3 1.4 1.3 3.4c0 4.6 7.7 2.6 7.7 7C9 12.6 7.4 14 5 14c-1.7 0-3.3-.9-4.2-2.4'],
  T: [11, 'M0 0h10M5 0v14'],
  U: [11, 'M1 0v9.5C1 12.5 2.6 14 5 14s4-1.5 4-4.5V0'],
  V: [11, 'M0 0l5 14L10 0'],
  W: [13, 'M0 0l3 14 3-9 3 9 3-14'],
  X: [11, 'M.5 0l9 14M9.5 0l-9 14'],
  Y: [11, 'M0 0l5 7 5-7M5 7v7'],
  Z: [10, 'M1 0h8L1 14h8'],
  m: [14, 'M1 14V5M1 7.5C1.6 6 2.8 5 4 5c1.6 0 2.5 1 2.5 3v6M6.5 7.5C7.1 6 8.3 5 9.5 5 11 5 12 6 12 8v6'],
  t: [8, 'M3 1v10.5C3 13.3 3.8 14 5.2 14H6M.5 5h5.5'],
  k: [9, 'M1 0v14M7 5L1 10.5M3.5 8.5L7.5 14'],
}

const glyphOf = (letter: string): Glyph | undefined => glyphs[letter] ?? glyphs[letter.toUpperCase()]

/** The part of a text that can be lettered, such as the model beside a Chinese brand. */
export const letterable = (text: string): string =>
  [...text]
    .filter((letter) => glyphOf(letter))
    .join('')
    .replace(/ +/g, ' ')
    .trim()

type Lettering = { x: number; y: number; size: number; colour: string; weight?: number; anchor?: 'start' | 'middle' | 'end' }

/** Draws a text with its baseline at `y`, `size` high. Letters without strokes are left out. */
export function lettered(text: string, { x, y, size, colour, weight = 2, anchor = 'start' }: Lettering): string {
  const letters = [...text].map(glyphOf).filter((glyph) => glyph !== undefined)
  const width = letters.reduce((sum, [advance]) => sum + advance, 0)
  const scale = size / 14
  const start = x - (anchor === 'start' ? 0 : anchor === 'middle' ? 0.5 : 1) * width * scale
  let at = 0
  const strokes = letters.map(([advance, path]) => {
    const stroke = `<path transform="translate(${at} 0)" d="${path || 'M0 0'}"/>`
    at += advance
    return stroke
  })
  return `<g transform="translate(${start.toFixed(1)} ${y - size}) scale(${scale.toFixed(3)})" fill="none" stroke="${colour}" stroke-width="${weight}" stroke-linecap="round" stroke-linejoin="round">${strokes.join('')}</g>`
}
