import type { Updateable } from 'kysely'
import { dayOf, toMinute, toMoment } from '#shared/calendar.ts'
import { clauseProblems, scaleProblems } from '#shared/contract/clauses.ts'
import type * as contract from '#shared/contract/moves.ts'
import type { SigningInput } from '#shared/contract/moves.ts'
import {
  canRecall,
  contractApproval,
  contractMoves,
  contractSides,
  contractSource,
  contractStatus,
  type ContractStatus,
  type ContractStep,
  isStanding,
  lapseOf,
  needsScan,
} from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Received } from '#shared/endpoint.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { yesNo } from '#shared/rules.ts'
import { lprOn } from '#shared/setting/lpr.ts'
import { redeemSmsCode, sendSmsCode } from '../account/codes.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import type { Tx } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { nextVersion } from '../db/version.ts'
import { transact, type Context, type Deed } from '../deed.ts'
import { isApproved, mayApprove } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { mayLet } from '../public-lessors.ts'
import { findSetting } from '../setting/queries.ts'
import { bookDirect, recheckDirect } from './direct.ts'
import { adoptCertifiedScale, findNewScale } from './edit.ts'
import {
  insertStep,
  lockContract,
  lockFor,
  nameOfSide,
  refuseNonSigner,
  notifyContractApprovers,
  notifySide,
  standingOf,
  type Locked,
} from './events.ts'
import { lapseAward, putOff } from './lapse.ts'
import { isBarredOn, isSentByRevoked, seenBy } from './scope.ts'
import { makeSalt, sha256 } from './digest.ts'
import { findPositions, frozenText } from './text.ts'
import { storeVersion } from './versions.ts'

/** Asks the unit above, where that approves contracts. */
export async function askApproval(deed: Deed, id: number): Promise<void> {
  const { db, actor, now } = deed
  const found = await lockFor(deed, id, 'edit')
  // What was approved stays so until the draft is changed.
  if (found.approval === contractApproval.passed || (await isApproved(db, actor, found.deptId, 'approves_contracts')))
    throw new Refusal('contract_changed')
  await refuseUnlawful(deed, found)
  await db
    .updateTable('contract')
    .set({ approval: contractApproval.waiting, approvalAskedBy: actor.accountId, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertMove(deed, found, { move: 'ask' })
  await notifyContractApprovers(deed, found)
}

type Decision = { id: number; version: number; reason: string | null }

/** The unit above decides on the draft that it has read. Whoever asked cannot decide. */
export async function decideApproval(deed: Deed, { id, version, reason }: Decision): Promise<void> {
  const { db, actor, now } = deed
  const found = await lockContract(deed, id)
  if (!(await mayApprove(db, actor, found.deptId, 'approves_contracts')) || found.approvalAskedBy === actor.accountId)
    throw new Refusal('forbidden')
  if (found.status !== contractStatus.draft || found.approval !== contractApproval.waiting) throw new Refusal('contract_changed')
  // A colleague may have sent it back, and it was changed and submitted again.
  if (found.version !== version) throw new Refusal('changed')
  const approval = reason === null ? contractApproval.passed : contractApproval.returned
  await db.updateTable('contract').set({ approval, updateTime: now, version: nextVersion }).where('id', '=', id).execute()
  await insertMove(deed, found, { move: reason === null ? 'approve' : 'reject', note: reason ?? '' })
  await notifySide(deed, found, {
    to: 'lessee',
    kind: reason === null ? 'contractApproved' : 'contractRejected',
    params: { reason: reason ?? '' },
  })
}

/** Sends a code for signing to the own phone of whoever may sign. It names what is signed, and signs nothing else. */
export async function sendSignCode(context: Context, { id, signing }: { id: number; signing: SigningInput }): Promise<void> {
  if (signing.purpose === 'send') await adoptCertifiedScale(context, id)
  const { phonenumber, title } = await transact(context, { now: context.now }, async (work) => {
    const found = await lockContract({ ...work, actor: context.actor }, id)
    const isPossible =
      signing.purpose === 'account'
        ? isStanding(await standingOf(work.db, found), dayOf(context.now))
        : isAmong(found.status, contractMoves[signing.purpose].from)
    if (!isPossible) throw new Refusal('contract_changed')
    await refuseNonSigner(work.db, context.actor, found)
    if (signing.purpose === 'confirm') await refuseBarred(work, found)
    return { phonenumber: await phoneOf(work.db, context.actor.accountId), title: titleOf(found, signing) }
  })
  await sendSmsCode(context, { phonenumber, type: 'sign', signing: { place: String(id), about: aboutOf(id, signing), title } })
}

/** Short, because a provider takes few letters: a bank account by its last digits. */
const titleOf = ({ contractCode }: Locked, signing: SigningInput): string =>
  zhCn.contract.pages.signs[signing.purpose](contractCode, signing.purpose === 'send' ? '' : signing.bankAccount.slice(-4))

function aboutOf(id: number, signing: SigningInput): string {
  const text = signing.purpose === 'account' ? [] : [signing.textHash]
  const account = signing.purpose === 'send' ? [] : [signing.bankName, signing.bankAccount]
  return JSON.stringify([id, signing.purpose, ...text, ...account])
}

type Sending = { id: number; textHash: string }

/** Sends a draft with a code. A wrong code stays counted, so it is tried before the transaction. */
export async function sendContract(context: Context, { smsCode, ...sending }: Sending & { smsCode: string }): Promise<void> {
  await refuseUnseen(context, sending.id, 'send')
  await adoptCertifiedScale(context, sending.id)
  await trySignCode(context, { id: sending.id, code: smsCode, signing: { purpose: 'send', textHash: sending.textHash } })
  await transact(context, { now: context.now }, (work) => freezeAndSend({ ...work, actor: context.actor }, sending))
}

/** Freezes the text and sends it; sending is the lessee's confirmation. */
export async function freezeAndSend(deed: Deed, { id, textHash }: Sending): Promise<void> {
  const { db, now, actor } = deed
  const found = await lockFor(deed, id, 'send')
  await refuseNonSigner(db, actor, found)
  if ((await findNewScale(db, found)) !== null) throw new Refusal('contract_text_changed')
  await refuseUnlawful(deed, found)
  if (found.source === contractSource.direct) await recheckDirect(deed, found)
  const binding = await frozenText(db, id)
  if (binding.textHash !== textHash) throw new Refusal('contract_text_changed')
  const { to } = contractMoves.send
  // Whoever approves may send what waits for them or was sent back. A draft that returns to the project is then submitted anew, and waits for nobody.
  const approval = found.approval === contractApproval.passed ? contractApproval.passed : contractApproval.none
  await db
    .updateTable('contract')
    .set({ status: to, ...binding, approval, sentAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  await insertMove(deed, found, { move: 'send', to, digest: textHash })
  const due = await dueOf(db, { ...found, status: to, sentAt: toMoment(now) })
  await notifySide(deed, found, {
    to: 'lessor',
    kind: 'contractToConfirm',
    params: { company: await nameOfSide(db, found, 'lessee'), due },
  })
}

/** Takes a sent contract back, as long as the lessor has not confirmed it. */
export async function recallContract(deed: Deed, id: number): Promise<void> {
  await lockDemandOf(deed, id)
  const found = await lockFor(deed, id, 'recall')
  const award = await findDue(deed.db, found)
  if (award && !canRecall(award, deed.now)) throw new Refusal('contract_recall_late')
  await setStatus(deed, found, { move: 'recall', values: { ...unfrozen, recalledAt: deed.now } })
  // It lay sent when the lessee gave more time, and now its lessor has to wait longer as well.
  const mayLeave = Boolean(award?.dueMovedAt)
  if (mayLeave && found.demandId !== null) await putOff(deed, { demandId: found.demandId, companyIds: [found.lessorCompanyId] })
  const params = { company: await nameOfSide(deed.db, found, 'lessee'), mayLeave: mayLeave ? yesNo.yes : '' }
  await notifySide(deed, found, { to: 'lessor', kind: 'contractRecalled', params })
}

/** Locks the demand behind a contract. It is locked before its contracts, in the order of the clock and of a lessor who gives up. */
async function lockDemandOf({ db }: Deed, id: number): Promise<void> {
  await db
    .selectFrom('demand')
    .where('id', '=', (eb) => eb.selectFrom('contract').where('id', '=', id).select('demandId'))
    .select('id')
    .forNoKeyUpdate()
    .execute()
}

/** When the contracts of the award behind a contract are due, and whether that was moved; undefined where none stands behind it. */
const findDue = (db: Tx, { awardId }: Locked) =>
  db
    .selectFrom('award')
    .where('id', '=', awardId ?? 0)
    .select(['contractDue', 'dueMovedAt', 'at as awardedAt'])
    .executeTakeFirst()

/** The minute until which the side whose turn it is must act. Empty where no award stands behind the contract, or one that never lapses. */
async function dueOf(db: Tx, contract: Locked): Promise<string> {
  const award = await findDue(db, contract)
  const lapse = award && lapseOf({ ...contract, ...award })
  return lapse ? toMinute(lapse.at) : ''
}

type Returning = { id: number } & Received<typeof contract.returnContract>['body']

/** The lessor sends the contract back with comments, by clause where there are such. */
export async function returnContract(deed: Deed, { id, comment, clauses, textHash }: Returning): Promise<void> {
  const found = await lockFor(deed, id, 'return')
  if (textHash !== undefined && found.textHash !== textHash) throw new Refusal('contract_text_changed')
  const note = JSON.stringify({ comment, clauses })
  await setStatus(deed, found, { move: 'return', values: { ...unfrozen, returnedAt: deed.now }, note, digest: sha256(note) })
  const due = await dueOf(deed.db, { ...found, status: contractMoves.return.to, returnedAt: toMoment(deed.now) })
  const params = { company: await nameOfSide(deed.db, found, 'lessor'), reason: comment, due }
  await notifySide(deed, found, { to: 'lessee', kind: 'contractReturned', params })
}

type Confirming = { id: number } & Received<typeof contract.confirmContract>['body']

/** Confirms a sent contract with a code, which is tried before the transaction. */
export async function confirmContract(context: Context, { smsCode, ...confirming }: Confirming): Promise<void> {
  await refuseUnseen(context, confirming.id, 'confirm')
  const { id, ...signed } = confirming
  await trySignCode(context, { id, code: smsCode, signing: { purpose: 'confirm', ...signed } })
  await transact(context, { now: context.now }, (work) => putInForce({ ...work, actor: context.actor }, confirming))
}

/** The lessor confirms the text that was sent: the contract is in force, its first version is stored for good. */
export async function putInForce(deed: Deed, { id, textHash, bankName, bankAccount }: Omit<Confirming, 'smsCode'>): Promise<void> {
  const { db, now, actor } = deed
  const found = await lockFor(deed, id, 'confirm')
  await refuseNonSigner(db, actor, found)
  if (found.textHash !== textHash) throw new Refusal('contract_text_changed')
  // The law counts by the day on which the contract comes about, and the rate may have risen since it was sent.
  await refuseUnlawful(deed, found)
  await lockCompanies(db, found)
  await refuseBarred(deed, found)
  if (found.source === contractSource.direct) await bookDirect(deed, found)
  const lines = await findPositions(db, id)
  if (!(await areBooked(db, lines))) throw new Refusal('contract_machine_gone')
  const { currentLprBp: lprBp } = await clauseFacts(deed, found)
  const accountSalt = makeSalt()
  const { to } = contractMoves.confirm
  await db
    .updateTable('contract')
    .set({ status: to, bankName, bankAccount, accountSalt, lprBp, confirmedAt: now, updateTime: now, version: nextVersion })
    .where('id', '=', id)
    .execute()
  const digest = sha256(JSON.stringify([textHash, bankName, bankAccount, accountSalt]))
  await insertMove(deed, found, { move: 'confirm', to, digest })
  await storeVersion(deed, {
    contractId: id,
    revision: found.revision,
    // Before the hire begins it may be amended from today on.
    fromDay: [found.planStart, dayOf(now)].toSorted()[0] ?? found.planStart,
    clauses: found.clauses,
    lines,
    text: found.text,
    textHash,
    textEn: found.textEn || null,
  })
  const params = { noScan: needsScan(found, found.unitNeedsScan) ? '' : yesNo.yes }
  for (const side of contractSides) await notifySide(deed, found, { to: side, kind: 'contractInForce', params })
}

type Voiding = { id: number } & Received<typeof contract.voidContract>['body']

/** The lessee gives a draft up: an award behind it lapses for this lessor, and the lessee is to blame. */
export async function voidContract(deed: Deed, { id, reason, version }: Voiding): Promise<void> {
  await lockDemandOf(deed, id)
  const found = await lockFor(deed, id, 'void')
  // A colleague may have sent it meanwhile.
  if (version !== undefined && found.version !== version) throw new Refusal('changed')
  const quote = await deed.db
    .selectFrom('quote')
    .where('demandId', '=', found.demandId ?? 0)
    .where('companyId', '=', found.lessorCompanyId)
    .where('status', '=', quoteStatus.won)
    .select('id')
    .executeTakeFirst()
  if (quote && found.demandId !== null) {
    const by = { accountId: deed.actor.accountId, side: found.side }
    await lapseAward(deed, { demandId: found.demandId, quoteId: quote.id, blame: 'lessee', reason, by })
    return
  }
  await setStatus(deed, found, { move: 'void', values: { endReason: reason, endedAt: deed.now }, note: reason })
  if (found.sentAt !== null) await notifySide(deed, found, { to: 'lessor', kind: 'contractVoided', params: { reason } })
}

type More = { to?: ContractStatus; digest?: string; note?: string }

const insertMove = (deed: Deed, found: Locked, { to, ...step }: More & { move: ContractStep }) =>
  insertStep(deed, found, { fromStatus: found.status, ...(to && { toStatus: to }), ...step })

/** The text of a draft follows its clauses and positions, also when it is given up later. */
const unfrozen = { text: '', textHash: null, textEn: '' }

type Move = { move: 'recall' | 'return' | 'void'; values: Updateable<DB['contract']> } & Pick<More, 'note' | 'digest'>

async function setStatus(deed: Deed, found: Locked, { move, values, ...more }: Move): Promise<void> {
  const { to } = contractMoves[move]
  await deed.db
    .updateTable('contract')
    .set({ ...values, status: to, updateTime: deed.now, version: nextVersion })
    .where('id', '=', found.id)
    .execute()
  await insertMove(deed, found, { move, to, ...more })
}

/** Refuses sizes that are not declared and clauses that the law forbids, with each beside its key. */
async function refuseUnlawful(deed: Deed, found: Locked): Promise<void> {
  const problems = [...scaleProblems(found), ...clauseProblems(found.clauses, await clauseFacts(deed, found))]
  if (problems.length > 0) throw new Refusal('contract_unlawful', { problems })
}

/** What its clauses are checked by. The prime rate is that of its confirmation, and today's as long as it is not confirmed. */
export async function clauseFacts(
  at: Pick<Context, 'db' | 'now'>,
  { smeRule, lprBp, planStart, planEnd }: Pick<Locked, 'smeRule' | 'lprBp' | 'planStart' | 'planEnd'>,
) {
  const currentLprBp = await findLpr(at)
  return { smeRule, lprBp: lprBp ?? currentLprBp, currentLprBp, planStart, planEnd }
}

/** The one-year loan prime rate of today, in basis points. */
const findLpr = async ({ db, now }: Pick<Context, 'db' | 'now'>): Promise<number> =>
  lprOn((await findSetting(db, 'lpr')).entries, dayOf(now))

/**
 * Makes whoever ends or restores the certification of a side at this moment wait, or waits for them. They wait for no contract, and lock the company before
 * its machines, as this does.
 */
const lockCompanies = (db: Tx, { lessorCompanyId, lesseeCompanyId }: Pick<Locked, 'lessorCompanyId' | 'lesseeCompanyId'>) =>
  db.selectFrom('company').where('id', 'in', [lessorCompanyId, lesseeCompanyId]).orderBy('id').forShare().select('id').execute()

/**
 * Refuses the confirmation of a sent contract. A lessor who may let nothing to anybody takes on no new one. A draft is sent to them all the same: their
 * time to confirm it begins, so the award lapses to their blame and not to the lessee's. With a lessee whose certification was revoked there is none either:
 * the lessor sends it back, and the award does not lapse to their blame. Nor is there one of a lessor or a machine that the unit of the lessee has barred;
 * that lapse is to nobody's blame.
 */
async function refuseBarred(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, lessorCompanyId }: Pick<Locked, 'id' | 'lessorCompanyId'>,
): Promise<void> {
  const lessor = await db.selectFrom('company').where('id', '=', lessorCompanyId).where(mayLet('company')).select('id').executeTakeFirst()
  if (!lessor) throw new Refusal('contract_lessor_barred')
  const { isRevoked, isBarred } = await db
    .selectFrom('contract')
    .where('id', '=', id)
    .select([isSentByRevoked.as('isRevoked'), isBarredOn(dayOf(now)).as('isBarred')])
    .executeTakeFirstOrThrow()
  if (isRevoked) throw new Refusal('contract_lessee_revoked')
  if (isBarred) throw new Refusal('contract_barred')
}

/** Whether every unit of every position is still booked for it. */
async function areBooked(db: Tx, lines: readonly { id: number; qty: number }[]): Promise<boolean> {
  const booked = await db
    .selectFrom('equipmentBooking')
    .where(
      'contractLineId',
      'in',
      lines.map(({ id }) => id),
    )
    .groupBy('contractLineId')
    .select(['contractLineId', (eb) => eb.fn.countAll<number>().as('n')])
    .execute()
  return lines.every(({ id, qty }) => booked.some(({ contractLineId, n }) => contractLineId === id && n >= qty))
}

async function phoneOf(db: Tx | Context['db'], accountId: number): Promise<string> {
  const { phonenumber } = await db.selectFrom('account').where('id', '=', accountId).select('phonenumber').executeTakeFirstOrThrow()
  if (!phonenumber) throw new Refusal('sms_failed')
  return phonenumber
}

/**
 * Refuses before a code is used up: `not_found` for a contract that the person does not see, `contract_changed` where the move is over, and what
 * `refuseBarred` does. Whoever repeats a call whose answer was lost has used the code up, and it was not wrong.
 */
export async function refuseUnseen(at: Pick<Context, 'db' | 'actor' | 'now'>, id: number, move?: 'send' | 'confirm'): Promise<void> {
  const seen = await at.db
    .selectFrom('contract')
    .where('id', '=', id)
    .where(seenBy(at))
    .select(['id', 'status', 'lessorCompanyId'])
    .executeTakeFirst()
  if (!seen) throw new Refusal('not_found')
  if (move && !isAmong(seen.status, contractMoves[move].from)) throw new Refusal('contract_changed')
  if (move === 'confirm') await refuseBarred(at, seen)
}

/** Uses up a code of whoever calls, which signs this and nothing else. */
export async function trySignCode(
  context: Context,
  { id, code, signing }: { id: number; code: string; signing: SigningInput },
): Promise<void> {
  const phonenumber = await phoneOf(context.db, context.actor.accountId)
  await redeemSmsCode(context, { type: 'sign', phonenumber, code, about: aboutOf(id, signing) })
}
