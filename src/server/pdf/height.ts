/**
 * The most that pdfmake is asked to keep in one piece, in points; a page has 713 between its margins. pdfmake leaves out whatever may not be broken
 * and is higher than a page, and says nothing of it, so what may be higher than this is broken.
 */
export const onePiece = 560

/** The font's own line of 1.448 times its size, and the 1.25 of our prints. */
const lineFactor = 1.85
/** The share of a line that is used at least: a line ends before a word, or two letters of which the second may not begin one. */
const usedWidth = 0.8

/** A height that is surely enough for a text in a column, in points. */
export function heightOf(text: string, { width, fontSize }: { width: number; fontSize: number }): number {
  const lines = text.split('\n').map((line) => Math.ceil((emsOf(line) * fontSize) / (width * usedWidth)) || 1)
  return lines.reduce((sum, count) => sum + count, 0) * fontSize * lineFactor
}

/** Chinese letters are as wide as high, and nothing is wider; most Latin letters are narrower. */
const emsOf = (line: string) => Array.from(line).reduce((sum, letter) => sum + (letter < '\u0080' ? 0.75 : 1), 0)
