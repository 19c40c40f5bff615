import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import type { QuoteInput } from '#shared/quote/contract.ts'

/** The part of a quote that its receipt stands for. Amounts in fen. */
export type Offer = Pick<QuoteInput, 'note' | 'lines'> & { nonce: string }
/** The part of a quote that no receipt stands for, so that a person's number can be erased from it. */
type QuoteContact = Pick<QuoteInput, 'contactName' | 'contactPhone' | 'validUntil'>

/** What is sealed is filled up to this many bytes, or twice, four times as many: its length tells nobody how much was offered. */
const leastBytes = { offer: 4096, contact: 256 } as const

/** Derives the key of one demand from a secret that is not in the database, so a dump of it shows no price and no bidder's name. */
export function keyOf(secret: string, demandId: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, `demand:${demandId}`, 'quote-seal', 32))
}

/** Encrypts an offer. `hash`, the receipt, is the SHA-256 of its text, in which a random nonce keeps prices from being guessed. */
export function seal(secret: string, demandId: number, offer: Omit<Offer, 'nonce'>): { sealed: Buffer; hash: string } {
  const clear = JSON.stringify({ ...offer, nonce: randomBytes(16).toString('hex') })
  return { sealed: encrypt(keyOf(secret, demandId), clear, leastBytes.offer), hash: createHash('sha256').update(clear).digest('hex') }
}

/** Decrypts the text whose SHA-256 is the receipt. */
export const clearOffer = (secret: string, demandId: number, sealed: Buffer): string => decrypt(keyOf(secret, demandId), sealed)

export const unseal = (secret: string, demandId: number, sealed: Buffer): Offer => JSON.parse(clearOffer(secret, demandId, sealed)) as Offer

export function sealContact(secret: string, demandId: number, { contactName, contactPhone, validUntil }: QuoteContact): Buffer {
  return encrypt(keyOf(secret, demandId), JSON.stringify({ contactName, contactPhone, validUntil }), leastBytes.contact)
}

/** The contact and validity of a quote: sealed until the opening, in columns of their own after it. */
export function contactOf(
  secret: string,
  quote: { demandId: number; sealedContact: Buffer | null } & { [Name in keyof QuoteContact]: string | null },
): QuoteContact {
  const { demandId, sealedContact, contactName, contactPhone, validUntil } = quote
  if (contactName !== null) return { contactName, contactPhone: contactPhone ?? '', validUntil: validUntil ?? '' }
  if (sealedContact === null) throw new Error(`a quote of demand ${demandId} has no contact`)
  return JSON.parse(decrypt(keyOf(secret, demandId), sealedContact)) as QuoteContact
}

function encrypt(key: Buffer, clear: string, least: number): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(padded(clear, least)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function decrypt(key: Buffer, sealed: Buffer): string {
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
