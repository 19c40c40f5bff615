import { addDays, dayOf } from '#shared/calendar.ts'
import type { ChangeTerms } from '#shared/contract/changes.ts'
import { makesVersion, otherSide, type ContractSide } from '#shared/contract/rules.ts'
import { applyDueAccounts } from '#server/contract/account.ts'
import { findPositions } from '#server/contract/text.ts'
import { compareScan, confirmProposed, endProposed, holdsFrom, nameKeeper, propose, scan, type Hire } from './contract-moves.ts'

const hour = 3_600_000
const day = 24 * hour

/** Plans a step at a time; one that is still to come never happens. */
export type Plan = (when: Date, run: (when: Date) => Promise<unknown>) => void

type Amended = { id: number; planEnd: string; today: string }
type Course = {
  side: ContractSide
  reason: string
  outcome: 'confirmed' | 'refused' | 'withdrawn'
  answer?: string
  /** The hire ends on another day than the one it was confirmed with. */
  movesEnd?: true
  /** Null where the contract has no such position. */
  terms: (hire: Hire, amended: Amended) => Promise<ChangeTerms | null>
}

const linesOf = ({ services }: Hire, { id }: Amended) => findPositions(services.db, id)

/** All positions end so many days later. */
const extended =
  (days: number): Course['terms'] =>
  async (hire, amended) => ({
    kind: 'extend',
    lines: (await linesOf(hire, amended)).map(({ id, planEnd }) => ({ lineId: id, value: addDays(planEnd, days) })),
  })

/** Three percent more, rounded up to the yuan. */
const dearer: Course['terms'] = async (hire, amended) => ({
  kind: 'price',
  lines: (await linesOf(hire, amended)).map(({ id, unitPriceFen }) => ({
    lineId: id,
    value: (Math.floor((unitPriceFen * 103) / 10_000) + 1) * 100,
  })),
})

const laterNotice: Course['terms'] = async ({ services }, { id }) => {
  const { clauses } = await services.db.selectFrom('contract').where('id', '=', id).select('clauses').executeTakeFirstOrThrow()
  return { kind: 'clause', clauses: { ...clauses, noticeDays: 10 } }
}

const otherAccount: Course['terms'] = async ({ companyId }) => ({
  kind: 'account',
  bankName: '示例银行天府新区支行',
  bankAccount: `62280000${String(200_000_000 + companyId)}`,
})

/** The last of several positions is cancelled; of a single one the hire ends ten days earlier, where that is still to come. */
const fewer: Course['terms'] = async (hire, amended) => {
  const lines = await linesOf(hire, amended)
  const last = lines.at(-1)
  if (!last) return null
  const rest = lines.slice(0, -1)
  if (rest.length > 0)
    return rest.some(({ planEnd }) => planEnd > holdsFrom(amended.today)) ? { kind: 'quantity', lineIds: [last.id] } : null
  const value = addDays(last.planEnd, -10)
  return value > addDays(amended.today, 5) && value > last.planStart ? { kind: 'shorten', lines: [{ lineId: last.id, value }] } : null
}

/** What happens to a contract in force, by the rest of its number: about half are amended. */
const courses: readonly (Course | null)[] = [
  { side: 'lessee', reason: '主体结构工期顺延，设备继续使用', outcome: 'confirmed', movesEnd: true, terms: extended(20) },
  null,
  { side: 'lessor', reason: '随机司机工资上涨，申请调整租金单价', outcome: 'confirmed', terms: dearer },
  null,
  { side: 'lessee', reason: '退场通知时间按项目部管理办法统一', outcome: 'confirmed', terms: laterNotice },
  { side: 'lessor', reason: '柴油与配件涨价，申请调整租金单价', outcome: 'refused', answer: '合同期内单价不作调整', terms: dearer },
  { side: 'lessor', reason: '原收款账户注销，变更收款账户', outcome: 'confirmed', terms: otherAccount },
  null,
  { side: 'lessee', reason: '雨季影响进度，拟延长租期', outcome: 'withdrawn', answer: '进度已赶回，不再延期', terms: extended(30) },
  { side: 'lessee', reason: '工程量核减，相应减少租用', outcome: 'confirmed', movesEnd: true, terms: fewer },
  null,
  null,
]

/** Plans what follows the confirmation: who is named, the scan, at most one amendment, and for most hires that are over the agreed end. */
export function planInForce(hire: Hire, plan: Plan, confirmed: { id: number; planEnd: string; at: Date }): void {
  const { id, at } = confirmed
  const after = (from: Date, hours: number) => new Date(from.getTime() + hours * hour)
  if (id % 4 !== 1) plan(after(at, 2), (time) => nameKeeper(hire, time))
  if (id % 3 !== 0) planScan(hire, plan, { at: after(at, 20 + (id % 50)), agrees: id % 15 !== 1 })
  const course = courses[id % courses.length] ?? null
  if (course) planCourse(hire, plan, { course, ...confirmed, at: after(at, 24 * (3 + (id % 9)) + 5) })
  const ends = new Date(Date.parse(`${confirmed.planEnd}T10:20:00+08:00`) - (8 + (id % 12)) * day)
  if (id % 4 !== 3 && !course?.movesEnd && ends > after(at, 20 * 24)) planEnd(hire, plan, ends)
}

function planScan(hire: Hire, plan: Plan, { at, agrees }: { at: Date; agrees: boolean }): void {
  plan(at, async (time) => {
    await scan(hire, time, 'lessor')
    plan(new Date(time.getTime() + 27 * hour), (later) => compareScan(hire, later, { side: 'lessee', agrees }))
  })
}

type Planned = { course: Course; id: number; planEnd: string; at: Date }

function planCourse(hire: Hire, plan: Plan, { course, id, planEnd: end, at }: Planned): void {
  const { side, reason, outcome, answer = '' } = course
  plan(at, async (time) => {
    const terms = await course.terms(hire, { id, planEnd: end, today: dayOf(time) })
    // No version holds from after the hire.
    if (!terms || (makesVersion(terms.kind) && holdsFrom(dayOf(time)) >= end)) return
    const changeId = await propose(hire, time, { side, reason, terms })
    if (changeId === null) return
    plan(new Date(time.getTime() + 22 * hour), async (later) => {
      const other = otherSide(side)
      if (outcome === 'withdrawn') return endProposed(hire, later, { id: changeId, side, move: 'recall', answer })
      if (outcome === 'refused') return endProposed(hire, later, { id: changeId, side: other, move: 'refuse', answer })
      await confirmProposed(hire, later, { id: changeId, side: other })
      if (terms.kind === 'account')
        plan(new Date(later.getTime() + 24.5 * hour), (due) => applyDueAccounts({ ...hire.services, clock: { now: () => due } }))
    })
  })
}

/** The work is done a little earlier than planned, and both agree on the last day. */
function planEnd(hire: Hire, plan: Plan, at: Date): void {
  plan(at, async (time) => {
    const terms = { kind: 'terminate' as const, lastDay: addDays(dayOf(time), 5) }
    const changeId = await propose(hire, time, { side: 'lessee', reason: '作业内容提前完成，双方协商终止', terms })
    if (changeId !== null)
      plan(new Date(time.getTime() + 26 * hour), (later) => confirmProposed(hire, later, { id: changeId, side: 'lessor' }))
  })
}

/** For the demo's people: an amendment of one side that nobody has answered yet. */
export async function proposeOpen(hire: Hire, now: Date, { id, planEnd: end, side }: Amended & { side: ContractSide }): Promise<void> {
  const { reason, terms } =
    side === 'lessee'
      ? { reason: '桥台施工顺延，拟续租十五天', terms: extended(15) }
      : { reason: '随机司机食宿费用上涨，申请调整单价', terms: dearer }
  const wanted = await terms(hire, { id, planEnd: end, today: dayOf(now) })
  if (wanted) await propose(hire, now, { side, reason, terms: wanted })
}
