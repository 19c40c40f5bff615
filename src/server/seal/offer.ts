import { createHash, randomBytes } from 'node:crypto'
import type { QuoteInput } from '#shared/quote/contract.ts'
import { decrypt, encrypt, keyOf } from './cipher.ts'

/** The part of a quote that its receipt stands for. Amounts in fen. */
export type Offer = Pick<QuoteInput, 'note' | 'lines'> & { nonce: string }

const leastBytes = 4096

/** Encrypts an offer. `hash`, the receipt, is the SHA-256 of its text, in which a random nonce keeps prices from being guessed. */
export function seal(secret: string, demandId: number, offer: Omit<Offer, 'nonce'>): { sealed: Buffer; hash: string } {
  const clear = JSON.stringify({ ...offer, nonce: randomBytes(16).toString('hex') })
  return { sealed: encrypt(keyOf(secret, demandId), clear, leastBytes), hash: createHash('sha256').update(clear).digest('hex') }
}

/** Decrypts the text whose SHA-256 is the receipt. */
export const clearOffer = (secret: string, demandId: number, sealed: Buffer): string => decrypt(keyOf(secret, demandId), sealed)

export const unseal = (secret: string, demandId: number, sealed: Buffer): Offer => JSON.parse(clearOffer(secret, demandId, sealed)) as Offer
