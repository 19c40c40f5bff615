import { sql } from 'kysely'
import type { ClauseKey } from '#shared/contract/clauses.ts'
import type { ContractSide, ContractStep } from '#shared/contract/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { nameOf } from '../actor/name.ts'
import type { Read } from '../db/connect.ts'
import { seesUnsent, sideOf } from './scope.ts'

/**
 * The history, newest first, or its newest steps. Who acted is named to their own side and to the platform's people; to the other side their company is.
 */
export async function findEvents(db: Read, contractId: number, { actor, newest }: { actor: Actor; newest?: number }) {
  const side = sideOf(actor)
  const rows = await db
    .selectFrom('contractEvent as e')
    .innerJoin('contract as c', 'c.id', 'e.contractId')
    .innerJoin('company as o', (join) =>
      join.on(sql<boolean>`o.id = case e.side when 'lessor' then c.lessor_company_id else c.lessee_company_id end`),
    )
    .leftJoin('account as a', 'a.id', 'e.accountId')
    .leftJoin('contractChange as b', (join) =>
      join
        .onRef('b.id', '=', 'e.refId')
        .on('e.refKind', '=', 'change')
        .on((eb) => eb.or([eb('b.sentAt', 'is not', null), eb.lit(seesUnsent(actor))])),
    )
    .where('e.contractId', '=', contractId)
    .orderBy('e.seq', 'desc')
    .$if(newest !== undefined, (query) => query.limit(newest ?? 0))
    .select([
      'e.seq',
      'e.at',
      'e.move',
      'e.side',
      'e.fromStatus',
      'e.toStatus',
      'e.note',
      'e.refKind',
      'e.refId',
      'e.accountId',
      nameOf('a').as('name'),
      'o.enterpriseName',
      'b.changeCode',
      'b.kind',
    ])
    .execute()
  return rows.map(({ name, enterpriseName, accountId, note, refKind, refId, changeCode, kind, ...event }) => {
    const isOwn = side === null || event.side === side
    return {
      ...event,
      who: event.side !== null && !isOwn ? enterpriseName : isOwn ? name : '',
      noticeId: refKind === 'notice' ? refId : null,
      change: changeCode !== null && kind !== null ? { changeCode, kind } : null,
      scanRevision: event.move === 'scan' && refKind === 'version' ? refId : null,
      byPlatform: event.side === null && accountId !== null,
      note: readsNote(actor, event) ? note : '',
    }
  })
}

/** As in `contract_event_person` and `contract_event_detail` of the database. */
export const ownNotes: readonly string[] = [
  'ask',
  'approve',
  'reject',
  'draft',
  'positions',
  'changeAsk',
  'changeApprove',
  'changeReject',
] satisfies ContractStep[]

/**
 * Whether a person reads the note of a step. Why a unit asked for its approval, approved or not, or pays more than its ceilings, is for its own side and
 * its auditors (rental.md 2.2).
 */
export const readsNote = (actor: Actor, { move, side }: { move: string; side: ContractSide | null }): boolean =>
  !ownNotes.includes(move) || (sideOf(actor) === null ? actor.role === 'auditor' : sideOf(actor) === side)

/** The messages that tell a project what its unit answered. */
const messagesOfUnit: readonly string[] = ['contractRejected', 'contractChangeRejected']

/** The messages about a contract that a person may read: the platform's people read no answer of a unit to its project. */
export const readableMessages = <Message extends { kind: string | null }>(actor: Actor, messages: readonly Message[]): Message[] =>
  messages.filter(({ kind }) => actor.role !== 'operator' || !messagesOfUnit.includes(kind ?? ''))

/** Moves whose note is data for the chain; the page shows it in a place of its own. */
const notedAsData: readonly string[] = ['return', 'persons', 'scan'] satisfies ContractStep[]

/** The steps with the notes that people wrote. */
export const readableSteps = <Step extends { move: string; note: string }>(events: readonly Step[]): Step[] =>
  events.map((event) => (notedAsData.includes(event.move) ? { ...event, note: '' } : event))

type Comment = { comment: string; clauses: { key: ClauseKey; comment: string }[] }

/** The comments with which the lessor returned the draft, newest first. */
export const commentsOf = (events: readonly { at: string; move: string; note: string }[]) =>
  events.filter(({ move }) => move === 'return').map(({ at, note }) => ({ at, ...(JSON.parse(note) as Comment) }))
