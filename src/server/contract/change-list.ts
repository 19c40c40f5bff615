import { dayOf } from '#shared/calendar.ts'
import { lineAmountFen } from '#shared/contract/amount.ts'
import { addedOf } from '#shared/contract/change-terms.ts'
import type { StoredChange } from '#shared/contract/changes.ts'
import { clausesOut } from '#shared/contract/clauses.ts'
import { pricedPosition } from '#shared/contract/direct.ts'
import { type ChangeMove, changeMoves, changeStatus, confirmBy, isOverdue, isSigned, positionStatus } from '#shared/contract/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import type { Read } from '../db/connect.ts'
import type { Context } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { accountReader, mayDo, seenBy, sideOf } from './scope.ts'
import { findPositions } from './text.ts'

type Line = Awaited<ReturnType<typeof findPositions>>[number]

/** The amendments of a contract that the person sees, newest first, with what they may do. */
export async function listChanges(at: Pick<Context, 'db' | 'actor' | 'now'>, contractId: number) {
  const { db, actor, now } = at
  const today = dayOf(now)
  const contract = await db.selectFrom('contract').where('id', '=', contractId).where(seenBy(at)).select('id').executeTakeFirst()
  if (!contract) throw new Refusal('not_found')
  const side = sideOf(actor)
  const accountAsRead = await accountReader(db, contractId, actor)
  const signs = side !== null && (await mayDo(db, contractId, { actor, side, task: 'signer' }))
  const lines = await findPositions(db, contractId)
  const rows = await db
    .selectFrom('contractChange')
    .where('contractId', '=', contractId)
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
      'input',
    ])
    .execute()
  return rows.map(({ input, ...row }) => {
    const { terms, before, added = [], clausesBefore, amountBeforeFen, amountAfterFen } = input
    const by = side === null ? null : row.side === side ? 'own' : 'other'
    const moves = Object.keys(changeMoves) as ChangeMove[]
    const isLate = row.status === changeStatus.sent && isOverdue(row, today)
    return {
      ...row,
      lines: lineChanges(lines, { terms, before }),
      added: addedOf(terms).flatMap((position, index) => {
        const names = added[index]
        return names ? [{ ...position, ...names, amount: lineAmountFen(pricedPosition(position)) }] : []
      }),
      clauses: terms.kind === 'clause' ? clausesOut(terms.clauses) : null,
      clausesBefore: clausesBefore ? clausesOut(clausesBefore) : null,
      bankName: terms.kind === 'account' ? terms.bankName : null,
      bankAccount: terms.kind === 'account' ? accountAsRead(terms.bankAccount) : null,
      lastDay: terms.kind === 'terminate' ? terms.lastDay : null,
      penalty: terms.kind === 'terminate' ? (terms.penalty ?? null) : null,
      amountBefore: amountBeforeFen,
      amountAfter: amountAfterFen,
      confirmBy: row.status === changeStatus.sent ? confirmBy(row.kind, row.fromDay) : null,
      isOverdue: isLate,
      may: actor.permissions.includes('contract:edit')
        ? moves.filter(
            (move) =>
              isAmong(row.status, changeMoves[move].from) &&
              changeMoves[move].by.some((one) => one === by) &&
              (signs || !isSigned(move)) &&
              !(isLate && move === 'confirm'),
          )
        : [],
    }
  })
}

function lineChanges(lines: readonly Line[], { terms, before }: Pick<StoredChange, 'terms' | 'before'>) {
  const of = (lineId: number, old: string, next: string) => {
    const line = lines.find(({ id }) => id === lineId)
    return { lineNo: line?.lineNo ?? 0, name: line?.name ?? '', before: old, after: next }
  }
  if (terms.kind === 'quantity') return terms.lineIds.map((lineId) => of(lineId, positionStatus.waiting, positionStatus.cancelled))
  if (!('lines' in terms)) return []
  const shown = (one: string | number) => (terms.kind === 'price' ? (Number(one) / 100).toFixed(2) : String(one))
  return terms.lines.map(({ lineId, value }) => of(lineId, shown(before.find((one) => one.lineId === lineId)?.value ?? ''), shown(value)))
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
