import { z } from 'zod'
import { ChainLink, type brokenLink, type Sha256 } from '../opening/chain.ts'

/** A version as it was stored. The event "version" in the chain holds SHA-256 of `fact`; `fact` is the JSON array [contractId, revision, fromDay, clauses, lines, textHash, at, SHA-256 of the English text], without the last where none was kept. */
const RecordedVersion = z.object({ revision: z.number(), fact: z.string(), text: z.string(), textEn: z.string().nullable() })

/** What the contract shows now as its text and clauses. Null while it is a draft. */
const Standing = z.object({
  isConfirmed: z.boolean(),
  revision: z.number(),
  clauses: z.string(),
  text: z.string(),
  textHash: z.string(),
  /** Empty where none was kept. */
  textEn: z.string(),
})

/** The newest nightly head of the chain with the hashes that lead from it to the root in the audit log. */
const RecordedHead = z.object({
  day: z.string(),
  contractId: z.number(),
  seq: z.number(),
  hash: z.string(),
  path: z.array(z.object({ hash: z.string(), isLeft: z.boolean() })),
  root: z.string(),
})

/** All that somebody needs to check a contract without the platform. */
export const ContractRecord = z.object({
  links: z.array(ChainLink),
  demandHash: z.string().nullable(),
  /** The chain of the demand, without its details. */
  demandLinks: z.array(ChainLink),
  versions: z.array(RecordedVersion),
  standing: Standing.nullable(),
  head: RecordedHead.nullable(),
})
export type ContractRecord = z.output<typeof ContractRecord>
export type RecordedHead = z.output<typeof RecordedHead>

/**
 * The first thing that does not fit. `link`: that step of the chain. `demand`: that step of the demand's chain, or 0 where the contract does not
 * begin with a hash of it. `version`: that version's text, clauses or positions. `standing`: the text or clauses that the contract shows differ from
 * those agreed. `cut`: steps after the last are missing that the head of a night (`at` its day) knows. `root`: that night's root is of other heads.
 */
export type RecordFault =
  | { part: 'link' | 'demand' | 'version'; at: number }
  | { part: 'standing'; at: null }
  | { part: 'cut' | 'root'; at: string }

/**
 * Finds the first thing in the record that does not fit, or null. The evidence pack ships the text of this function, so it uses nothing from outside:
 * the check of a chain comes as an argument.
 */
export async function recordFault(record: ContractRecord, findBroken: typeof brokenLink, sha256: Sha256): Promise<RecordFault | null> {
  const { links, demandLinks, demandHash, versions, standing, head } = record
  const parsed = links.map(({ text }) => JSON.parse(text) as unknown[])
  const broken = await findBroken(links, sha256)
  if (broken !== null) return { part: 'link', at: broken }
  const misnamed = links.find(({ move }, index) => parsed[index]?.[3] !== move)
  if (misnamed) return { part: 'link', at: misnamed.seq }
  const brokenDemand = await findBroken(demandLinks, sha256)
  if (brokenDemand !== null) return { part: 'demand', at: brokenDemand }
  if (demandLinks.length > 0 && (parsed[0]?.[6] !== demandHash || !demandLinks.some(({ hash }) => hash === demandHash)))
    return { part: 'demand', at: 0 }
  // Every event of a version has its version, and every version its event.
  const recorded = parsed.filter((parts) => parts[3] === 'version')
  if (recorded.length !== versions.length) return { part: 'version', at: Math.min(recorded.length, versions.length) + 1 }
  for (const [index, { revision, fact, text, textEn }] of versions.entries()) {
    const [, number, , , , textHash, , englishHash] = JSON.parse(fact) as unknown[]
    const fits = (await sha256(fact)) === recorded[index]?.[6] && number === revision && (await sha256(text)) === textHash
    const fitsEnglish = textEn === null ? englishHash === undefined : (await sha256(textEn)) === englishHash
    if (!fits || !fitsEnglish) return { part: 'version', at: revision }
  }
  if (standing) {
    const last = versions.at(-1)
    const agreed = last === undefined ? null : (JSON.parse(last.fact) as unknown[])
    const sent = parsed.filter((parts) => parts[3] === 'send').at(-1)?.[6]
    const fits = standing.isConfirmed
      ? agreed?.[1] === standing.revision &&
        agreed[3] === standing.clauses &&
        agreed[5] === standing.textHash &&
        standing.textEn === (last?.textEn ?? '')
      : sent === standing.textHash
    if (!fits || (await sha256(standing.text)) !== standing.textHash) return { part: 'standing', at: null }
  }
  if (head) {
    if (links[head.seq - 1]?.hash !== head.hash) return { part: 'cut', at: head.day }
    let hash = await sha256(`0\n${head.contractId}\n${head.seq}\n${head.hash}`)
    for (const step of head.path) hash = await sha256(step.isLeft ? `1\n${step.hash}\n${hash}` : `1\n${hash}\n${step.hash}`)
    if (hash !== head.root) return { part: 'root', at: head.day }
  }
  return null
}
