import { Inflate } from 'fflate'

export type Entry = { name: string; method: number; packed: number; offset: number }

/** The content is no ZIP archive that this product reads; the caller says what that means to the person. */
export class ArchiveRefused extends Error {}

const endSignature = 0x06054b50
const directorySignature = 0x02014b50
const localSignature = 0x04034b50
const endLength = 22
const directoryLength = 46
const localLength = 30
const longestComment = 65_535
const encrypted = 1
const stored = 0
const deflated = 8

/**
 * Lists the entries of a ZIP archive by its central directory (APPNOTE 6.3, section 4.3.12) and reads no content. Refuses an archive of several
 * disks or more than 4 GB, one with more than `most` entries, and one whose entries overlap: the same packed bytes would be unpacked many
 * times.
 */
export function listEntries(archive: Buffer, most: number): Entry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  const directory = archive.readUInt32LE(end + 16)
  if (count > most) throw new ArchiveRefused('too many entries')
  const entries: Entry[] = []
  let at = directory
  for (let index = 0; index < count; index++) {
    if (at + directoryLength > end || archive.readUInt32LE(at) !== directorySignature) throw new ArchiveRefused('no central directory')
    const nameEnd = at + directoryLength + archive.readUInt16LE(at + 28)
    if (archive.readUInt16LE(at + 8) & encrypted) throw new ArchiveRefused('encrypted')
    entries.push({
      name: archive.toString('utf8', at + directoryLength, nameEnd),
      method: archive.readUInt16LE(at + 10),
      packed: archive.readUInt32LE(at + 20),
      offset: archive.readUInt32LE(at + 42),
    })
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  let free = 0
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (entry.offset < free) throw new ArchiveRefused('overlapping entries')
    free = contentOf(archive, entry) + entry.packed
    if (free > directory) throw new ArchiveRefused('an entry ends behind the directory')
  }
  return entries
}

function findEnd(archive: Buffer): number {
  for (let at = archive.length - endLength; at >= Math.max(0, archive.length - endLength - longestComment); at--)
    if (archive.readUInt32LE(at) === endSignature && at + endLength + archive.readUInt16LE(at + 20) === archive.length) return at
  throw new ArchiveRefused('no end of the central directory')
}

/** Where the packed bytes of an entry start. */
function contentOf(archive: Buffer, { offset }: Entry): number {
  if (offset + localLength > archive.length || archive.readUInt32LE(offset) !== localSignature) throw new ArchiveRefused('no local header')
  return offset + localLength + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28)
}

/** Deflate unpacks a byte to 1,032 at most, so a piece is never more than 0.5 MB. */
const piece = 512

/** Unpacks an entry piece by piece. `onPiece` counts what really comes out, because the sizes in the headers may lie; it ends the work by throwing. */
export function unpack(archive: Buffer, entry: Entry, onPiece: (bytes: Uint8Array) => void): void {
  const start = contentOf(archive, entry)
  const content = archive.subarray(start, start + entry.packed)
  if (entry.method === stored) return onPiece(content)
  if (entry.method !== deflated) throw new ArchiveRefused('an unknown method of packing')
  const inflate = new Inflate((bytes) => onPiece(bytes))
  for (let from = 0; from < content.length; from += piece)
    inflate.push(content.subarray(from, from + piece), from + piece >= content.length)
}
