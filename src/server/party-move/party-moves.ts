import { sql } from 'kysely'
import { dayOf, toMinute } from '#shared/calendar.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { type ContractSide, contractSides, contractStatus, lapseOf, liveContracts } from '#shared/contract/rules.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { lastDay, standsOn } from '../contract-status/standing.ts'
import type { Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Deed, Work } from '../deed.ts'
import { sendMessages } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'

/**
 * How many contracts the call itself notifies; those of a larger company are left to the job, because each takes several statements and a lock of its
 * chain.
 */
const contractsAtOnce = 100

/** How many the job notifies in a round, so that its other work does not wait. */
const mostInRound = 500

/**
 * Tells both sides of each live contract of a company in its history that this side was locked or may act again, and the other side of each that stands
 * or waits to be confirmed, by a message as well. The reason stays with the platform and the company.
 */
export async function recordPartyMove(deed: Deed, { companyId, move }: { companyId: number; move: 'lock' | 'unlock' }): Promise<void> {
  const { db, actor } = deed
  for (const side of contractSides) await queuePartyMove(deed, { companyId, side, move, by: actor.accountId })
  const first = await db
    .selectFrom('contractPartyMove')
    .where('companyId', '=', companyId)
    .orderBy('contractId')
    .orderBy('id')
    .limit(contractsAtOnce)
    .select(['contractId', 'id'])
    .execute()
  for (const one of first) await tellOfParty(deed, one)
}

type Move = DB['contractPartyMove']['move']

/**
 * Leaves it to the clock to tell the same of a move of one side: of its certification too, which ends and comes back under locks that must not wait for
 * those of the contracts. `by`: null where the clock ended it.
 */
export async function queuePartyMove(
  { db, now }: Pick<Work, 'db' | 'now'>,
  { companyId, side, move, by }: { companyId: number; side: ContractSide; move: Move; by: number | null },
): Promise<void> {
  const company = sql.ref(side === 'lessee' ? 'contract.lessee_company_id' : 'contract.lessor_company_id')
  await sql`insert into contract_party_move (contract_id, company_id, account_id, move)
    select id, ${companyId}::bigint, ${by}::bigint, ${move} from contract
    where ${company} = ${companyId} and (status in (${literals(liveContracts)}) or ${standsOn(dayOf(now))}) order by id`.execute(db)
}

const newsOf = {
  lock: 'contractPartyLocked',
  unlock: 'contractPartyUnlocked',
  certificationEnd: 'contractPartyUncertified',
  certificationBack: 'contractPartyCertified',
} as const satisfies Record<Move, MessageKind>

type PartyMove = { contractId: number; id: number }

/** Gives whether it was still to be told. An earlier move of the contract comes first. */
async function tellOfParty(work: Pick<Work, 'db' | 'hub' | 'now' | 'afterCommit'>, { contractId, id }: PartyMove): Promise<boolean> {
  const { db, now } = work
  const taken = await takeMove(db, { contractId, id })
  if (!taken) return false
  const { companyId, accountId, move } = taken
  const { enterpriseName, lesseeAudit } = await db
    .selectFrom('company')
    .where('id', '=', companyId)
    .select(['enterpriseName', 'lesseeAudit'])
    .executeTakeFirstOrThrow()
  const contract = await db
    .selectFrom('contract')
    .leftJoin('award', 'award.id', 'contract.awardId')
    .where('contract.id', '=', contractId)
    .select(['contractCode', 'title', 'status', 'contract.deptId', 'lessorCompanyId', 'sentAt', 'returnedAt', 'recalledAt'])
    .select(['award.contractDue', 'award.at as awardedAt', standsOn(dayOf(now)).as('stands'), lastDay.as('lastDay')])
    .executeTakeFirstOrThrow()
  await db.insertInto('contractEvent').values({ contractId, accountId, side: null, move, note: enterpriseName, at: now }).execute()
  // Of a draft the lessor knows nothing.
  const isSent = contract.status === contractStatus.sent
  if (!isSent && !contract.stands) return true
  const { contractCode, title, deptId, lessorCompanyId, contractDue } = contract
  // Then the lessor cannot confirm it, and is told to return it.
  const isOfLessee = lessorCompanyId !== companyId
  const isRevoked = isSent && isOfLessee && lesseeAudit === certificationStatus.revoked
  const lapse = lapseOf({ ...contract, awardedAt: contract.awardedAt ?? '' })
  await sendMessages(work, {
    to: isOfLessee ? { companies: [lessorCompanyId] } : { dept: deptId, named: await findNamed(db, contractId) },
    kind: newsOf[move],
    params: {
      company: enterpriseName,
      code: contractCode,
      title,
      sent: isSent ? yesNo.yes : '',
      revoked: isRevoked ? yesNo.yes : '',
      until: contract.lastDay ?? '',
      lapses: contractDue ? yesNo.yes : '',
      toConfirm: isSent && isOfLessee && !isRevoked ? yesNo.yes : '',
      due: lapse ? toMinute(lapse.at) : '',
    },
    bizType: 'contract',
    bizId: contractId,
    link: paths.contract(contractId),
  })
  return true
}

/** Whom the lessee has named for any task, also of the units above. */
async function findNamed(db: Tx, contractId: number): Promise<number[]> {
  const named = db.selectFrom('contractPerson').where('contractId', '=', contractId).where('side', '=', 'lessee')
  return (await named.select('accountId').distinct().execute()).map(({ accountId }) => accountId)
}

const takeMove = (db: Tx, { contractId, id }: PartyMove) =>
  db
    .deleteFrom('contractPartyMove')
    .where('contractId', '=', contractId)
    .where('id', '=', id)
    .where(sql<boolean>`not exists (select from contract_party_move m where m.contract_id = ${contractId} and m.id < ${id})`)
    .returning(['companyId', 'accountId', 'move'])
    .executeTakeFirst()

const untoldMoves: Queue<PartyMove & { key: string }> = {
  job: 'contracts',
  find: (db, _, ready) =>
    db
      .selectFrom('contractPartyMove')
      .where(ready(sql`'party:' || contract_party_move.id`))
      .orderBy('contractId')
      .orderBy('id')
      .limit(mostInRound)
      .select(['contractId', 'id', sql<string>`'party:' || id`.as('key')])
      .execute(),
  run: (work, item) => tellOfParty(work, item),
}

/** Tells the contracts of a company what became of it, those of a large one also that it was locked or may act again. Gives how many. */
export const tellPartyMoves = (services: Services, signal?: AbortSignal) => workThrough(services, untoldMoves, signal)
