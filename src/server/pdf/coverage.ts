/** Whether a font has a sign for a character. */
type Coverage = (codePoint: number) => boolean

const fullUnicode = { platform: 3, encoding: 10, format: 12 }

/**
 * Reads which characters a TrueType font has from its table `cmap` (OpenType 1.9, format 12: groups of neighbouring characters). pdfmake draws
 * nothing, or an empty box, for any other, and says nothing of it.
 */
export function coverageOf(font: Buffer): Coverage {
  const cmap = tableOf(font, 'cmap')
  const subtable = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => cmap + 4 + index * 8)
    .filter((at) => font.readUInt16BE(at) === fullUnicode.platform && font.readUInt16BE(at + 2) === fullUnicode.encoding)
    .map((at) => cmap + font.readUInt32BE(at + 4))
    .find((at) => font.readUInt16BE(at) === fullUnicode.format)
  if (subtable === undefined) throw new Error('the font has no table of all characters')
  const groups = Array.from({ length: font.readUInt32BE(subtable + 12) }, (_, index) => {
    const at = subtable + 16 + index * 12
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4) }
  })
  return (codePoint) => {
    let low = 0
    let high = groups.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((groups[middle]?.last ?? 0) < codePoint) low = middle + 1
      else high = middle
    }
    const group = groups[low]
    return group !== undefined && group.first <= codePoint
  }
}

function tableOf(font: Buffer, name: string): number {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const at = 12 + index * 16
    if (font.toString('latin1', at, at + 4) === name) return font.readUInt32BE(at + 8)
  }
  throw new Error(`the font has no table ${name}`)
}

/**
 * Gives a function that writes what the font lacks as its code point, such as [U+20BB7], so that a name never loses a letter unseen; and the
 * characters that it met.
 */
export function readableBy(has: Coverage): { readable: (text: string) => string; replaced: Set<string> } {
  const replaced = new Set<string>()
  const readable = (text: string) =>
    Array.from(text, (letter) => {
      const codePoint = letter.codePointAt(0) ?? 0
      if (letter === '\n' || has(codePoint)) return letter
      const written = `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`
      replaced.add(written)
      return written
    }).join('')
  return { readable, replaced }
}
