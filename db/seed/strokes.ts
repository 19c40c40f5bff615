/**
 * Letters and digits as strokes on a grid of 4 × 6, so that drawn plates, meters and papers need no font. Other signs leave a gap.
 */
const glyphs: Readonly<Record<string, string>> = {
  '0': 'M0 1l1-1h2l1 1v4l-1 1H1L0 5z',
  '1': 'M1 1l1-1v6M1 6h2',
  '2': 'M0 1l1-1h2l1 1v1L0 6h4',
  '3': 'M0 0h4L2 2.5h1l1 1V5L3 6H1L0 5',
  '4': 'M3 6V0L0 4h4',
  '5': 'M4 0H0v2.5h3l1 1V5L3 6H0',
  '6': 'M4 0H2L0 2.5V5l1 1h2l1-1V3.5l-1-1H0',
  '7': 'M0 0h4L1.5 6',
  '8': 'M1 3L0 2V1l1-1h2l1 1v1L3 3H1L0 4v1l1 1h2l1-1V4L3 3',
  '9': 'M0 6h2l2-2.5V1L3 0H1L0 1v1.5l1 1h3',
  '-': 'M1 3h2',
  '.': 'M2 6v-.4',
  '/': 'M0 6L4 0',
  B: 'M0 0v6h3l1-1V4L3 3H0h3l1-1V1L3 0z',
  D: 'M0 0v6h2.5L4 4.5v-3L2.5 0z',
  H: 'M0 0v6M4 0v6M0 3h4',
  L: 'M0 0v6h4',
  N: 'M0 6V0l4 6V0',
  O: 'M0 1l1-1h2l1 1v4l-1 1H1L0 5z',
  S: 'M4 .5L3 0H1L0 1v1l1 1h2l1 1v1L3 6H1L0 5.5',
  Z: 'M0 0h4L0 6h4',
}

/** Draws a text in strokes from (x, y), `size` high. */
export function strokes(text: string, { x, y, size, colour }: { x: number; y: number; size: number; colour: string }): string {
  const scale = size / 6
  const letters = [...text.toUpperCase()].map((letter, at) =>
    glyphs[letter] ? `<path transform="translate(${at * 5.6})" d="${glyphs[letter]}"/>` : '',
  )
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(3)})" fill="none" stroke="${colour}" stroke-width="1" stroke-linejoin="round" stroke-linecap="round">${letters.join('')}</g>`
}

/** How wide `strokes` draws a text. */
export const strokesWidth = (text: string, size: number) => (text.length * 5.6 - 1.6) * (size / 6)
