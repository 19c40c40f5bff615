// ZIP archives that say of themselves whatever a test wants.
import { constants, deflateRawSync } from 'node:zlib'

export type Part = {
  name: string
  content: Buffer
  /** Packed already, instead of `content`. */
  packed?: Buffer
  method?: number
  flags?: number
  /** What the headers say about the unpacked size. */
  claimedSize?: number
  /** The entry of the directory points to the content of the first part. */
  overlapping?: boolean
}

export function zip(parts: readonly Part[], { count = parts.length, comment = 0 } = {}): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const packed = part.packed ?? deflateRawSync(part.content, { level: 1 })
    const name = Buffer.from(part.name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(part.flags ?? 0, 2)
    common.writeUInt16LE(part.method ?? 8, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(part.claimedSize ?? part.content.length, 18)
    common.writeUInt16LE(name.length, 22)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(20, 4)
    common.copy(central, 6)
    central.writeUInt32LE(part.overlapping ? 0 : offset, 42)
    directory.push(central, name)
    if (part.overlapping) continue
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed])
    pieces.push(local)
    offset += local.length
  }
  const head = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(head.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(comment, 20)
  return Buffer.concat([...pieces, head, end])
}

const mb = 1024 * 1024

/** Packs `times` megabytes of the same text without having them in memory: each megabyte ends at a byte. */
export function packedRepeat(text: string, times: number, { before = '', after = '' } = {}): Buffer {
  const open = (content: Buffer) => deflateRawSync(content, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
  const one = open(Buffer.alloc(mb, text))
  return Buffer.concat([open(Buffer.from(before)), ...Array.from({ length: times }, () => one), deflateRawSync(Buffer.from(after))])
}

/** The same numbers in every run (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A copy with some bytes changed. */
export function mutated(content: Buffer, seed: number): Buffer {
  const next = numbers(seed)
  const copy = Buffer.from(content)
  for (let change = 0; change < 1 + (seed % 12); change++) copy[Math.floor(next() * copy.length)] = Math.floor(next() * 256)
  return copy
}
