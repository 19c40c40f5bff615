import { sql, type RawBuilder } from 'kysely'
import { dayOf } from '#shared/calendar.ts'
import {
  amendedContracts,
  changeStatus,
  contractApproval,
  contractStatus,
  openChanges,
  scanState,
  type ContractSide,
} from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { itemsPerTask, type ContractTodo, type Task } from '#shared/statistics/panel.ts'
import type { Actor } from '../actor/actor.ts'
import { confirmByOf, isOverdueOn, waitsForCertification } from '../contract/change-hindrances.ts'
import { lapsesAt } from '../contract/lapse.ts'
import { approvalNow, isReturned, isScanNeeded, isSentByRevoked, maySign, seenBy } from '../contract/scope.ts'
import { standsOn } from '../contract-status/standing.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import { approvedFor } from '../demand/scope.ts'

type At = { actor: Actor; now: Date; side: ContractSide }

/** What a contract waits for. `where` is a condition on `contract`; `change` is its open amendment and `award` the award behind it, where there are such. */
type Source = {
  kind: ContractTodo
  link: (id: number) => string
  where: RawBuilder<boolean>
  since: RawBuilder<unknown>
  due: RawBuilder<unknown>
}

/** What the contracts of one side wait for this person to do; what only named people may do waits for nobody else. */
export async function findContractTasks(db: Read, at: At): Promise<Task[]> {
  const tasks: Task[] = []
  for (const source of [...(at.side === 'lessee' ? sourcesOfLessee(at) : sourcesOfLessor(at)), ...sourcesOfBoth(at)])
    tasks.push(await findContracts(db, at, source))
  return tasks
}

async function findContracts(db: Read, at: At, { kind, link, where, since, due }: Source): Promise<Task> {
  const other = sql.ref(at.side === 'lessee' ? 'contract.lessor_company_id' : 'contract.lessee_company_id')
  const rows = await db
    .selectFrom('contract')
    .leftJoin('award', 'award.id', 'contract.awardId')
    .leftJoin('contractChange as change', (join) =>
      join.onRef('change.contractId', '=', 'contract.id').on(sql<boolean>`change.status in (${literals(openChanges)})`),
    )
    .where(seenBy(at))
    .where(where)
    .select([
      'contract.id',
      'contract.title',
      sql<string>`(select enterprise_name from company where id = ${other}) || ' ' || contract.contract_code`.as('detail'),
      sql<string | null>`${since}`.as('since'),
      sql<string | null>`${due}`.as('due'),
      sql<number>`count(*) over ()::int`.as('total'),
    ])
    .orderBy(sql`due nulls last`)
    .orderBy(sql`since nulls last`)
    .orderBy('contract.id')
    .limit(itemsPerTask)
    .execute()
  return {
    kind,
    count: rows[0]?.total ?? 0,
    link: null,
    items: rows.map(({ id, total: _, ...row }) => ({ ...row, id: String(id), quotes: null, link: link(id) })),
  }
}

const { draft, sent } = contractStatus
const isIn = (status: string) => sql`contract.status = ${sql.lit(status)}`
/** A contract that no award with a due moment stands behind never lapses. */
const lapse = sql`case when award.contract_due is not null then ${lapsesAt} end`

const toChanges = (id: number) => paths.contract(id, 'changes')
/** Another bank account is named and confirmed also after both have agreed on an early end, until its last day is over. */
const isAmended = (now: Date) =>
  sql`(contract.status in (${literals(amendedContracts)}) or (${isIn(contractStatus.terminated)} and ${standsOn(dayOf(now))}))`
const answerDay = confirmByOf('change')
const isLate = (now: Date) => isOverdueOn('change', dayOf(now))

function sourcesOfLessee({ actor, now }: At): Source[] {
  const isWaiting = sql`${approvalNow} = ${sql.lit(contractApproval.waiting)}`
  const mine = maySign(actor, 'lessee')
  const approves =
    actor.role === 'leaseholder' && actor.isAdmin
      ? approvedFor(actor, sql.ref('contract.dept_id'), 'approves_contracts')
      : sql<boolean>`false`
  return [
    {
      kind: 'contractReturned',
      link: paths.editContract,
      where: sql<boolean>`(${isIn(draft)} and not ${isWaiting} and ${isReturned} and ${mine})`,
      since: sql`contract.returned_at`,
      due: lapse,
    },
    {
      kind: 'contractSend',
      link: paths.contract,
      where: sql<boolean>`(${isIn(draft)} and not ${isWaiting} and not ${isReturned} and ${mine})`,
      since: sql`contract.create_time`,
      due: lapse,
    },
    {
      kind: 'contractApprove',
      link: paths.contract,
      where: sql<boolean>`(${isIn(draft)} and ${isWaiting} and contract.approval_asked_by is distinct from ${actor.accountId} and ${approves})`,
      since: sql`contract.update_time`,
      due: lapse,
    },
    {
      kind: 'contractChangeApprove',
      link: toChanges,
      where: sql<boolean>`(${isAmended(now)} and change.approval = ${sql.lit(contractApproval.waiting)}
        and change.approval_asked_by is distinct from ${actor.accountId} and not ${isLate(now)} and not ${waitsForCertification(actor)}
        and ${approves})`,
      since: sql`change.create_time`,
      due: answerDay,
    },
  ]
}

function sourcesOfLessor({ actor }: At): Source[] {
  const waiting = { link: paths.contract, since: sql`contract.sent_at`, due: lapse }
  const mine = maySign(actor, 'lessor')
  return [
    { ...waiting, kind: 'contractConfirm', where: sql<boolean>`(${isIn(sent)} and not ${isSentByRevoked} and ${mine})` },
    // Nobody of that lessee can take it back meanwhile.
    { ...waiting, kind: 'contractReturn', where: sql<boolean>`(${isSentByRevoked} and ${mine})` },
  ]
}

const sourcesOfBoth = ({ actor, side, now }: At): Source[] => [
  // What waits for a certification is nobody's task meanwhile. To refuse is the only answer to one that is overdue.
  {
    kind: 'contractChange',
    link: toChanges,
    where: sql<boolean>`(${isAmended(now)} and change.status = ${sql.lit(changeStatus.sent)}
      and change.side <> ${sql.lit(side)} and (${isLate(now)} or not ${waitsForCertification(actor)}) and ${maySign(actor, side)})`,
    since: sql`change.sent_at`,
    due: answerDay,
  },
  {
    kind: 'contractScan',
    link: (id) => paths.contract(id, 'people'),
    where: sql<boolean>`(${standsOn(dayOf(now))} and contract.scan_state = ${sql.lit(scanState.uploaded)}
      and contract.scan_by <> ${sql.lit(side)})`,
    since: sql`(select max(e.at) from contract_event e where e.contract_id = contract.id and e.move = 'scan')`,
    due: sql`null::timestamptz`,
  },
  // Either side may submit it, and no machine enters without it. Once the hire has begun, the page of the contract alone says that it is missing.
  {
    kind: 'contractNeedsScan',
    link: (id) => paths.contract(id, 'people'),
    where: sql<boolean>`(contract.status in (${literals(amendedContracts)}) and contract.scan_state = ${sql.lit(scanState.none)}
      and contract.plan_start >= ${dayOf(now)}::date and ${isScanNeeded})`,
    since: sql`contract.confirmed_at`,
    due: sql`contract.plan_start`,
  },
]
