import { type ChangeMove, type ContractStep, changeMoves, isSigned } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { paths } from '#shared/paths.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import {
  findAdministrators,
  findPersonsOf,
  insertStep,
  lockContract,
  notifyPeople,
  notifySide,
  refuseNonSigner,
  type Locked,
} from './events.ts'

/** Locks the contract of an amendment, the demand before it, and checks that this side may make the move. */
export async function lockChange(deed: Deed, changeId: number, move: ChangeMove) {
  const { change, found } = await lockWithChange(deed, changeId)
  const by = change.side === found.side ? 'own' : 'other'
  if (!changeMoves[move].by.some((one) => one === by)) throw new Refusal('forbidden')
  if (!isAmong(change.status, changeMoves[move].from)) throw new Refusal('contract_changed')
  if (isSigned(move)) await refuseNonSigner(deed.db, deed.actor, found)
  return { change, found }
}

/** Locks the contract of an amendment, the demand before it. The other side finds none that waits unsent. */
export async function lockWithChange(deed: Deed, changeId: number) {
  const { db } = deed
  const known = await db
    .selectFrom('contractChange')
    .innerJoin('contract', 'contract.id', 'contractChange.contractId')
    .where('contractChange.id', '=', changeId)
    .select(['contractChange.contractId', 'contract.demandId'])
    .executeTakeFirst()
  if (!known) throw new Refusal('not_found')
  if (known.demandId !== null)
    await db.selectFrom('demand').where('id', '=', known.demandId).select('id').forNoKeyUpdate().executeTakeFirst()
  const found = await lockContract(deed, known.contractId)
  const change = await db
    .selectFrom('contractChange')
    .where('id', '=', changeId)
    .select([
      'id',
      'changeCode',
      'kind',
      'side',
      'status',
      'fromDay',
      'reason',
      'input',
      'textHash',
      'effectiveAt',
      'appliedAt',
      'sentAt',
      'approval',
      'approvalAskedBy',
    ])
    .executeTakeFirstOrThrow()
  if (change.sentAt === null && change.side !== found.side) throw new Refusal('not_found')
  return { change, found }
}

export async function settleChange(
  { db, now, actor }: Deed,
  id: number,
  move: ChangeMove,
  values: { answer?: string; effectiveAt?: Date | null },
): Promise<void> {
  await db
    .updateTable('contractChange')
    .set({ ...values, status: changeMoves[move].to, answeredAt: now, answeredBy: actor.accountId, version: nextVersion })
    .where('id', '=', id)
    .execute()
}

type Step = { move: ContractStep; refId: number; digest?: string; note?: string }

/** Writes a step of an amendment that this person takes for their side. */
export const insertChangeStep = (deed: Deed, found: Locked, step: Step): Promise<void> =>
  insertStep(deed, found, { refKind: 'change', ...step })

/** Tells a side about an amendment, with a link to the amendments of the contract. */
export const notifyOfChange = (
  work: Parameters<typeof notifySide>[0],
  contract: Parameters<typeof notifySide>[1],
  news: Parameters<typeof notifySide>[2],
) => notifySide(work, contract, { ...news, link: paths.contract(contract.id, 'changes') })

/** Tells those of the lessor whom another bank account of theirs concerns: its administrators, signers and settlers. */
export async function notifyOfAccount(
  work: Parameters<typeof notifyPeople>[0],
  contract: Parameters<typeof notifyPeople>[1],
  news: Omit<Parameters<typeof notifyPeople>[2], 'to' | 'link'>,
): Promise<void> {
  const lessor = { ...contract, side: 'lessor' } as const
  const named = await findPersonsOf(work.db, lessor)
  const to = named.filter(({ task }) => task === 'signer' || task === 'settler').map(({ accountId }) => accountId)
  await notifyPeople(work, contract, {
    ...news,
    to: [...to, ...(await findAdministrators(work.db, lessor))],
    link: paths.contract(contract.id, 'changes'),
  })
}
