import { addDays, dayOf } from '#shared/calendar.ts'
import type { ChangeTerms } from '#shared/contract/changes.ts'
import type { ContractClauses } from '#shared/contract/clauses.ts'
import { contractStatus, type ContractSide } from '#shared/contract/rules.ts'
import type { Actor } from '#server/actor/actor.ts'
import { confirmChange, endChange, insertChange } from '#server/contract/changes.ts'
import { createDraft } from '#server/contract/draft.ts'
import { acceptAward, lapseAward } from '#server/contract/lapse.ts'
import { editContract } from '#server/contract/edit.ts'
import { freezeAndSend, putInForce, returnContract, voidContract } from '#server/contract/moves.ts'
import { namePersons } from '#server/contract/naming.ts'
import { findScanIds, matchScan, uploadScan } from '#server/contract/scan.ts'
import { frozenText } from '#server/contract/text.ts'
import { transact } from '#server/deed.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { storeFiles } from './files.ts'
import type { Picture } from './pictures.ts'
import type { Dice } from './random.ts'

/** The part of an award that one lessor won, and the two who act. */
export type Hire = {
  services: Services
  demandId: number
  quoteId: number
  companyId: number
  buyer: Actor
  seller: Actor
  dice: Dice
  /** The picture of a sealed paper, drawn once for all scans. */
  paper: Picture
}

const comments = [
  { comment: '退场费建议由承租方承担，请修改后重发。', clauses: [{ key: 'extras' as const, comment: '请写明退场运输由承租方安排' }] },
  { comment: '报停提前通知时间太短，来不及调配人员。', clauses: [{ key: 'stopNotice' as const, comment: '建议改为提前 3 日' }] },
]

const actorOf = ({ buyer, seller }: Hire, side: ContractSide) => (side === 'lessee' ? buyer : seller)

/** Throws where the award has no contract with this lessor. */
const contractOf = ({ services, demandId, companyId }: Hire) =>
  services.db
    .selectFrom('contract')
    .where('demandId', '=', demandId)
    .where('lessorCompanyId', '=', companyId)
    .where('status', '<>', contractStatus.voided)
    .select(['id', 'version', 'title', 'address', 'externalNo', 'scaleLessee', 'scaleLessor', 'clauses', 'textHash', 'planEnd'])
    .executeTakeFirstOrThrow()

export const accept = ({ services, seller, quoteId }: Hire, now: Date) =>
  transact(services, { actor: seller, now }, (deed) => acceptAward(deed, quoteId))

/** The clock makes the draft of an award that nobody has accepted. */
export const draft = ({ services, quoteId }: Hire, now: Date) =>
  transact(services, { now }, (work) => createDraft(work, { quoteId, by: null }))

/** The clock ends an award that no contract followed in time. */
export const lapse = ({ services, demandId, quoteId }: Hire, now: Date, blame: ContractSide) =>
  transact(services, { now }, (work) => lapseAward(work, { demandId, quoteId, blame, reason: '', by: null }))

/** The lessee gives the draft up. */
export async function giveUp(hire: Hire, now: Date): Promise<void> {
  const { id } = await contractOf(hire)
  await transact(hire.services, { actor: hire.buyer, now }, (deed) => voidContract(deed, { id, reason: '施工方案调整，该台设备不再租用' }))
}

/** The lessee sets the clauses and sends. */
export async function send(hire: Hire, now: Date): Promise<void> {
  const { services, buyer, dice } = hire
  const { clauses, textHash: _, planEnd: __, ...contract } = await contractOf(hire)
  const tuned: ContractClauses = { ...clauses, noticeDays: dice.pick([3, 5, 7]), faultHours: dice.pick([20, 24]) }
  await transact(services, { actor: buyer, now }, async (deed) => {
    await editContract(deed, { ...contract, clauses: tuned })
    const { textHash } = await frozenText(deed.db, contract.id)
    await freezeAndSend(deed, { id: contract.id, textHash })
  })
}

/** The lessor sends the contract back with a comment on a clause. */
export async function sendBack(hire: Hire, now: Date): Promise<void> {
  const { id } = await contractOf(hire)
  await transact(hire.services, { actor: hire.seller, now }, (deed) => returnContract(deed, { id, ...hire.dice.pick(comments) }))
}

/** The lessor confirms. Gives the contract's number and the day after the hire. */
export async function confirm(hire: Hire, now: Date): Promise<{ id: number; planEnd: string }> {
  const { id, textHash, planEnd } = await contractOf(hire)
  const account = { bankName: '示例银行成都高新支行', bankAccount: `62220000${String(100_000_000 + hire.companyId)}` }
  await transact(hire.services, { actor: hire.seller, now }, (deed) => putInForce(deed, { id, textHash: textHash ?? '', ...account }))
  return { id, planEnd }
}

/** The lessee names whoever acts for it to settle, and its keeper to accept the machines and to sign their hours. */
export async function nameKeeper(hire: Hire, now: Date): Promise<void> {
  const { services, buyer } = hire
  const { id } = await contractOf(hire)
  const keeper = await services.db
    .selectFrom('account')
    .innerJoin('contract', 'contract.deptId', 'account.deptId')
    .where('contract.id', '=', id)
    .where('account.id', '<>', buyer.accountId)
    .orderBy('account.id')
    .select('account.id')
    .executeTakeFirstOrThrow()
  const persons = [
    { task: 'settler' as const, accountId: buyer.accountId },
    { task: 'acceptor' as const, accountId: keeper.id },
    { task: 'logger' as const, accountId: keeper.id },
  ]
  await transact(services, { actor: buyer, now }, (deed) => namePersons(deed, { id, persons, before: [] }))
}

/** One side hands in the scan of the sealed paper. */
export async function scan(hire: Hire, now: Date, side: ContractSide): Promise<void> {
  const { services, paper } = hire
  const actor = actorOf(hire, side)
  const { id } = await contractOf(hire)
  const file = { name: '盖章合同扫描件.png', purpose: null, accountId: actor.accountId, companyId: actor.companyId, createTime: now }
  const fileIds = await storeFiles(services, [{ ...file, picture: paper }])
  await transact(services, { actor, now }, (deed) => uploadScan(deed, { id, fileIds }))
}

/** The other side compares the scan with what was confirmed. */
export async function compareScan(hire: Hire, now: Date, answer: { side: ContractSide; agrees: boolean }): Promise<void> {
  const { id } = await contractOf(hire)
  const reason = answer.agrees ? '' : '扫描件缺骑缝章，请补盖后重新上传'
  const actor = actorOf(hire, answer.side)
  await transact(hire.services, { actor, now }, async (deed) =>
    matchScan(deed, { id, agrees: answer.agrees, reason, fileIds: await findScanIds(deed.db, id) }),
  )
}

export type Proposed = { side: ContractSide; reason: string; terms: ChangeTerms }

/** The day from which an amendment that is written on this day holds. */
export const holdsFrom = (today: string) => addDays(today, 3)

/** One side writes an amendment that is to hold three days later. Gives null where the machine is let to somebody else in those days. */
export async function propose(hire: Hire, now: Date, { side, reason, terms }: Proposed): Promise<number | null> {
  const { id } = await contractOf(hire)
  const proposal = { id, fromDay: holdsFrom(dayOf(now)), reason, terms }
  const written = await unlessTaken(
    transact(hire.services, { actor: actorOf(hire, side), now }, (deed) => insertChange(deed, proposal)).then((change) => change.id),
  )
  return written
}

/** The other side confirms; it refuses an extension into days that somebody else has booked meanwhile. */
export async function confirmProposed(hire: Hire, now: Date, { id, side }: { id: number; side: ContractSide }): Promise<void> {
  const actor = actorOf(hire, side)
  const done = await unlessTaken(transact(hire.services, { actor, now }, (deed) => confirmChange(deed, id)).then(() => true))
  if (done === null) await endProposed(hire, now, { id, side, move: 'refuse', answer: '该设备后续档期已租给其他项目' })
}

type Ended = { id: number; side: ContractSide; move: 'refuse' | 'recall'; answer: string }

/** The other side refuses an amendment, or its own side withdraws it. */
export const endProposed = (hire: Hire, now: Date, { id, side, move, answer }: Ended) =>
  transact(hire.services, { actor: actorOf(hire, side), now }, (deed) => endChange(deed, { id, move, answer }))

/** Null where the days are taken, as no seed knows beforehand; any other refusal is a fault of the seed. */
async function unlessTaken<T>(move: Promise<T>): Promise<T | null> {
  try {
    return await move
  } catch (error) {
    if (error instanceof Refusal && error.code === 'change_taken') return null
    throw error
  }
}
