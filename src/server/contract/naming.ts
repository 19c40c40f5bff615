import { dayOf } from '#shared/calendar.ts'
import { isStanding, liveContracts, mayNameSigners, otherSide } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { inDept, paths } from '#shared/paths.ts'
import type { Deed } from '../deed.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import {
  findAdministrators,
  findPersonsOf,
  insertStep,
  lockContract,
  nameOfSide,
  notifyPeople,
  notifySide,
  signersOf,
  standingOf,
  type Locked,
  type Named,
} from './events.ts'
import { mayBeNamed } from './scope.ts'

/** `before`: who was named where the person looked. */
type Naming = { id: number; persons: readonly Named[]; before: readonly Named[] }

/**
 * Names the people of the own side; refuses `changed` where a colleague named others since the person looked. The other side is told, and it stands
 * in the chain; of other signers the administrators of the own side are told as well, and everybody who was or is named. Where the side has signers,
 * only one of them or an administrator changes them.
 */
export async function namePersons(deed: Deed, { id, persons, before: seen }: Naming): Promise<void> {
  const { db, actor, now } = deed
  const found = await lockContract(deed, id)
  const { side } = found
  // Of one that ended early both sides still give notice and confirm an account until its last day (decision 62).
  if (!isAmong(found.status, liveContracts) && !isStanding(await standingOf(db, found), dayOf(now))) throw new Refusal('contract_changed')
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
  await insertStep(deed, found, { move: 'persons', note: JSON.stringify(persons) })
  // Before the lessor has seen the contract there is nobody to tell.
  if (side === 'lessor' || found.sentAt !== null)
    await notifySide(deed, found, {
      to: otherSide(side),
      kind: 'contractPersons',
      params: { company: await nameOfSide(db, found, side) },
      link: paths.contract(id, 'people'),
    })
  const address = paths.contract(id, 'people')
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
    link: side === 'lessee' ? inDept(address, found.deptId) : address,
  })
}

const isSameNaming = (a: readonly Named[], b: readonly Named[]) => namingKey(a) === namingKey(b)

const namingKey = (persons: readonly Named[]) =>
  [...new Set(persons.map(({ task, accountId }) => `${task} ${accountId}`))].toSorted().join()

const isSameGroup = (a: readonly number[], b: readonly number[]) =>
  new Set([...a, ...b]).size === new Set(a).size && new Set(a).size === new Set(b).size
