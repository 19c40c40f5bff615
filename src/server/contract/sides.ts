import { dayOf } from '#shared/calendar.ts'
import { isStanding, liveContracts, mayNameSigners, scanState } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import type { Tx } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import { claimFiles } from '../upload/claim.ts'
import {
  findAdministrators,
  findPersonsOf,
  insertEvent,
  lockContract,
  nameOfSide,
  otherSide,
  notifyPeople,
  notifySide,
  signersOf,
  standingOf,
  type Locked,
  type Named,
} from './events.ts'
import { mayBeNamed } from './scope.ts'
import { sha256 } from './text.ts'

/** `before`: who was named where the person looked. */
type Naming = { id: number; persons: readonly Named[]; before: readonly Named[] }

/**
 * Names the people of the own side; refuses `changed` where a colleague named others since the person looked. The other side is told, and it stands
 * in the chain; of other signers the administrators of the own side are told as well, and everybody who was or is named. Where the side has signers,
 * only one of them or an administrator changes them.
 */
export async function namePersons(deed: Deed, { id, persons, before: seen }: Naming): Promise<void> {
  const { db, actor } = deed
  const found = await lockContract(deed, id)
  const { side } = found
  if (!isAmong(found.status, liveContracts)) throw new Refusal('contract_changed')
  const ids = [...new Set(persons.map(({ accountId }) => accountId))]
  const known = await db
    .selectFrom('account')
    .where('id', 'in', ids.length > 0 ? ids : [0])
    .where(mayBeNamed(actor, found))
    // Whoever removes one of them waits, and then finds what they are named for.
    .orderBy('id')
    .forShare()
    .select('id')
    .execute()
  const problems = persons.flatMap(({ accountId }, index) =>
    known.some((one) => one.id === accountId) ? [] : [{ path: ['persons', index, 'accountId'], rule: 'person_unknown' }],
  )
  if (problems.length > 0) throw new FieldRefusal(problems)
  const before = await findPersonsOf(db, found)
  if (!isSameNaming(before, seen)) throw new Refusal('changed')
  if (!isSameGroup(signersOf(before), signersOf(persons)) && !mayNameSigners(actor, signersOf(before)))
    throw new Refusal('contract_signers_named')
  await db.deleteFrom('contractPerson').where('contractId', '=', id).where('side', '=', side).execute()
  if (persons.length > 0)
    await db
      .insertInto('contractPerson')
      .values(persons.map((person) => ({ ...person, contractId: id, side })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  await recordNaming(deed, found, before)
}

/** Writes who is named for the own side into the chain, and tells the other side; of other signers the own side too. `before`: who was named. */
export async function recordNaming(deed: Deed, found: Locked, before: readonly Named[]): Promise<void> {
  const { db, actor } = deed
  const { id, side } = found
  const persons = await findPersonsOf(db, found)
  await insertEvent(deed, { contractId: id, accountId: actor.accountId, side, move: 'persons', note: JSON.stringify(persons) })
  // Before the lessor has seen the contract there is nobody to tell.
  if (side === 'lessor' || found.sentAt !== null)
    await notifySide(deed, found, {
      to: otherSide(side),
      kind: 'contractPersons',
      params: { company: await nameOfSide(db, found, side) },
      link: paths.contract(id, 'people'),
    })
  if (isSameGroup(signersOf(before), signersOf(persons))) return
  const named = [...before, ...persons].map(({ accountId }) => accountId)
  const names = await db
    .selectFrom('account')
    .where('id', 'in', [actor.accountId, ...named])
    .select(['id', 'name'])
    .execute()
  const nameOf = (accountId: number) => names.find((one) => one.id === accountId)?.name ?? ''
  await notifyPeople(deed, found, {
    to: [...named, ...(await findAdministrators(db, found))].filter((accountId) => accountId !== actor.accountId),
    kind: 'contractOwnPersons',
    params: { who: nameOf(actor.accountId), signers: signersOf(persons).map(nameOf).join('、') },
    link: paths.contract(id, 'people'),
  })
}

const isSameNaming = (a: readonly Named[], b: readonly Named[]) => namingKey(a) === namingKey(b)

const namingKey = (persons: readonly Named[]) =>
  [...new Set(persons.map(({ task, accountId }) => `${task} ${accountId}`))].toSorted().join()

const isSameGroup = (a: readonly number[], b: readonly number[]) =>
  new Set([...a, ...b]).size === new Set(a).size && new Set(a).size === new Set(b).size

/** Hands in the scan of the sealed paper; the other side compares it. A new scan takes the place of one that was not found the same. */
export async function uploadScan(deed: Deed, { id, fileIds }: { id: number; fileIds: readonly string[] }): Promise<void> {
  const { db, actor, now } = deed
  const found = await lockContract(deed, id)
  if (!isStanding(await standingOf(db, found), dayOf(now)) || found.scanState === scanState.matched) throw new Refusal('contract_changed')
  const wanted = [...new Set(fileIds)]
  await claimPapers(deed, { contractId: id, fileIds: wanted, replaces: 'scan' })
  await db.deleteFrom('contractFile').where('contractId', '=', id).where('kind', '=', 'scan').execute()
  await db
    .insertInto('contractFile')
    .values(wanted.map((fileId, orderNum) => ({ contractId: id, kind: 'scan' as const, fileId, orderNum })))
    .execute()
  await db
    .updateTable('contract')
    .set({ scanState: scanState.uploaded, scanBy: found.side, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, {
    contractId: id,
    accountId: actor.accountId,
    side: found.side,
    move: 'scan',
    digest: sha256(JSON.stringify(await hashesOf(db, wanted))),
    note: JSON.stringify(wanted),
  })
  const params = { company: await nameOfSide(db, found, found.side) }
  await notifySide(deed, found, { to: otherSide(found.side), kind: 'contractScanned', params, link: paths.contract(id, 'people') })
}

type Papers = { contractId: number; fileIds: readonly string[]; replaces?: 'scan' }

/** Claims papers for a contract. Refuses files that are not the person's own, are no papers, or stand for something else in the contract already. */
export async function claimPapers(deed: Deed, { contractId, fileIds, replaces }: Papers): Promise<void> {
  const claimed = await claimFiles(deed, 'contract', fileIds)
  const attached = await deed.db.selectFrom('contractFile').where('contractId', '=', contractId).select(['fileId', 'kind']).execute()
  const isTaken = (file: string) => attached.some(({ fileId, kind }) => fileId === file && kind !== replaces)
  if (fileIds.some((file) => !isPaper(claimed.get(file)) || isTaken(file)))
    throw new FieldRefusal([{ path: ['fileIds'], rule: 'file_unknown' }])
}

/** Whether a file of this media type may stand for a paper. */
const isPaper = (mime: string | undefined): boolean => ['application/pdf', 'image/jpeg', 'image/png'].includes(mime ?? '')

/** SHA-256 of each file in hex, in the order given: what the event of a scan or a notice holds the hash of. */
export async function hashesOf(db: Tx, fileIds: readonly string[]): Promise<string[]> {
  if (fileIds.length === 0) return []
  const files = await db.selectFrom('file').where('id', 'in', fileIds).select(['id', 'sha256']).execute()
  return fileIds.map((fileId) => files.find(({ id }) => id === fileId)?.sha256.toString('hex') ?? '')
}

type Comparison = { id: number; agrees: boolean; reason: string; fileIds: readonly string[] }

/** The other side says whether the scan is what was confirmed. It names the files it compared, because they may be replaced until its answer. */
export async function matchScan(deed: Deed, { id, agrees, reason, fileIds }: Comparison): Promise<void> {
  const { db, actor, now } = deed
  const found = await lockContract(deed, id)
  if (!isStanding(await standingOf(db, found), dayOf(now)) || found.scanState !== scanState.uploaded || found.scanBy === found.side)
    throw new Refusal('contract_changed')
  const attached = await findScanIds(db, id)
  if (attached.toSorted().join() !== fileIds.toSorted().join()) throw new Refusal('contract_changed')
  await db
    .updateTable('contract')
    .set({ scanState: agrees ? scanState.matched : scanState.none, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertEvent(deed, {
    contractId: id,
    accountId: actor.accountId,
    side: found.side,
    move: agrees ? 'matchScan' : 'refuseScan',
    // As the event of the scan itself has it, so the chain says which one was compared.
    digest: sha256(JSON.stringify(await hashesOf(db, attached))),
    note: reason,
  })
  const params = { company: await nameOfSide(db, found, found.side), reason }
  const kind = agrees ? 'contractScanMatched' : 'contractScanRefused'
  await notifySide(deed, found, { to: otherSide(found.side), kind, params, link: paths.contract(id, 'people') })
}

/** The files of the scan that is attached, in their order. */
export async function findScanIds(db: Tx, contractId: number): Promise<string[]> {
  const files = await db
    .selectFrom('contractFile')
    .where('contractId', '=', contractId)
    .where('kind', '=', 'scan')
    .orderBy('orderNum')
    .select('fileId')
    .execute()
  return files.map(({ fileId }) => fileId)
}
