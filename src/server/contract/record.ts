import { sql } from 'kysely'
import { merklePath } from '#shared/contract/merkle.ts'
import type { RecordPage } from '#shared/contract/record-pages.ts'
import type { ContractRecord, RecordedHead } from '#shared/contract/record.ts'
import { confirmedContracts, contractStatus, linksAPage } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { ChainLink } from '#shared/opening/chain.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { inOneSnapshot, type Context } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { findLinks } from '../opening/chain.ts'
import { findHeads, findRoot } from './heads.ts'
import { readsNote } from './history.ts'
import { maySeeAccounts, seenBy, sideOf } from './scope.ts'
import { sha256 } from './digest.ts'
import { findPositions } from './text.ts'

type At = Pick<Context, 'db' | 'actor' | 'now'>

/** A page of the record, so that an answer stays small however long the chain is. The first page has all that is no step, as it is at one moment. */
export async function getRecordPage(
  at: At,
  { id, after, until }: { id: number; after: number; until?: number | undefined },
): Promise<RecordPage> {
  const { db, actor } = at
  if (after === 0)
    return inOneSnapshot(db, async (tx) => {
      const first = { after, until: until ?? (await findLastSeq(tx, id)), most: linksAPage }
      return { ...(await getContractRecord({ ...at, db: tx }, id, first)), lastSeq: first.until }
    })
  const page = { after, until: until ?? (await findLastSeq(db, id)), most: linksAPage }
  const seen = await db.selectFrom('contract').where('id', '=', id).where(seenBy(at)).select('id').executeTakeFirst()
  if (!seen) throw new Refusal('not_found')
  const links = await findContractLinks(db, id, { actor, ...page })
  return { links, demandHash: null, demandLinks: [], versions: [], changes: [], standing: null, head: null, lastSeq: page.until }
}

async function findLastSeq(db: Read, contractId: number): Promise<number> {
  const { last } = await db
    .selectFrom('contractEvent')
    .where('contractId', '=', contractId)
    .select((eb) => eb.fn.coalesce(eb.fn.max<number>('seq'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow()
  return last
}

/** Steps of the chain after one and up to another, at most so many. */
type Page = { after: number; until: number; most: number }

/** All that somebody who sees the contract needs to check it: its chain, that of its demand, every version and the newest nightly head. */
export async function getContractRecord(at: At, id: number, page?: Page): Promise<ContractRecord> {
  return { ...(await getRecordBeside(at, id, page)), versions: await listVersions(at.db, id) }
}

/** The record without the versions, which may be long: `readVersions` reads them one by one. */
export async function getRecordBeside(at: At, id: number, page?: Page): Promise<Omit<ContractRecord, 'versions'>> {
  const { db, actor } = at
  const contract = await db
    .selectFrom('contract')
    .where('id', '=', id)
    .where(seenBy(at))
    .select([
      'demandId',
      'status',
      'revision',
      'text',
      'textHash',
      'textEn',
      'amountFen',
      'netFen',
      'taxFen',
      'bankName',
      'bankAccount',
      'accountSalt',
    ])
    .select(sql<string>`clauses::text`.as('clauses'))
    .executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  const { demandId, status, textHash, bankName, bankAccount, accountSalt: salt, ...standing } = contract
  const isConfirmed = isAmong(status, confirmedContracts)
  const links = await findContractLinks(db, id, { actor, ...page })
  const digests = await findDigests(db, id)
  const agreed = { digests, firstHash: await findFirstHash(db, id), isConfirmed }
  const seesAccounts = await maySeeAccounts(db, id, actor)
  const account = { bankName, bankAccount, salt }
  return {
    links,
    demandHash: demandId !== null && links[0] ? ((JSON.parse(links[0].text) as unknown[])[6] as string | null) : null,
    demandLinks: demandId === null ? [] : await findLinks(db, demandId, { details: false, quotes: false, sealed: false }),
    changes: await findChanges(db, id, { seesAccounts, digests }),
    standing:
      textHash !== null && (isConfirmed || status === contractStatus.sent)
        ? {
            ...standing,
            textHash,
            isConfirmed,
            isTerminated: status === contractStatus.terminated,
            lines: JSON.stringify(await findPositions(db, id)),
            account: seesAccounts ? account : hiddenAccount(account, agreed),
          }
        : null,
    head: await findNewestHead(db, id),
  }
}

/** The links with their details. Who acted is opened to their own side and to the platform's people, but where a note beside them is not for these. */
async function findContractLinks(
  db: Read,
  contractId: number,
  { actor, after, until, most }: Partial<Page> & { actor: Actor },
): Promise<ChainLink[]> {
  const rows = await db
    .selectFrom('contractEvent as e')
    .where('contractId', '=', contractId)
    .$if(after !== undefined, (query) => query.where('seq', '>', after ?? 0))
    .$if(until !== undefined, (query) => query.where('seq', '<=', until ?? 0))
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .orderBy('seq')
    .select([
      'seq',
      'at',
      'move',
      'side',
      'hash',
      'detailForm',
      'detailHash',
      sql<string>`contract_event_text(e)`.as('text'),
      sql<string>`contract_event_detail(e)`.as('detail'),
      sql<string>`contract_event_person(e)`.as('person'),
    ])
    .execute()
  return rows.map(({ side: of, detail, person, detailForm, detailHash, ...link }) => {
    const isOpen = [null, of].includes(sideOf(actor)) && readsNote(actor, { move: link.move, side: of })
    if (detailForm === 2) return { ...link, detail, person: isOpen ? person : null }
    // The detail of an older event names who acted. For the other side the platform checks it, and hands out one that fits no hash where it is wrong.
    return { ...link, detail: isOpen ? detail : sha256(detail) === detailHash ? null : '' }
  })
}

type Digests = readonly { move: string; digest: string | null }[]

/** What the steps that name amendments and accounts are about, in their order, as the chain has it. */
const findDigests = (db: Read, contractId: number): Promise<Digests> =>
  db
    .selectFrom('contractEvent as e')
    .where('contractId', '=', contractId)
    .where('move', 'in', ['change', 'changeRecord', 'account', 'confirm'])
    .orderBy('seq')
    .select(['move', sql<string | null>`contract_event_text(e)::json ->> 6`.as('digest')])
    .execute()

const digestsOf = (digests: Digests, ...moves: readonly string[]) =>
  digests.filter(({ move }) => moves.includes(move)).map(({ digest }) => digest)

/** The amendments in their order. Of one that names an account, whoever may not see it gets null, or a text of no hash where the platform finds it changed. */
async function findChanges(
  db: Read,
  contractId: number,
  { seesAccounts, digests }: { seesAccounts: boolean; digests: Digests },
): Promise<ContractRecord['changes']> {
  const rows = await db
    .selectFrom('contractChange as c')
    .where('contractId', '=', contractId)
    // One that waits for the unit above, or did not get past it, was proposed to nobody.
    .where('sentAt', 'is not', null)
    .orderBy('sentAt')
    .orderBy('id')
    .select(['changeCode', 'kind', sql<string>`contract_change_text(c)`.as('fact')])
    .execute()
  const recorded = digestsOf(digests, 'change', 'changeRecord')
  return rows.map(({ changeCode, kind, fact }) => {
    if (seesAccounts || kind !== 'account') return { changeCode, fact }
    return { changeCode, fact: recorded.includes(sha256(fact)) ? null : '' }
  })
}

type Account = { bankName: string; bankAccount: string; salt: string }
type Agreed = { digests: Digests; firstHash: string | undefined; isConfirmed: boolean }

/** Null where the account is the one that was named, else one of no hash: the check that the platform makes for whoever may not see it. */
function hiddenAccount({ bankName, bankAccount, salt }: Account, { digests, firstHash, isConfirmed }: Agreed) {
  const named = digestsOf(digests, 'account').at(-1)
  const account = [...(named === undefined ? [firstHash] : []), bankName, bankAccount, ...(salt === '' ? [] : [salt])]
  const fits = sha256(JSON.stringify(account)) === (named ?? digestsOf(digests, 'confirm').at(-1))
  return fits || !isConfirmed ? null : { bankName: '', bankAccount: '', salt: '' }
}

const versionsOf = (db: Read, contractId: number) =>
  db.selectFrom('contractVersion as v').where('contractId', '=', contractId).orderBy('revision')

const listVersions = (db: Read, contractId: number) =>
  versionsOf(db, contractId)
    .select(['revision', 'text', 'textEn', sql<string>`contract_version_text(v)`.as('fact')])
    .execute()

/** What there is of versions, without their texts. */
export const findVersionHeads = (db: Read, contractId: number) =>
  versionsOf(db, contractId).select(['revision', 'fromDay', 'textHash']).execute()

/** Reads versions one by one. They are only ever added, so those that were listed are there. */
export async function* readVersions(
  db: Read,
  contractId: number,
  heads: readonly { revision: number }[],
): AsyncGenerator<ContractRecord['versions'][number]> {
  for (const { revision } of heads)
    yield await versionsOf(db, contractId)
      .where('revision', '=', revision)
      .select(['revision', 'text', 'textEn', sql<string>`contract_version_text(v)`.as('fact')])
      .executeTakeFirstOrThrow()
}

const findFirstHash = async (db: Read, contractId: number): Promise<string | undefined> =>
  (await versionsOf(db, contractId).limit(1).select('textHash').executeTakeFirst())?.textHash

/** The newest head of the chain with its way to the root that the audit log holds of that night. */
async function findNewestHead(db: Read, contractId: number): Promise<RecordedHead | null> {
  const head = await db
    .selectFrom('contractHead')
    .where('contractId', '=', contractId)
    .orderBy('seq', 'desc')
    .limit(1)
    .select(['day', 'contractId', 'seq', 'hash'])
    .executeTakeFirst()
  if (!head) return null
  const heads = await findHeads(db, head.day)
  return { ...head, path: merklePath(heads, contractId, sha256), root: (await findRoot(db, head.day))?.root ?? '' }
}
