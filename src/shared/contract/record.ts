import { z } from 'zod'
import { brokenLink, ChainLink, type Sha256 } from '../opening/chain.ts'

/** A version as it was stored. The event "version" in the chain holds SHA-256 of `fact`; `fact` is the JSON array [contractId, revision, fromDay, clauses, lines, textHash, at, SHA-256 of the English text], without the last where none was kept. */
const RecordedVersion = z.object({ revision: z.number(), fact: z.string(), text: z.string(), textEn: z.string().nullable() })

/**
 * An amendment as it was stored. The event of its proposal holds SHA-256 of `fact`, the JSON array [code, contractId, kind, side, fromDay, reason, terms], of
 * one that names an account with a salt at its end;
 * of an older one the event "changeRecord". Null where the reader may not see the account that it names: then the platform has made the check.
 */
const RecordedChange = z.object({ changeCode: z.string(), fact: z.string().nullable() })

/** What the contract shows now. Null while it is a draft. */
const Standing = z.object({
  isConfirmed: z.boolean(),
  revision: z.number(),
  clauses: z.string(),
  text: z.string(),
  textHash: z.string(),
  /** Empty where none was kept. */
  textEn: z.string(),
  amountFen: z.number(),
  netFen: z.number(),
  taxFen: z.number(),
  /** The positions as JSON. */
  lines: z.string(),
  /** Both have ended it early, so the positions that waited are cancelled without a version. */
  isTerminated: z.boolean(),
  /** Null where the reader may not see it: then the platform has made the check. The salt is empty where the account was hashed without one. */
  account: z.object({ bankName: z.string(), bankAccount: z.string(), salt: z.string() }).nullable(),
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
  changes: z.array(RecordedChange),
  standing: Standing.nullable(),
  head: RecordedHead.nullable(),
})
export type ContractRecord = z.output<typeof ContractRecord>
export type RecordedHead = z.output<typeof RecordedHead>

/**
 * The first thing that does not fit. `link`: that step of the chain. `demand`: that step of the demand's chain, or 0 where the contract does not
 * begin with a hash of it. `version`: that version's text, clauses or positions. `change`: that amendment. `standing`: the text, sum, clauses, positions
 * or bank account that the contract shows differ from those agreed. `cut`: steps after the last are missing that the head of a night (`at` its day) knows. `root`: that night's root is of other heads.
 */
export type RecordFault =
  | { part: 'link' | 'demand' | 'version'; at: number }
  | { part: 'standing'; at: null }
  | { part: 'change' | 'cut' | 'root'; at: string }

/**
 * Finds the first thing in the record that does not fit, or null. The evidence pack ships the text of this function and of its checks, so none uses
 * anything from outside: `recordChecks` comes as an argument.
 */
export async function recordFault(record: ContractRecord, checks: RecordChecks, sha256: Sha256): Promise<RecordFault | null> {
  const { links, demandLinks, demandHash, versions, changes, standing, head } = record
  const parsed = links.map(({ text }) => JSON.parse(text) as unknown[])
  const broken = await checks.brokenLink(links, sha256)
  if (broken !== null) return { part: 'link', at: broken }
  const brokenDemand = await checks.brokenLink(demandLinks, sha256)
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
  if (standing && !(await checks.standingFits(record, sha256))) return { part: 'standing', at: null }
  if (head) {
    if (links[head.seq - 1]?.hash !== head.hash) return { part: 'cut', at: head.day }
    let hash = await sha256(`0\n${head.contractId}\n${head.seq}\n${head.hash}`)
    for (const step of head.path) hash = await sha256(step.isLeft ? `1\n${step.hash}\n${hash}` : `1\n${hash}\n${step.hash}`)
    if (hash !== head.root) return { part: 'root', at: head.day }
  }
  // Every amendment has its event, and every event its amendment.
  const proposed = parsed.filter((parts) => parts[3] === 'change').map((parts) => parts[6])
  const later = parsed.filter((parts) => parts[3] === 'changeRecord').map((parts) => parts[6])
  if (proposed.length !== changes.length) return { part: 'change', at: changes.at(-1)?.changeCode ?? '' }
  for (const [index, { changeCode, fact }] of changes.entries()) {
    if (fact === null) continue
    const hash = await sha256(fact)
    if (hash !== proposed[index] && !later.includes(hash)) return { part: 'change', at: changeCode }
    if ((JSON.parse(fact) as unknown[])[0] !== changeCode) return { part: 'change', at: changeCode }
  }
  return null
}

/** Whether the text, sum, clauses, positions and bank account that the contract shows are those agreed. */
async function standingFits({ links, versions, standing }: ContractRecord, sha256: Sha256): Promise<boolean> {
  if (!standing) return true
  const parsed = links.map(({ text }) => JSON.parse(text) as unknown[])
  const last = versions.at(-1)
  const digestOf = (move: string) => parsed.filter((parts) => parts[3] === move).at(-1)?.[6]
  if ((await sha256(standing.text)) !== standing.textHash) return false
  // The text names the sum and what it is made of, with thousands apart or, in texts from before, not.
  const plain = standing.text.replace(/(\d),(?=\d{3})/g, '$1')
  const sums = [standing.amountFen, standing.netFen, standing.taxFen].map((fen) => `¥${(fen / 100).toFixed(2)}`)
  if (sums.some((sum) => !plain.includes(sum))) return false
  if (!standing.isConfirmed) return digestOf('send') === standing.textHash
  const agreed = last === undefined ? [] : (JSON.parse(last.fact) as unknown[])
  if (agreed[1] !== standing.revision || agreed[3] !== standing.clauses || agreed[5] !== standing.textHash) return false
  if (standing.textEn !== (last?.textEn ?? '')) return false
  const columns = ['id', 'lineNo', 'name', 'spec', 'equipmentId', 'isLot', 'qty', 'rentUnit', 'unitPriceFen', 'taxRate', 'invoiceKind']
  columns.push('includesOperator', 'includesFuel', 'entryFeeFen', 'exitFeeFen', 'erectionFeeFen', 'inspectionFeeFen', 'otherFeeFen')
  columns.push('minRentDays', 'estQuantity', 'shiftMode', 'planStart', 'planEnd')
  // `positionStatus.cancelled`: the function is shipped by its own text with the evidence pack, so it imports nothing.
  const cancelled = '3'
  const [now, then] = [standing.lines, String(agreed[4])].map((json) => JSON.parse(json) as Record<string, unknown>[])
  const isAgreed = (line: Record<string, unknown>, was: Record<string, unknown> | undefined) =>
    was !== undefined &&
    columns.every((column) => String(line[column]) === String(was[column])) &&
    (was.status === cancelled ? line.status === cancelled : line.status !== cancelled || standing.isTerminated)
  if (!now || now.length !== then?.length || !now.every((line, index) => isAgreed(line, then[index]))) return false
  if (!standing.account) return true
  const { bankName, bankAccount, salt } = standing.account
  const named = digestOf('account')
  const first = versions[0] === undefined ? null : (JSON.parse(versions[0].fact) as unknown[])[5]
  const parts = [...(named === undefined ? [first] : []), bankName, bankAccount, ...(salt === '' ? [] : [salt])]
  const account = await sha256(JSON.stringify(parts))
  return account === (named ?? digestOf('confirm'))
}

export const recordChecks = { brokenLink, standingFits }
export type RecordChecks = typeof recordChecks
