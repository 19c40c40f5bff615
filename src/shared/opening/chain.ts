import { z } from 'zod'

/**
 * One link: `hash` is SHA-256 of the hash before it (nothing for the first), a line feed, and `text`. `text` is the JSON
 * array [seq, demandId, at, move, from, to, digest, detailHash]; detailHash is SHA-256 of `detail`, which holds who did it,
 * for which quote and the note, and is shown only to those who may know. In the chain of a contract both sides see `detail`, whose first part is
 * SHA-256 of `person`, and only the own side sees `person`.
 */
export const ChainLink = z.object({
  seq: z.number(),
  at: z.string(),
  move: z.string(),
  text: z.string(),
  hash: z.string(),
  detail: z.string().nullable(),
  person: z.string().nullable().optional(),
})
export type ChainLink = z.infer<typeof ChainLink>

/** A receipt with the offer it stands for: SHA-256 of `offer` is `sealHash`, and `sealHash` is the digest of a link. */
export const ChainReceipt = z.object({ quoteCode: z.string(), sealHash: z.string(), offer: z.string().nullable() })
export type ChainReceipt = z.infer<typeof ChainReceipt>

/** SHA-256 in hex. A browser computes it asynchronously. */
export type Sha256 = (text: string) => string | Promise<string>

/** Finds the number of the first link that does not fit, or null. The evidence pack ships the text of this function, so it uses nothing from outside. */
export async function brokenLink(links: readonly ChainLink[], sha256: Sha256): Promise<number | null> {
  let before = ''
  for (const [index, { seq, at, move, text, hash, detail, person }] of links.entries()) {
    const parts = JSON.parse(text) as unknown[]
    if (seq !== index + 1 || parts[0] !== seq || (await sha256(`${before}\n${text}`)) !== hash) return seq
    // What is shown of the step is what was hashed; the instant that is shown ends with its seconds.
    const shown = Date.parse(`${at.replace(' ', 'T')}+08:00`)
    if (parts[3] !== move || Math.floor(Date.parse(String(parts[2])) / 1000) * 1000 !== shown) return seq
    if (detail !== null && (await sha256(detail)) !== parts[7]) return seq
    if (person && (await sha256(person)) !== (JSON.parse(detail ?? '[]') as unknown[])[0]) return seq
    before = hash
  }
  return null
}

/**
 * Tells whether the offer is the one that the receipt was given for, and the receipt is in the chain. The evidence pack ships the text of this
 * function, so it uses nothing from outside.
 */
export async function receiptFits(receipt: ChainReceipt, links: readonly ChainLink[], sha256: Sha256): Promise<boolean> {
  if (receipt.offer !== null && (await sha256(receipt.offer)) !== receipt.sealHash) return false
  return links.some(({ text }) => (JSON.parse(text) as unknown[])[6] === receipt.sealHash)
}
