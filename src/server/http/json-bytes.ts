/** How much text becomes bytes at once. */
const pieceLength = 32_000

/**
 * The bytes of `JSON.stringify(value)`, made of one item of a list after the other. At once V8 copies a long text with Chinese words in it again
 * and again, always into new memory: that takes 14 ms for an answer of 900 KB, in pieces it takes 6.5.
 */
export function jsonBytes(value: unknown): Buffer {
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length < pieceLength) continue
    pieces.push(Buffer.from(text))
    text = ''
  }
  pieces.push(Buffer.from(text))
  return Buffer.concat(pieces)
}

function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '['
    for (const [at, item] of value.entries()) yield `${at > 0 ? ',' : ''}${JSON.stringify(item) ?? 'null'}`
    yield ']'
  } else if (value?.constructor === Object) {
    let between = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      yield `${between}${JSON.stringify(name)}:`
      yield* partsOf(member)
      between = ','
    }
    yield between === '{' ? '{}' : '}'
  } else yield JSON.stringify(value)
}
