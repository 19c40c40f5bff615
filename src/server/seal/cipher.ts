import { hkdfSync } from 'node:crypto'
import { decryptBytes, encryptBytes } from '../actor/keyed-hash.ts'

/** Derives the key of one demand from a secret that is not in the database, so a dump of it shows no price and no bidder's name. */
export function keyOf(secret: string, demandId: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, `demand:${demandId}`, 'quote-seal', 32))
}

/** Encrypts a text that is filled up to this many bytes, or twice, four times as many: its length tells nobody how much was offered. */
export const encrypt = (key: Buffer, clear: string, least: number): Buffer => encryptBytes(key, padded(clear, least))

export function decrypt(key: Buffer, sealed: Buffer): string {
  const clear = decryptBytes(key, sealed)
  const end = clear.indexOf(0)
  return clear.toString('utf8', 0, end === -1 ? clear.length : end)
}

/** Fills a text up with zero bytes, which JSON never contains. */
function padded(clear: string, least: number): Buffer {
  const bytes = Buffer.from(clear, 'utf8')
  let size = least
  while (size < bytes.length) size *= 2
  return Buffer.concat([bytes], size)
}
