import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Derives the key of one demand from a secret that is not in the database, so a dump of it shows no price and no bidder's name. */
export function keyOf(secret: string, demandId: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, `demand:${demandId}`, 'quote-seal', 32))
}

/** Encrypts a text that is filled up to this many bytes, or twice, four times as many: its length tells nobody how much was offered. */
export function encrypt(key: Buffer, clear: string, least: number): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(padded(clear, least)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

export function decrypt(key: Buffer, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const clear = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
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
