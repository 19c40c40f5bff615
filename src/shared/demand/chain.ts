import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line } from '../fields.ts'

const params = z.object({ id: Id })

/**
 * One link: `hash` is SHA-256 of the hash before it (nothing for the first), a line feed, and `text`. `text` is the JSON
 * array [seq, demandId, at, move, from, to, digest, detailHash]; detailHash is SHA-256 of `detail`, which holds who did it,
 * for which quote and the note, and is shown only to those who may know.
 */
export const ChainLink = z.object({
  seq: z.number(),
  at: z.string(),
  move: z.string(),
  text: z.string(),
  hash: z.string(),
  detail: z.string().nullable(),
})
export type ChainLink = z.infer<typeof ChainLink>

/** A receipt with the offer it stands for: SHA-256 of `offer` is `sealHash`, and `sealHash` is the digest of a link. */
export const ChainReceipt = z.object({ quoteCode: z.string(), sealHash: z.string(), offer: z.string().nullable() })
export type ChainReceipt = z.infer<typeof ChainReceipt>

export const getChain = {
  method: 'GET',
  url: '/business/leasingDemand/:id/chain',
  summary: 'Everything that happened to a demand as a chain of hashes: for those who see the demand, and for its lessors after the opening',
  access: 'account',
  form: 'data',
  params,
  answer: z.object({ links: z.array(ChainLink), receipts: z.array(ChainReceipt) }),
} as const satisfies Endpoint

export const exportEvidence = {
  method: 'GET',
  url: '/business/leasingDemand/:id/evidence',
  summary: 'The evidence pack of an opened demand: readable pages, offers, files, the chain, and a manifest of SHA-256',
  access: 'demand:export',
  form: 'file',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const takeDemandDown = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/takeDown',
  summary: 'The platform withdraws a demand with a reason; its owner and everybody who quoted are told',
  access: 'demand:takeDown',
  form: 'data',
  params,
  body: z.object({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

/** The first link that does not fit, or null. `sha256` answers in hex. */
export function brokenLink(links: readonly ChainLink[], sha256: (text: string) => string): number | null {
  let before = ''
  for (const [index, { seq, text, hash, detail }] of links.entries()) {
    const parts = JSON.parse(text) as unknown[]
    if (seq !== index + 1 || parts[0] !== seq || sha256(`${before}\n${text}`) !== hash) return seq
    if (detail !== null && sha256(detail) !== parts[7]) return seq
    before = hash
  }
  return null
}

/** Whether the offer is the one that the receipt was given for, and the receipt is in the chain. */
export const receiptFits = (receipt: ChainReceipt, links: readonly ChainLink[], sha256: (text: string) => string): boolean =>
  (receipt.offer === null || sha256(receipt.offer) === receipt.sealHash) &&
  links.some(({ text }) => (JSON.parse(text) as unknown[])[6] === receipt.sealHash)
