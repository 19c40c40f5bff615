import { sql } from 'kysely'
import { accountStatus, userType } from '#shared/account/rules.ts'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import {
  canMoveContract,
  contractMoves,
  contractStatus,
  recordLimits,
  uncountedSteps,
  type ContractMove,
  type ContractSide,
  type ContractStep,
  type ContractTask,
  type Standing,
} from '#shared/contract/rules.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import { lastDay } from '../contract-status/standing.ts'
import type { Tx } from '../db/connect.ts'
import type { Deed } from '../deed.ts'
import { findApprovers, isApproved } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { sendMessages, type Outgoing, type Sending } from '../message/queries.ts'
import { approvalNow, mayDo, seenBy, sideOf, unitNeedsScan } from './scope.ts'

type Event = {
  contractId: number
  accountId: number | null
  side: ContractSide | null
  move: ContractStep
  refKind?: string
  refId?: number
  fromStatus?: string
  toStatus?: string
  /** SHA-256 of what the event is about, open to both sides. */
  digest?: string
  note?: string
}

/** The trigger of the table gives the event its place in the chain. Refuses a step of a side that has taken as many as it may; the contract is locked. */
export async function insertEvent({ db, now }: { db: Tx; now: Date }, event: Event): Promise<void> {
  if (event.accountId !== null && event.side !== null && !uncountedSteps.includes(event.move))
    await refuseFull({ db, now }, { ...event, side: event.side })
  await db
    .insertInto('contractEvent')
    .values({ note: '', ...event, at: now })
    .execute()
}

/** Writes a step that this person takes for their side. */
export const insertStep = (
  deed: Deed,
  { id, side }: Pick<Locked, 'id' | 'side'>,
  step: Omit<Event, 'contractId' | 'accountId' | 'side'>,
): Promise<void> => insertEvent(deed, { contractId: id, accountId: deed.actor.accountId, side, ...step })

async function refuseFull(
  { db, now }: { db: Tx; now: Date },
  { contractId, side }: { contractId: number; side: ContractSide },
): Promise<void> {
  const today = startOfDay(dayOf(now))
  const { steps, stepsToday } = await db
    .selectFrom('contractEvent')
    .where('contractId', '=', contractId)
    .where('side', '=', side)
    .where('accountId', 'is not', null)
    .where('move', 'not in', uncountedSteps)
    .select([sql<number>`count(*)::int`.as('steps'), sql<number>`(count(*) filter (where at >= ${today}))::int`.as('stepsToday')])
    .executeTakeFirstOrThrow()
  if (steps >= recordLimits.steps) throw new Refusal('record_full')
  if (stepsToday >= recordLimits.stepsADay) throw new Refusal('record_day')
}

/** Locks a contract that the person sees until the transaction ends. Refuses `not_found` for any other and for the platform's people. */
export async function lockContract(deed: Pick<Deed, 'db' | 'actor' | 'now'>, id: number) {
  const { db, actor } = deed
  const side = sideOf(actor)
  if (!side) throw new Refusal('forbidden')
  const contract = await db
    .selectFrom('contract')
    .where('id', '=', id)
    .where(seenBy(deed))
    .select([
      'id',
      'contractCode',
      'title',
      'source',
      'status',
      approvalNow.as('approval'),
      'approvalAskedBy',
      'awardId',
      'demandId',
      'deptId',
      'provinceId',
      'lessorCompanyId',
      'lesseeCompanyId',
      'revision',
      'version',
      'textHash',
      'amountFen',
      'text',
      'textEn',
      'clauses',
      'scaleLessee',
      'scaleLessor',
      'smeRule',
      'lprBp',
      'scanState',
      'scanBy',
      'scanRevision',
      'planStart',
      'planEnd',
      'sentAt',
      'returnedAt',
      'recalledAt',
      unitNeedsScan.as('unitNeedsScan'),
    ])
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  return { ...contract, side }
}
export type Locked = Awaited<ReturnType<typeof lockContract>>

/** What `isStanding` and `canChange` ask of a contract. */
export async function standingOf(db: Tx, { id, status }: Pick<Locked, 'id' | 'status'>): Promise<Standing> {
  if (status !== contractStatus.terminated) return { status, lastDay: null }
  return { status, ...(await db.selectFrom('contract').where('id', '=', id).select(lastDay.as('lastDay')).executeTakeFirstOrThrow()) }
}

/** Locks the contract for a move that its side may make now. Refuses `contract_changed` where the move is not possible any more. */
export async function lockFor(deed: Deed, id: number, move: ContractMove): Promise<Locked> {
  const found = await lockContract(deed, id)
  const needsApproval = move === 'send' && !(await isApproved(deed.db, deed.actor, found.deptId, 'approves_contracts'))
  const facts = { status: found.status, approval: found.approval, needsApproval }
  if (!contractMoves[move].by.some((side) => side === found.side)) throw new Refusal('forbidden')
  if (canMoveContract(facts, move, found.side)) return found
  throw new Refusal(needsApproval && found.status === contractStatus.draft ? 'contract_approval' : 'contract_changed')
}

/** Refuses `contract_not_signer` for whoever is not among those whom their side named to sign; where it named nobody, everybody signs. */
export async function refuseNonSigner(db: Tx, actor: Deed['actor'], { id, side }: Pick<Locked, 'id' | 'side'>): Promise<void> {
  if (!(await mayDo(db, id, { actor, side, task: 'signer' }))) throw new Refusal('contract_not_signer')
}

type NotifiedContract = { id: number; deptId: number; lessorCompanyId: number; title: string; contractCode: string }
type News = { to: ContractSide; kind: MessageKind; params?: Record<string, string>; link?: string }

/** Tells everybody of one side; the people of the lessee are those of the department, and of the units above those who are named. */
export async function notifySide(work: Sending, contract: NotifiedContract, { to, ...news }: News): Promise<void> {
  const { id, deptId, lessorCompanyId } = contract
  await sendNews(work, contract, {
    ...news,
    to: to === 'lessee' ? { dept: deptId, named: await findNamed(work.db, id) } : { companies: [lessorCompanyId] },
  })
}

/** Tells these people of a side. */
export const notifyPeople = (
  work: Sending,
  contract: NotifiedContract,
  { to, ...news }: Omit<News, 'to'> & { to: readonly number[] },
): Promise<void> => sendNews(work, contract, { ...news, to: { accounts: to } })

async function sendNews(
  work: Sending,
  contract: NotifiedContract,
  { to, kind, params = {}, link }: Omit<News, 'to'> & { to: Outgoing['to'] },
): Promise<void> {
  await sendMessages(work, {
    to,
    kind,
    params: { title: contract.title, code: contract.contractCode, ...params },
    bizType: 'contract',
    bizId: contract.id,
    link: link ?? paths.contract(contract.id),
  })
}

/** The administrators of a side: of the lessor's company, or of the department and the units above it. */
export async function findAdministrators(
  db: Tx,
  { side, deptId, lessorCompanyId }: { side: ContractSide; deptId: number; lessorCompanyId: number },
): Promise<number[]> {
  const administrators = db
    .selectFrom('account')
    .where('isAdmin', '=', true)
    .where('status', '=', accountStatus.active)
    .where('delFlag', '=', delFlag.present)
  const rows = await (
    side === 'lessor'
      ? administrators.where('companyId', '=', lessorCompanyId).where('userType', '=', userType.lessor)
      : administrators
          .where('userType', 'in', [userType.lessee, userType.project])
          .where(sql<boolean>`dept_id in (select unnest(d.ancestors || d.id) from dept d where d.id = ${deptId})`)
  )
    .select('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Somebody whom a side has named for a task. */
export type Named = { task: ContractTask; accountId: number }

export const signersOf = (persons: readonly Named[]): number[] =>
  persons.filter(({ task }) => task === 'signer').map(({ accountId }) => accountId)

/** Whom a side has named for its tasks. */
export const findPersonsOf = (db: Tx, { id, side }: { id: number; side: ContractSide }): Promise<Named[]> =>
  db
    .selectFrom('contractPerson')
    .where('contractId', '=', id)
    .where('side', '=', side)
    .orderBy('task')
    .orderBy('accountId')
    .select(['task', 'accountId'])
    .execute()

/** Whom the lessee has named for any task. */
const findNamed = async (db: Tx, contractId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('contractPerson')
      .where('contractId', '=', contractId)
      .where('side', '=', 'lessee')
      .select('accountId')
      .distinct()
      .execute()
  ).map(({ accountId }) => accountId)

/** Asks those who may approve contracts of the department, apart from whoever asks; about the contract itself unless `news` says about what. */
export async function notifyContractApprovers(
  deed: Deed,
  contract: NotifiedContract,
  news: Omit<News, 'to'> = { kind: 'contractSubmitted' },
): Promise<void> {
  const approvers = await findApprovers(deed.db, contract.deptId, 'approves_contracts')
  await notifyPeople(deed, contract, { ...news, to: approvers.filter((id) => id !== deed.actor.accountId) })
}

type Searched = { title: string; contractCode: string; externalNo?: string; lesseeName: string; lessorName: string }

/** The words that a contract is found by. */
export const searchTextOf = ({ title, contractCode, externalNo = '', lesseeName, lessorName }: Searched): string =>
  [title, contractCode, externalNo, lesseeName, lessorName].filter(Boolean).join(' ')

/** The names of both companies. */
export const namesOfSides = async (db: Tx, contract: Parameters<typeof nameOfSide>[1]) => ({
  lesseeName: await nameOfSide(db, contract, 'lessee'),
  lessorName: await nameOfSide(db, contract, 'lessor'),
})

/** The name of the company of a side. */
export async function nameOfSide(
  db: Tx,
  contract: { lesseeCompanyId: number; lessorCompanyId: number },
  side: ContractSide,
): Promise<string> {
  const id = side === 'lessee' ? contract.lesseeCompanyId : contract.lessorCompanyId
  const { enterpriseName } = await db.selectFrom('company').where('id', '=', id).select('enterpriseName').executeTakeFirstOrThrow()
  return enterpriseName
}
