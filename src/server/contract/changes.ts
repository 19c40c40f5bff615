import { sql } from 'kysely'
import { dayOf, hourMs, startOfDay, toMinute } from '#shared/calendar.ts'
import { valuesBefore } from '#shared/contract/change-lines.ts'
import { amountUnder, bindsMore, changedQuantities, completedTerms, hiresMore, termProblems } from '#shared/contract/change-terms.ts'
import type { ChangeTerms, StoredChange } from '#shared/contract/changes.ts'
import { clauseProblems } from '#shared/contract/clauses.ts'
import {
  accountWaitHours,
  canChange,
  changesSum,
  changeStatus,
  confirmBy,
  contractApproval,
  type ContractSide,
  contractSides,
  openChanges,
  otherSide,
  recordLimits,
} from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { violates } from '../db/violations.ts'
import { transact, type Context, type Deed } from '../deed.ts'
import { isApproved } from '../demand/scope.ts'
import { FieldRefusal, Refusal } from '../http/refusal.ts'
import { checkAdded, namesOfAdded } from './added-positions.ts'
import { applyTerms, terminate } from './change-effect.ts'
import { lockProposer, refuseHindered } from './change-hindrances.ts'
import { insertChangeStep, lockChange, notifyOfAccount, notifyOfChange, settleChange } from './change-steps.ts'
import { lockContract, nameOfSide, notifyContractApprovers, refuseNonSigner, standingOf, type Locked } from './events.ts'
import { checkExtension } from './extension.ts'
import { completeDemand } from './lapse.ts'
import { clauseFacts, refuseUnseen, trySignCode } from './moves.ts'
import { findRatedPositions, findSince } from './rates.ts'
import { makeSalt } from './digest.ts'

type Proposal = { id: number; fromDay: string; reason: string; terms: ChangeTerms; smsCode?: string | undefined }

/** Writes an amendment and sends it. Another bank account needs a code, which is tried before the transaction. */
export async function proposeChange(context: Context, { smsCode, ...proposal }: Proposal): Promise<{ id: number; waits: boolean }> {
  await refuseUnseen(context, proposal.id)
  const { actor, now } = context
  const { id, terms } = proposal
  if (terms.kind === 'account') {
    const { bankName, bankAccount } = terms
    // A code is not used up, nor called wrong, where an earlier call has left its amendment open.
    if (await isAmended(context, id)) throw new Refusal('change_open')
    await trySignCode(context, { id, code: smsCode ?? '', signing: { purpose: 'account', bankName, bankAccount } })
  }
  return transact(context, { actor, now }, async (deed) => {
    const change = await insertChange(deed, proposal)
    await context.claimAnswer?.(deed.db, change)
    return change
  }).catch(refuseSecond)
}

async function isAmended({ db }: Context, contractId: number): Promise<boolean> {
  const open = db.selectFrom('contractChange').where('contractId', '=', contractId).where('status', 'in', openChanges)
  return (await open.select('id').executeTakeFirst()) !== undefined
}

export async function insertChange(
  deed: Deed,
  { id, fromDay, reason, terms: asked }: Omit<Proposal, 'smsCode'>,
): Promise<{ id: number; waits: boolean }> {
  const { db, now, actor } = deed
  const found = await lockContract(deed, id)
  if (!canChange(await standingOf(db, found), asked.kind, found.side, dayOf(now))) throw new Refusal('contract_changed')
  refuseUncertifiedActor(actor, asked)
  await refuseMany(deed, found)
  await refuseNonSigner(db, actor, found)
  const lines = await findRatedPositions(db, id)
  const terms = completedTerms(asked, { lines, clauses: found.clauses })
  refuseImpossible(terms, { fromDay, lines, clauses: found.clauses, today: dayOf(now), since: await findSince(db, id) })
  await checkExtension(deed, found, { terms, lines, fromDay })
  if (terms.kind === 'clause') {
    const problems = clauseProblems(terms.clauses, await clauseFacts(deed, found))
    if (problems.length > 0) throw new Refusal('contract_unlawful', { problems })
  }
  const added = await checkAdded(deed, found, { terms, lines })
  const quantities = changedQuantities(lines, terms, fromDay)
  const stored: StoredChange = {
    terms,
    before: valuesBefore(lines, terms),
    ...(quantities.length > 0 && { quantities }),
    clausesBefore: terms.kind === 'clause' ? found.clauses : null,
    amountBeforeFen: found.amountFen,
    ...(added.length > 0 && { added: namesOfAdded(added) }),
    amountAfterFen: changesSum(terms.kind) ? amountUnder(lines, terms, fromDay).amountFen : found.amountFen,
  }
  const waits = await needsApproval(deed, found, stored)
  const changeCode = await deed.codes.next('BC', now)
  const change = await db
    .insertInto('contractChange')
    .values({
      changeCode,
      contractId: id,
      kind: terms.kind,
      side: found.side,
      accountId: actor.accountId,
      fromDay,
      reason,
      input: JSON.stringify(stored),
      ...(terms.kind === 'account' && { accountSalt: makeSalt() }),
      ...(waits
        ? { status: changeStatus.draft, approval: contractApproval.waiting, approvalAskedBy: actor.accountId }
        : { status: changeStatus.sent, sentAt: now }),
      createTime: now,
    })
    .returning(['id', sql<string>`sha256_hex(contract_change_text(contract_change))`.as('textHash')])
    .executeTakeFirstOrThrow()
  await db.updateTable('contractChange').set({ textHash: change.textHash }).where('id', '=', change.id).execute()
  if (waits) await askUnit(deed, found, { id: change.id, changeCode })
  else await announceChange(deed, found, { ...change, changeCode, fromDay, reason, terms })
  return { id: change.id, waits }
}

type Sent = { id: number; textHash: string; changeCode: string; fromDay: string; reason: string; terms: ChangeTerms }

/** Writes an amendment that is sent into the chain, and tells the other side. */
export async function announceChange(deed: Deed, found: Locked, { id, textHash, changeCode, fromDay, reason, terms }: Sent): Promise<void> {
  await insertChangeStep(deed, found, { move: 'change', refId: id, digest: textHash, note: reason })
  const company = await nameOfSide(deed.db, found, found.side)
  const params = { company, change: changeCode, reason, kind: terms.kind, by: confirmBy(terms.kind, fromDay) ?? '' }
  const kind = terms.kind === 'account' ? 'contractAccountAsked' : 'contractChangeAsked'
  await notifyOfChange(deed, found, { to: otherSide(found.side), kind, params })
  if (terms.kind === 'account') await notifyOfAccount(deed, found, { kind: 'contractOwnAccountAsked', params })
}

/** Writes that the unit above is asked, and tells its administrators. */
export async function askUnit(deed: Deed, found: Locked, { id, changeCode }: { id: number; changeCode: string }): Promise<void> {
  await insertChangeStep(deed, found, { move: 'changeAsk', refId: id })
  const params = { change: changeCode, company: await nameOfSide(deed.db, found, found.side) }
  await notifyContractApprovers(deed, found, { kind: 'contractChangeSubmitted', params, link: paths.contract(found.id, 'changes') })
}

/** Whether this person of the lessee has to ask the unit above about an amendment. */
export const needsApproval = async (
  { db, actor }: { db: Read; actor: Actor },
  { side, deptId }: { side: ContractSide | null; deptId: number },
  change: StoredChange,
): Promise<boolean> => side === 'lessee' && bindsMore(change) && !(await isApproved(db, actor, deptId, 'approves_contracts'))

/** Refuses an amendment of a side that has proposed as many as it may; each in force stores the whole text anew. */
async function refuseMany({ db, now }: Deed, { id, side }: Locked): Promise<void> {
  const today = startOfDay(dayOf(now))
  const { changes, changesToday } = await db
    .selectFrom('contractChange')
    .where('contractId', '=', id)
    .where('side', '=', side)
    .select([
      sql<number>`count(*)::int`.as('changes'),
      sql<number>`(count(*) filter (where create_time >= ${today}))::int`.as('changesToday'),
    ])
    .executeTakeFirstOrThrow()
  if (changes >= recordLimits.changes || changesToday >= recordLimits.changesADay) throw new Refusal('change_limit')
}

/** Whoever makes no contracts, because their certification has run out, goes on with what was hired and hires or lets no more. */
function refuseUncertifiedActor(actor: Actor, terms: ChangeTerms): void {
  if (hiresMore(terms) && !actor.permissions.includes('contract:make')) throw new Refusal('not_certified')
}

/** The other side confirms: the amendment holds, and the contract has a new version. */
export async function confirmChange(deed: Deed, changeId: number): Promise<void> {
  const { db, now } = deed
  const { change, found } = await lockChange(deed, changeId, 'confirm')
  const { terms } = change.input
  await lockProposer(db, found, change)
  await refuseHindered(deed, found, change)
  if (change.approval !== contractApproval.passed && (await needsApproval(deed, found, change.input))) throw new Refusal('change_approval')
  const lines = await findRatedPositions(db, found.id)
  const since = await findSince(db, found.id)
  // Up to a week after its day it is confirmed as of that day; before its day a new end may come before that day, but not before today.
  const today = change.fromDay < dayOf(now) ? change.fromDay : dayOf(now)
  refuseImpossible(terms, { fromDay: change.fromDay, lines, clauses: found.clauses, today, since })
  const effectiveAt = terms.kind === 'account' ? new Date(now.getTime() + accountWaitHours * hourMs) : null
  await settleChange(deed, changeId, 'confirm', { effectiveAt })
  // Before the end or the version that follows from it, so that the history reads in the order of cause and effect.
  await insertChangeStep(deed, found, { move: 'changeConfirm', refId: changeId, digest: change.textHash ?? '' })
  if (terms.kind === 'terminate') await terminate(deed, found, { lastDay: terms.lastDay, reason: change.reason })
  else if (terms.kind !== 'account') await applyTerms(deed, found, { ...change, terms, lines })
  if (effectiveAt === null) {
    const params = { change: change.changeCode, kind: terms.kind, day: terms.kind === 'terminate' ? terms.lastDay : '' }
    for (const side of contractSides) await notifyOfChange(deed, found, { to: side, kind: 'contractChangeDone', params })
  } else {
    // Another account is not in force yet.
    const moment = toMinute(effectiveAt)
    const params = { change: change.changeCode, company: await nameOfSide(db, found, 'lessor'), moment }
    await notifyOfChange(deed, found, { to: 'lessee', kind: 'contractAccountChanged', params })
    await notifyOfAccount(deed, found, { kind: 'contractOwnAccountChanged', params })
  }
  if (terms.kind === 'terminate' && found.demandId !== null) await completeDemand({ db, now }, found.demandId)
}

/** The other side refuses, or the own side withdraws. */
export async function endChange(
  deed: Deed,
  { id, move, answer }: { id: number; move: 'refuse' | 'recall'; answer: string },
): Promise<void> {
  const { change, found } = await lockChange(deed, id, move)
  await settleChange(deed, id, move, { answer })
  const note = change.sentAt === null ? '' : answer
  await insertChangeStep(deed, found, { move: move === 'refuse' ? 'changeRefuse' : 'changeRecall', refId: id, note })
  // The other side knows of none that waits unsent.
  if (change.sentAt === null) return
  const params = { company: await nameOfSide(deed.db, found, found.side), change: change.changeCode, reason: answer }
  const kind = move === 'refuse' ? 'contractChangeRefused' : 'contractChangeRecalled'
  await notifyOfChange(deed, found, { to: otherSide(found.side), kind, params })
}

/** Refuses terms that cannot be, each beside its field. */
function refuseImpossible(terms: ChangeTerms, standing: Parameters<typeof termProblems>[1]): void {
  const problems = termProblems(terms, standing)
  if (problems.length > 0) throw new FieldRefusal(problems)
}

/** Turns the database's guard against two open amendments of a contract into its refusal. */
function refuseSecond(error: unknown): never {
  if (violates(error, 'contract_change_open')) throw new Refusal('change_open')
  throw error
}
