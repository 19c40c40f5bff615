import { toMoment } from '#shared/calendar.ts'
import { lineAmountFen } from '#shared/contract/amount.ts'
import { linesShown } from '#shared/contract/change-lines.ts'
import { addedOf, bindsMore } from '#shared/contract/change-terms.ts'
import type { ChangeAction, StoredChange } from '#shared/contract/changes.ts'
import { clausesOut } from '#shared/contract/clauses.ts'
import {
  type ChangeHindrance,
  type ChangeKind,
  type ChangeMove,
  changeMoves,
  changeStatus,
  type ChangeStatus,
  confirmBy,
  contractApproval,
  type ContractApproval,
  type ContractSide,
  isSigned,
  openChanges,
  waitsItsDay,
} from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { pricedLine } from '#shared/quote/prices.ts'
import { lastDay } from '../contract-status/standing.ts'
import type { Read } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { isApproved, mayApprove } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { findAboveCeiling } from './change-ceilings.ts'
import { hindrancesOf } from './change-hindrances.ts'
import { accountReader, mayDo, seenBy, seesUnsent, sideOf } from './scope.ts'
import { findPositions } from './text.ts'

/** What the people of a side do; what waits for the unit above is sent by its approval. */
const moves = (Object.keys(changeMoves) as ChangeMove[]).filter((move) => move !== 'send')

/** The amendments of a contract that the person sees, newest first, with what they may do. */
export async function listChanges(at: Pick<Context, 'db' | 'actor' | 'now'>, contractId: number) {
  const { db, actor, now } = at
  const contract = await db
    .selectFrom('contract')
    .where('id', '=', contractId)
    .where(seenBy(at))
    .select(['id', 'status', lastDay.as('lastDay'), 'deptId', 'provinceId', 'lessorCompanyId', 'lesseeCompanyId'])
    .executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  const side = sideOf(actor)
  const accountAsRead = await accountReader(db, contractId, actor)
  const signs = side !== null && (await mayDo(db, contractId, { actor, side, task: 'signer' }))
  const lines = await findPositions(db, contractId)
  const rows = await db
    .selectFrom('contractChange')
    .where('contractId', '=', contractId)
    .$if(!seesUnsent(actor), (query) => query.where('sentAt', 'is not', null))
    .orderBy('id', 'desc')
    .select([
      'id',
      'changeCode',
      'kind',
      'side',
      'status',
      'fromDay',
      'reason',
      'answer',
      'createTime',
      'answeredAt',
      'effectiveAt',
      'appliedAt',
      'approval',
      'approvalAskedBy',
      'input',
    ])
    .execute()
  const reader: Reader = {
    side,
    signs,
    now,
    accountId: actor.accountId,
    isAdmin: actor.isAdmin,
    asks: side === 'lessee' && !(await isApproved(db, actor, contract.deptId, 'approves_contracts')),
    decides: side === 'lessee' && (await mayApprove(db, actor, contract.deptId, 'approves_contracts')),
  }
  // At most one is open.
  const open = rows.find(({ status }) => isAmong(status, openChanges))
  const aboveCeiling = open && side === 'lessee' ? await findAboveCeiling(db, { ...contract, contractId }, open.input) : []
  const hindrancesOfOpen = open ? await hindrancesOf(at, contract, open) : []
  return rows.map(({ input, appliedAt, approvalAskedBy, ...row }) => {
    const hindrances = row.id === open?.id ? hindrancesOfOpen : []
    const { terms, added = [], clausesBefore, amountBeforeFen, amountAfterFen } = input
    return {
      ...row,
      lines: linesShown(lines, input),
      added: addedOf(terms).flatMap((position, index) => {
        const names = added[index]
        return names ? [{ ...position, ...names, amount: lineAmountFen(pricedLine(position)) }] : []
      }),
      clauses: terms.kind === 'clause' ? clausesOut(terms.clauses) : null,
      clausesBefore: clausesBefore ? clausesOut(clausesBefore) : null,
      bankName: terms.kind === 'account' ? terms.bankName : null,
      bankAccount: terms.kind === 'account' ? accountAsRead(terms.bankAccount) : null,
      lastDay: terms.kind === 'terminate' ? terms.lastDay : null,
      penalty: terms.kind === 'terminate' ? (terms.penalty ?? null) : null,
      amountBefore: amountBeforeFen,
      amountAfter: amountAfterFen,
      confirmBy: isAmong(row.status, openChanges) ? confirmBy(row.kind, row.fromDay) : null,
      aboveCeiling: row.id === open?.id ? aboveCeiling : [],
      hindrances,
      approval: side === 'lessor' || isAskedInVain(row) ? contractApproval.none : row.approval,
      may: actor.permissions.includes('contract:edit') ? mayNow({ ...row, input, appliedAt, approvalAskedBy, hindrances }, reader) : [],
    }
  })
}

type Reader = {
  side: ContractSide | null
  signs: boolean
  now: Date
  accountId: number
  isAdmin: boolean
  /** Their unit approves contracts, so they have to ask; or they are who is asked. */
  asks: boolean
  decides: boolean
}
type Row = Parameters<typeof waitsItsDay>[0] & {
  kind: ChangeKind
  side: ContractSide
  status: ChangeStatus
  fromDay: string
  approval: ContractApproval
  approvalAskedBy: number | null
  input: StoredChange
  hindrances: readonly ChangeHindrance[]
}

/** Whether the unit was asked about an amendment that was withdrawn or refused before it answered: nothing waits for it any more. */
const isAskedInVain = ({ status, approval }: Pick<Row, 'status' | 'approval'>) =>
  approval === contractApproval.waiting && !isAmong(status, openChanges)

/** What the reader, who may edit contracts, may do with an amendment now. */
function mayNow(row: Row, reader: Reader): ChangeAction[] {
  const { side, signs, now, accountId, isAdmin, asks, decides } = reader
  const by = side === null ? null : row.side === side ? 'own' : 'other'
  const needsUnit = asks && bindsMore(row.input) && row.approval !== contractApproval.passed
  const isOpen = isAmong(row.status, openChanges)
  const isWaiting = row.approval === contractApproval.waiting
  const isHindered = row.hindrances.length > 0
  const own = moves.filter(
    (move) =>
      isAmong(row.status, changeMoves[move].from) &&
      changeMoves[move].by.some((one) => one === by) &&
      (signs || !isSigned(move)) &&
      !(move === 'confirm' && (isHindered || needsUnit)) &&
      (move !== 'stop' || ((signs || isAdmin) && waitsItsDay(row, toMoment(now)))),
  )
  return [
    ...own,
    ...(needsUnit && by === 'other' && isOpen && !isWaiting && !isHindered ? (['ask'] as const) : []),
    ...(decides && isOpen && isWaiting && row.approvalAskedBy !== accountId
      ? isHindered
        ? (['reject'] as const)
        : (['approve', 'reject'] as const)
      : []),
  ]
}

/** What both agreed for the early end of a contract. */
export async function findEnding(db: Read, contractId: number) {
  const change = await db
    .selectFrom('contractChange')
    .where('contractId', '=', contractId)
    .where('kind', '=', 'terminate')
    .where('status', '=', changeStatus.inForce)
    .select('input')
    .executeTakeFirst()
  const terms = change?.input.terms
  return terms?.kind === 'terminate' ? { lastDay: terms.lastDay, penalty: terms.penalty ?? null } : null
}
