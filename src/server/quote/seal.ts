import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { QuoteInput } from '#shared/quote/contract.ts'

/** The part of a quote that stays secret until the opening. Amounts in fen. */
export type Offer = Pick<QuoteInput, 'note' | 'lines'> & { nonce: string }

/** Derives the key of one demand from a secret that is not in the database, so a dump of it shows no price. */
export function keyOf(secret: string, demandId: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, `demand:${demandId}`, 'quote-seal', 32))
}

/** Encrypts an offer. `hash`, the receipt, is the SHA-256 of its text, in which a random nonce keeps prices from being guessed. */
export function seal(secret: string, demandId: number, offer: Omit<Offer, 'nonce'>): { sealed: Buffer; hash: string } {
  const clear = JSON.stringify({ ...offer, nonce: randomBytes(16).toString('hex') })
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, demandId), iv)
  const body = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()])
  return { sealed: Buffer.concat([iv, cipher.getAuthTag(), body]), hash: createHash('sha256').update(clear).digest('hex') }
}

/** Decrypts the text whose SHA-256 is the receipt. */
export function clearOffer(secret: string, demandId: number, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, demandId), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

export const unseal = (secret: string, demandId: number, sealed: Buffer): Offer => JSON.parse(clearOffer(secret, demandId, sealed)) as Offer
