import { sql, type SelectQueryBuilder } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { lineAmountFen } from '#shared/contract/amount.ts'
import { clauseMarksOf, clauseProblems, clausesOut, isDeclaredSmaller, scaleProblems, type CompanyScale } from '#shared/contract/clauses.ts'
import type * as contract from '#shared/contract/contract.ts'
import type { ContractAction } from '#shared/contract/contract.ts'
import {
  amendedContracts,
  canChange,
  canMatchScan,
  canMoveContract,
  canRecall,
  canUploadScan,
  changeKinds,
  contractApproval,
  type ContractSide,
  contractStatus,
  isStanding,
  type LapseBlame,
  lapseOf,
  liveContracts,
  mayNameSigners,
  needsScan,
  openChanges,
  shownSteps,
  unconfirmedContracts,
} from '#shared/contract/rules.ts'
import type { Received } from '#shared/endpoint.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { wirePrices } from '#shared/quote/prices.ts'
import { oddTaxRate } from '#shared/quote/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { holdsWords } from '../db/search.ts'
import type { DB } from '../db/tables.generated.ts'
import type { Context } from '../deed.ts'
import { isApproved, mayApprove } from '../demand/scope.ts'
import { Refusal } from '../http/refusal.ts'
import { regionNamesOf } from '../region/queries.ts'
import { clauseFacts } from './moves.ts'
import { accountReader, approvalNow, isReturned, isSentByRevoked, mayDo, seenBy, seesUnsent, sideOf, unitNeedsScan } from './scope.ts'
import { hindrancesOf } from './change-hindrances.ts'
import { findEnding } from './change-list.ts'
import { needsApproval } from './changes.ts'
import { commentsOf, findEvents, readableSteps } from './history.ts'
import { listNotices } from './notices.ts'
import { findCancelled, findRatedPositions, findSince, type RatedPosition } from './rates.ts'
import { signersOf } from './events.ts'
import { findForms, findTextHash } from './text.ts'

export type At = Pick<Context, 'db' | 'actor' | 'now'>
type Filter = Received<typeof contract.exportContracts>['query']

/** The contracts that a person sees, as they are filtered. */
export function filtered(at: At, filter: Partial<Filter>) {
  const seen = at.db.selectFrom('contract').where(seenBy(at))
  return narrowed(seen, at, filter).$if(filter.keyword !== undefined, (query) => query.where(holdsWords('contract', filter.keyword ?? '')))
}

export type Contracts = SelectQueryBuilder<DB, 'contract', object>

/** With every filter but the words. */
export function narrowed(contracts: Contracts, { actor, now }: At, { status, deptId, companyId, endsWithin }: Partial<Filter>): Contracts {
  let query = contracts
  if (status !== undefined) query = query.where('contract.status', '=', status)
  if (deptId !== undefined) query = query.where('contract.deptId', '=', deptId)
  if (companyId !== undefined) query = query.where(`contract.${otherCompany(actor)}`, '=', companyId)
  if (endsWithin === 'over') query = query.where('contract.status', 'in', [...amendedContracts]).where('contract.planEnd', '<=', dayOf(now))
  else if (endsWithin !== undefined)
    query = query
      .where('contract.status', 'in', [...liveContracts])
      .where('contract.planEnd', '>', dayOf(now))
      .where('contract.planEnd', '<=', addDays(dayOf(now), Number(endsWithin)))
  return query
}

/** The column of the company on the other side; an auditor reads for the lessee. */
export const otherCompany = (actor: Actor) => (sideOf(actor) === 'lessor' ? 'lesseeCompanyId' : 'lessorCompanyId')

/** Who was to blame when the part of the award that a contract was to follow lapsed. */
const lapseBlameOf = sql<LapseBlame | null>`case when contract.status = ${sql.lit(contractStatus.voided)} then (select l.blame from award_lapse l
  where l.award_id = contract.award_id and l.company_id = contract.lessor_company_id order by l.id desc limit 1) end`

export const withSides = (query: ReturnType<typeof filtered>) =>
  query
    .innerJoin('company as lessee', 'lessee.id', 'contract.lesseeCompanyId')
    .innerJoin('company as lessor', 'lessor.id', 'contract.lessorCompanyId')
    .innerJoin('dept', 'dept.id', 'contract.deptId')
    .leftJoin('award', 'award.id', 'contract.awardId')
    .select([
      'contract.id',
      'contract.contractCode',
      'contract.title',
      'contract.source',
      'contract.status',
      approvalNow.as('approval'),
      'contract.scanState',
      'contract.scanRevision',
      'contract.revision',
      'contract.amountFen',
      'contract.planStart',
      'contract.planEnd',
      'contract.createTime',
      'contract.updateTime',
      'contract.sentAt',
      'contract.returnedAt',
      'contract.recalledAt',
      lapseBlameOf.as('lapseBlame'),
      'contract.lesseeCompanyId',
      'contract.lessorCompanyId',
      'lessee.enterpriseName as lesseeName',
      'lessor.enterpriseName as lessorName',
      'dept.deptName',
      'award.contractDue',
      'award.at as awardedAt',
      sql<number>`(select count(*)::int from contract_line l where l.contract_id = contract.id)`.as('positions'),
      unitNeedsScan.as('unitNeedsScan'),
    ])
type Row = Awaited<ReturnType<ReturnType<typeof withSides>['execute']>>[number]

/** A contract that no award stands behind has no time. */
const dueOf = ({ contractDue, awardedAt }: Pick<Row, 'contractDue' | 'awardedAt'>) => ({ contractDue, awardedAt: awardedAt ?? '' })

/** When the award lapses if the sent contract is taken back now and not sent again. */
function lapseAfterRecall(row: Row, now: Date): string | null {
  if (row.status !== contractStatus.sent) return null
  const lapse = lapseOf({ ...row, ...dueOf(row), status: contractStatus.draft, recalledAt: toMoment(now) })
  return lapse && toMoment(lapse.at)
}

/** A row of the list, as the wire has it. The approval within the lessee's organisation stays there. */
export function rowOf(row: Row, side: ContractSide | null) {
  const {
    lesseeCompanyId,
    lesseeName,
    deptName,
    lessorCompanyId,
    lessorName,
    amountFen,
    contractDue,
    awardedAt,
    sentAt,
    returnedAt,
    recalledAt,
    unitNeedsScan: wanted,
    ...rest
  } = row
  const lapse = lapseOf({ ...dueOf({ contractDue, awardedAt }), status: row.status, sentAt, returnedAt, recalledAt })
  return {
    ...rest,
    lessee: { companyId: lesseeCompanyId, companyName: lesseeName, deptName },
    lessor: { companyId: lessorCompanyId, companyName: lessorName },
    approval: side === 'lessor' ? contractApproval.none : row.approval,
    amount: amountFen,
    needsScan: needsScan(row, wanted),
    lapsesAt: lapse && toMoment(lapse.at),
  }
}

const columnsOfContract = [
  'contract.version',
  'contract.externalNo',
  'contract.deptId',
  'contract.demandId',
  'demand.demandCode',
  'demand.title as demandTitle',
  sql<string>`coalesce(nullif(demand.project_name, ''), dept.dept_name)`.as('projectName'),
  'contract.provinceId',
  'contract.cityId',
  'contract.districtId',
  ...regionNamesOf('contract'),
  'contract.address',
  'contract.netFen',
  'contract.taxFen',
  'contract.scaleLessee',
  'contract.scaleLessor',
  sql<boolean>`lessor.scale_type is not null`.as('isLessorScaleCertified'),
  'lessee.scaleType as certifiedLessee',
  'lessor.scaleType as certifiedLessor',
  'contract.smeRule',
  'contract.lprBp',
  'contract.bankName',
  'contract.bankAccount',
  'contract.clauses',
  'contract.scanBy',
  'contract.textHash',
  'contract.confirmedAt',
  'contract.endReason',
  'contract.approvalAskedBy',
  'award.dueMovedAt',
  isReturned.as('isReturned'),
  isSentByRevoked.as('isSentByRevoked'),
] as const

/** A contract with everything that its page shows, for a person who sees it. */
export async function getContract(at: At, id: number) {
  const { db, actor } = at
  const found = await withSides(filtered(at, {}).where('contract.id', '=', id))
    .leftJoin('demand', 'demand.id', 'contract.demandId')
    .select(columnsOfContract)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  const side = sideOf(actor)
  const { clauses } = found
  const facts = await clauseFacts(at, found)
  const ending = found.status === contractStatus.terminated ? await findEnding(db, id) : null
  const lastDay = ending?.lastDay ?? null
  const openChange = await findOpenChange(at, { ...found, lastDay })
  const since = await findSince(db, id)
  const signs = side !== null && (await mayDo(db, id, { actor, side, task: 'signer' }))
  const [lines, cancelled, persons, events, scans, forms, may, textHash] = await Promise.all([
    findRatedPositions(db, id),
    findCancelled(db, id),
    findPersons(db, id),
    findEvents(db, id, { actor, newest: shownSteps }),
    findScans(db, id),
    findForms(db, id),
    mayNow(at, { ...found, openChange, signs, lastDay }, side),
    findTextHash(db, found),
  ])
  const {
    netFen,
    taxFen,
    demandId,
    demandCode,
    demandTitle,
    approvalAskedBy: _,
    dueMovedAt,
    unitNeedsScan: _wanted,
    certifiedLessee,
    certifiedLessor,
    ...rest
  } = found
  const accountAsRead = await accountReader(db, id, actor)
  return {
    ...rest,
    ...rowOf(found, side),
    textHash,
    scaleMarks: [...scaleMark('lessee', found.scaleLessee, certifiedLessee), ...scaleMark('lessor', found.scaleLessor, certifiedLessor)],
    net: netFen,
    tax: taxFen,
    demand: demandId === null ? null : { id: demandId, demandCode, title: demandTitle ?? '' },
    bankAccount: accountAsRead(found.bankAccount),
    lapsesAfterRecall: lapseAfterRecall(found, at.now),
    mayLeaveAfterRecall: dueMovedAt !== null && may.includes('recall'),
    clauses: clausesOut(clauses),
    problems: [
      ...(found.status === contractStatus.draft ? scaleProblems(found) : []),
      ...(isAmong(found.status, unconfirmedContracts) ? clauseProblems(clauses, facts) : []),
    ],
    marks: clauseMarksOf(clauses, facts),
    comments: commentsOf(events),
    lines: positionsOut(lines, cancelled),
    persons,
    currentLprBp: facts.currentLprBp,
    events: readableSteps(events),
    scans,
    forms,
    notices: await listNotices(db, id),
    side,
    signs,
    namesSigners: side !== null && mayNameSigners(actor, signersOf(persons.filter((one) => one.side === side))),
    since,
    openChange,
    may,
    ending,
    phoneEnd: await phoneEndOf(db, actor),
  }
}

/** The mark of a side that declares a smaller size than its certification says. */
const scaleMark = (side: ContractSide, declared: CompanyScale | null, certified: CompanyScale | null) =>
  declared && certified && isDeclaredSmaller(declared, certified) ? [{ side, declared, certified }] : []

/** The positions with their money as the wire names it, and what each comes to: nothing of one that an amendment cancelled, so the rows add up to the sum. */
const positionsOut = (lines: readonly RatedPosition[], cancelled: readonly number[]) =>
  lines.map(({ rates, ...line }) => ({
    ...wirePrices(line),
    rates: (rates ?? []).map(({ unitPriceFen: unitPrice, ...rate }) => ({ ...rate, unitPrice })),
    oddTaxRate: oddTaxRate(line.includesOperator, line.taxRate),
    amount: cancelled.includes(line.id) ? 0 : lineAmountFen({ ...line, rates }),
  }))

/** The number that codes go to, masked. */
async function phoneEndOf(db: Read, actor: Actor): Promise<string> {
  const account = await db.selectFrom('account').where('id', '=', actor.accountId).select('phonenumber').executeTakeFirst()
  return maskPhone(account?.phonenumber ?? '')
}

type Standing = Pick<Row, 'id' | 'status' | 'approval' | 'scanState' | 'contractDue' | 'awardedAt'> & {
  deptId: number
  scanBy: ContractSide | null
  approvalAskedBy: number | null
  openChange: object | null
  signs: boolean
  isSentByRevoked: boolean
  lastDay: string | null
}

/** The amendment that waits for an answer; a contract has one at most. Of one that the lessee has not sent, the lessor reads that there is one. */
async function findOpenChange(at: At, contract: Parameters<typeof hindrancesOf>[1] & { id: number; deptId: number }) {
  const open = await at.db
    .selectFrom('contractChange')
    .where('contractId', '=', contract.id)
    .where('status', 'in', openChanges)
    .select(['id', 'kind', 'side', 'changeCode', 'status', 'fromDay', 'input', 'approval', sql<boolean>`sent_at is not null`.as('isSent')])
    .executeTakeFirst()
  if (!open) return null
  const { status: _, fromDay: _day, input, approval, ...shown } = open
  const side = sideOf(at.actor)
  const needsUnit =
    open.side !== side && approval !== contractApproval.passed && (await needsApproval(at, { side, deptId: contract.deptId }, input))
  const unitStep = needsUnit ? (approval === contractApproval.waiting ? ('wait' as const) : ('ask' as const)) : null
  return open.isSent || seesUnsent(at.actor)
    ? { ...shown, hindrances: await hindrancesOf(at, contract, open), unitStep }
    : { ...shown, id: null, kind: null, changeCode: null, hindrances: [], unitStep }
}

/** What makes a contract: for the certified alone, whose drafts and sent contracts become contracts in force. */
const makingActions = ['edit', 'ask', 'send', 'confirm'] as const satisfies readonly ContractAction[]

/** What this person may do with the contract now; the server checks each again. */
async function mayNow({ db, actor, now }: At, found: Standing, side: ContractSide | null): Promise<ContractAction[]> {
  if (!side || !actor.permissions.includes('contract:edit')) return []
  const { status, approval, deptId, signs } = found
  const needsApproval = side === 'lessee' && !(await isApproved(db, actor, deptId, 'approves_contracts'))
  const facts = { status, approval, needsApproval }
  const can = (move: Parameters<typeof canMoveContract>[1]) => canMoveContract(facts, move, side)
  const isWaiting = status === contractStatus.draft && approval === contractApproval.waiting
  const decides = isWaiting && found.approvalAskedBy !== actor.accountId && (await mayApprove(db, actor, deptId, 'approves_contracts'))
  const today = dayOf(now)
  const stands = isStanding(found, today)
  const possible: Record<ContractAction, boolean> = {
    edit: can('edit'),
    ask: side === 'lessee' && needsApproval && status === contractStatus.draft && !isWaiting && approval !== contractApproval.passed,
    approve: side === 'lessee' && decides,
    reject: side === 'lessee' && decides,
    send: can('send') && signs,
    recall: can('recall') && canRecall(dueOf(found), now),
    return: can('return'),
    confirm: can('confirm') && signs && !found.isSentByRevoked,
    void: can('void'),
    scan: stands && canUploadScan(found, side),
    matchScan: stands && canMatchScan(found, side),
    change: signs && found.openChange === null && changeKinds.some((kind) => canChange(found, kind, side, today)),
    notice: stands && signs,
    persons: isAmong(status, liveContracts) || stands,
  }
  const makes = actor.permissions.includes('contract:make')
  return (Object.keys(possible) as ContractAction[]).filter((action) => possible[action] && (makes || !isAmong(action, makingActions)))
}

function findPersons(db: Read, contractId: number) {
  return db
    .selectFrom('contractPerson as p')
    .innerJoin('account as a', 'a.id', 'p.accountId')
    .where('p.contractId', '=', contractId)
    .orderBy('p.side')
    .orderBy('p.task')
    .orderBy('p.accountId')
    .select(['p.side', 'p.task', 'p.accountId', 'a.name'])
    .execute()
}

function findScans(db: Read, contractId: number) {
  return db
    .selectFrom('contractFile as c')
    .innerJoin('file as f', 'f.id', 'c.fileId')
    .where('c.contractId', '=', contractId)
    .where('c.kind', '=', 'scan')
    .orderBy('c.orderNum')
    .select(['f.id', 'f.name', 'f.size', 'f.mime'])
    .execute()
}
