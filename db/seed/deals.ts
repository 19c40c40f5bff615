import { addDays, dayOf } from '#shared/calendar.ts'
import { sql } from 'kysely'
import type { Category } from '#shared/category/contract.ts'
import { DemandInput, DraftForm } from '#shared/demand/input.ts'
import { mainRequirement } from '#shared/demand/rules.ts'
import { deptType } from '#shared/dept/rules.ts'
import { userType } from '#shared/account/rules.ts'
import { permissionsOf } from '#shared/account/permissions.ts'
import { QuoteInput } from '#shared/quote/contract.ts'
import { passesOverCheaper, propose } from '#shared/award/rules.ts'
import type { Actor } from '#server/actor/actor.ts'
import { awardDemand } from '#server/award/moves.ts'
import { findCategories } from '#server/category/queries.ts'
import { rejectDemand } from '#server/demand/approval.ts'
import { transact } from '#server/deed.ts'
import { saveDraft } from '#server/demand/drafts.ts'
import { endDemand } from '#server/demand/moves.ts'
import { Refusal } from '#server/http/refusal.ts'
import { matchForProject } from '#server/internal/queries.ts'
import { openDemand } from '#server/opening/moves.ts'
import { notifyWithoutRest } from '#server/quote/notices.ts'
import { publishDemand } from '#server/demand/publish.ts'
import { findItems } from '#server/demand/queries.ts'
import { compareQuotes } from '#server/quote/compare.ts'
import { findCandidateCards } from '#server/quote/candidates.ts'
import { findMatchingCompanies } from '#server/quote/market.ts'
import { submitQuote } from '#server/quote/moves.ts'
import type { Services } from '#server/services.ts'
import { planContracts } from './contracts.ts'
import { demandOf, type Ending, type Job } from './demands.ts'
import type { SeededMachine } from './fleet.ts'
import type { LessorSeed, People, ProjectSeed } from './people.ts'
import { drawnPaper, type Picture } from './pictures.ts'
import { Dice } from './random.ts'
import { freeLine, keepMachines, scenesOf } from './scenes.ts'
import type { Timeline } from './timeline.ts'

const quantities: Record<Ending, number> = { review: 6, awarded: 96, failed: 9, cancelled: 15, judging: 14, open: 25, draft: 12 }
const day = 86_400_000
const minute = 60_000
/** From here on a low loader costs more than a machine from nearby. */
const farKm = 150

const typeOf = { leaseholder: userType.lessee, projectUser: userType.project, leaser: userType.lessor } as const

const actor = (accountId: number, role: keyof typeof typeOf, companyId: number, deptId: number | null): Actor => ({
  accountId,
  userName: '',
  userType: typeOf[role],
  role,
  contractRole: role,
  permissions: permissionsOf[role],
  companyId,
  deptId,
  isAdmin: false,
  setup: null,
  address: '',
})

type Market = {
  services: Services
  timeline: Timeline
  categories: ReadonlyMap<number, Category>
  lessors: ReadonlyMap<number, LessorSeed>
  /** The companies of the two lessors whose sign-in stands on the sign-in page. */
  visited: ReadonlySet<number>
  /** When each machine was entered: nobody offers one before. */
  entered: ReadonlyMap<number, Date>
  /** The machines of a firm that are offered in its scenes only. */
  sceneMachines: ReadonlyMap<number, readonly SeededMachine[]>
  dice: Dice
  now: Date
  /** A sealed paper, for the scans of contracts. */
  paper: Picture
}

type Given = Pick<Market, 'dice' | 'now' | 'timeline'> & { machines: readonly SeededMachine[] }

/** Plans the demands of a year, made by the calls that people use, each at its own time. */
export async function planDeals(services: Services, people: People, { dice, now, timeline, machines }: Given) {
  const market: Market = {
    services,
    timeline,
    categories: new Map((await findCategories(services.db)).map((category) => [category.id, category])),
    lessors: new Map(people.lessors.map((lessor) => [lessor.companyId, lessor])),
    entered: new Map(machines.map(({ id, created }) => [id, created])),
    sceneMachines: keepMachines(people, machines, now),
    visited: new Set(people.lessors.slice(0, 2).map(({ companyId }) => companyId)),
    dice,
    now,
    paper: await drawnPaper(210, false, 'HT'),
  }
  const [own, , approved] = people.projects as [ProjectSeed, ProjectSeed, ProjectSeed]
  // One unit has recently begun to approve what its projects publish.
  const others = people.projects.filter(({ unit }) => unit !== approved.unit)
  const { review, ...rest } = quantities
  let planned = 0
  for (const [ending, n] of Object.entries(rest) as [Ending, number][])
    for (let step = 0; step < n; step++) {
      const recent = ending === 'open' || ending === 'draft'
      // The demo's own project has some of every kind.
      const project = planned++ % 7 === 0 ? own : dice.pick(recent ? others : people.projects)
      plan(market, { ending, at: publishTime(ending, { step, n }, market), project })
    }
  planApproval(market, approved, review)
  const before = (minutes: number) => new Date(now.getTime() - minutes * minute)
  // Whoever starts the demo sees two openings live: an urgent one after three minutes and a usual one after ten.
  plan(market, {
    ending: 'open',
    at: before(27 * 60),
    project: own,
    deadline: new Date(now.getTime() + 10 * minute),
    wish: 'earth',
    lines: 2,
  })
  plan(market, {
    ending: 'open',
    at: before(3 * 60),
    project: own,
    deadline: new Date(now.getTime() + 3 * minute),
    wish: 'hoisting',
    urgent: true,
    lines: 1,
  })
  // Whatever the dice and the hour give, whoever signs in as a lessor finds demands that their machines fit.
  for (const [index, fits] of [...market.visited].entries())
    for (const hours of [5, 29])
      planFitting(
        { ...market, dice: new Dice(41_000 + 100 * index + hours) },
        { ending: 'open', at: before(hours * 60), project: own, wish: 'grading', fits },
      )
  plan(market, { ending: 'open', at: before(50), project: own, wish: 'building', lines: 2 })
  for (const [index, job] of scenesOf(people, now).entries()) planFitting({ ...market, dice: new Dice(40_000 + index) }, job)
}

/** Deals are spread over a year, a few more in the latest ones. */
function publishTime(ending: Ending, { step, n }: { step: number; n: number }, { dice, now }: Market): Date {
  const hours = dice.between(0, 9) / 24
  const days = {
    open: dice.between(0, 3) + 1 / 12,
    draft: dice.between(0, 8),
    judging: dice.between(9, 14),
    awarded: 12 + 360 * (step / n) ** 1.25,
    failed: 14 + (350 * step) / n,
    cancelled: 6 + (360 * step) / n,
    review: 0,
  }[ending]
  return new Date(now.getTime() - (days + hours) * day)
}

/** Demands that wait for the unit above, one of which it has rejected. */
function planApproval(market: Market, project: ProjectSeed, review: number): void {
  const { services, timeline, now } = market
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 60 * minute)
  timeline.add(hoursAgo((review + 1) * 5), async () => {
    await sql`update dept set approves_demands = true where id = (select parent_id from dept where id = ${project.deptId})`.execute(
      services.db,
    )
  })
  let rejecting = false
  for (let step = review; step > 0; step--)
    timeline.add(hoursAgo(step * 5), async (at) => {
      const { id } = await publish(market, { ending: 'review', at, project })
      if (rejecting) return
      rejecting = true
      timeline.add(hoursAgo(2), async (later) => {
        const { id: approver } = await services.db
          .selectFrom('account')
          .where('userName', '=', 'lessee')
          .select('id')
          .executeTakeFirstOrThrow()
        const root = await services.db
          .selectFrom('dept')
          .where('deptType', '=', deptType.enterprise)
          .orderBy('id')
          .select('id')
          .executeTakeFirstOrThrow()
        const admin = { ...actor(approver, 'leaseholder', project.companyId, root.id), isAdmin: true }
        const { version } = await services.db.selectFrom('demand').where('id', '=', id).select('version').executeTakeFirstOrThrow()
        const rejected = { id, version, reason: '进场日期与施工计划不一致，请核对后重新提交' }
        await transact(services, { actor: admin, now: later }, (deed) => rejectDemand(deed, rejected))
      })
    })
}

/** A demand for a machine that the firm has free by then. */
function planFitting(market: Market, job: Job & { fits: number }): void {
  const { services, timeline, sceneMachines } = market
  timeline.add(job.at, async (at) => {
    const asked = await freeLine(services.db, sceneMachines.get(job.fits) ?? [], at)
    // A firm whose machines are all let has one demand fewer; nobody's start fails for that.
    if (asked) plan(market, { ...job, asked })
  })
}

const buyerOf = ({ project }: Job) => actor(project.accountId, 'projectUser', project.companyId, project.deptId)

function plan(market: Market, job: Job): void {
  const { services, timeline, categories, dice } = market
  timeline.add(job.at, async (at) => {
    if (job.ending === 'draft') {
      const { input } = demandOf(job, categories, dice)
      const form = DraftForm.parse(JSON.parse(JSON.stringify({ ...input, quoteDeadline: '' })))
      await transact(services, { actor: buyerOf(job), now: at }, (deed) => saveDraft(deed, { deptId: job.project.deptId, form }))
      return
    }
    const { id, deadline } = await publish(market, job)
    await planQuotes(market, { job, id, deadline })
  })
}

async function publish({ services, categories, dice }: Market, job: Job): Promise<{ id: number; deadline: Date }> {
  const { input, deadline } = demandOf(job, categories, dice)
  // A past demand that was short was opened with the quotes it had.
  const whole = DemandInput.parse({ ...input, ...(job.ending !== 'open' && { minQuotes: 1 }) })
  const buyer = buyerOf(job)
  const internalAnswers = await answersFor(services, buyer, whole, categories)
  // The sentence says that nothing of the group is idle, so it goes where a machine is.
  const asked = { ...whole, internalAnswers, ...(internalAnswers.length > 0 && { internalReason: '' }) }
  const { id } = await transact(services, { actor: buyer, now: job.at }, (deed) => publishDemand(deed, asked))
  // The job ran at that time.
  await notifyWithoutRest({ ...services, clock: { now: () => job.at } })
  return { id, deadline }
}

/** Why the project hires although the group has such machines idle: they stand far away, or are being repaired. */
async function answersFor({ db }: Services, buyer: Actor, { deptId, cityId, items }: DemandInput, categories: Market['categories']) {
  const lines = items.map((item) => {
    const main = categories.get(item.categoryId)?.params.find((param) => param.main)?.key
    return { ...item, ...mainRequirement(item.specRequirements.find(({ key, rule }) => key === main && rule !== 'in')) }
  })
  const found = await matchForProject(db, buyer, { deptId, cityId, items: lines })
  return [...new Map(found.map((match) => [match.machine.id, match])).values()].map(({ machine, distanceKm }) => ({
    machineId: machine.id,
    take: false,
    reason: distanceKm !== null && distanceKm < farKm ? '该设备正在检修，不能按期进场' : '设备距工地较远，调遣费和时间不合算',
  }))
}

type Published = { job: Job; id: number; deadline: Date }

/** Some of the lessors near by quote before the deadline, then the demand goes its way. */
async function planQuotes(market: Market, { job, id, deadline }: Published): Promise<void> {
  const { services, timeline, lessors, visited, dice, now } = market
  const wanted = {
    awarded: dice.pick([3, 4, 5, 6]),
    judging: dice.pick([4, 5, 6]),
    open: job.deadline ? 6 : dice.pick([2, 3, 3, 4]),
    failed: dice.pick([0, 1]),
    cancelled: dice.pick([0, 1, 2]),
    review: 0,
    draft: 0,
  }[job.ending]
  // Whoever signs in as a lessor finds demands that they have not quoted.
  const isLeft = (companyId: number) => job.ending === 'open' && !job.deadline && visited.has(companyId)
  const near = (await findMatchingCompanies(services.db, id, job.at)).filter(({ companyId }) => !isLeft(companyId)).slice(0, wanted + 2)
  const quoting = job.scene && job.fits ? [{ companyId: job.fits }] : dice.some(near, wanted)
  const chosen = quoting.flatMap(({ companyId }) => lessors.get(companyId) ?? [])
  const ends = job.ending === 'cancelled' ? job.at.getTime() + 2 * day : Math.min(deadline.getTime(), now.getTime())
  const until = ends - job.at.getTime()
  for (const [index, lessor] of chosen.entries())
    timeline.add(new Date(job.at.getTime() + (until * (index + 1)) / (chosen.length + 2)), (at) =>
      quote(market, { demandId: id, deadline, lessor, at, machines: job.scene ? 'scene' : job.deadline ? 'all' : 'others' }),
    )
  if (job.ending !== 'open') planEnding(market, { job, id, deadline }, chosen.length)
}

function planEnding({ services, timeline, lessors, dice, now, paper }: Market, { job, id, deadline }: Published, quotes: number): void {
  const buyer = buyerOf(job)
  if (job.ending === 'cancelled') {
    const reason = dice.pick(['施工方案调整，暂不需要', '工期推迟，另行发布', '改由分包自带设备'])
    timeline.add(new Date(job.at.getTime() + 2 * day), (at) =>
      transact(services, { actor: buyer, now: at }, (deed) => endDemand(deed, { id, move: 'cancel', reason })),
    )
    return
  }
  timeline.add(deadline, async (at) => {
    await transact(services, { now: at }, (work) => openDemand(work, id, 'clock'))
  })
  if (job.ending === 'judging' && quotes > 0) return
  const later =
    job.scene?.awardedAt ??
    new Date(Math.min(deadline.getTime() + dice.between(1, 3) * day + dice.between(20, 400) * minute, now.getTime() - 3_600_000))
  timeline.add(later, async (at) => {
    const award = job.ending === 'awarded' ? await picksFor(services, id, at) : []
    if (award.length === 0) {
      const reason = quotes === 0 ? '截止时无人报价' : '有效报价不足，调整条件后重新发布'
      await transact(services, { actor: buyer, now: at }, (deed) => endDemand(deed, { id, move: 'fail', reason }))
      return
    }
    await transact(services, { actor: buyer, now: at }, (deed) => awardDemand(deed, { id, lines: award, loseReasons: {} }))
    const sellerOf = (companyId: number) => {
      const lessor = lessors.get(companyId)
      return lessor && actor(lessor.accountId, 'leaser', companyId, null)
    }
    await planContracts({ services, timeline, now, demandId: id, at, buyer, sellerOf, paper, stage: job.scene?.stage })
  })
}

/** The cheapest for each line, of the offers that still stand whole. */
async function picksFor({ db }: Services, id: number, now: Date) {
  const compared = await compareQuotes(db, id, now)
  const offers = compared.quotes.flatMap((quoted) =>
    quoted.lines.map((line) => ({
      quoteLineId: line.id,
      quoteId: quoted.id,
      demandItemId: line.demandItemId,
      companyId: quoted.companyId,
      qty: line.qty,
      netFen: line.netFen,
      earliestEntry: line.earliestEntry,
      stands: !quoted.blocked && quoted.bars.length === 0 && line.availableQty >= line.qty,
    })),
  )
  const picks = propose(
    'lowestLine',
    await findItems(db, id),
    offers.filter(({ stands }) => stands),
  )
  return picks.map((pick) => ({
    ...pick,
    reason: passesOverCheaper(pick, picks, offers)
      ? '更低的报价设备已被占用，本家可按期进场'
      : '按抵税后到场总价由低到高选取，设备可按期进场',
  }))
}

/** `scene`: the firm's machines for its scenes. Whoever quotes before an opening to come offers all: nothing is booked before the start. */
type Quoting = { demandId: number; deadline: Date; lessor: LessorSeed; at: Date; machines: 'scene' | 'others' | 'all' }

/** Offers what fits and is free, near the public price. */
async function quote(
  { services, entered, sceneMachines, dice }: Market,
  { demandId, deadline, lessor, at, machines: offered }: Quoting,
): Promise<void> {
  const items = await findItems(services.db, demandId)
  const candidates = await findCandidateCards(services.db, { companyId: lessor.companyId, deptId: 0, items, demands: [], now: at })
  const sceneIds = new Set(sceneMachines.get(lessor.companyId)?.map(({ id }) => id))
  const lines = items.flatMap((item) => {
    const isThere = (id: number) => (entered.get(id) ?? at) <= at && (offered === 'all' || sceneIds.has(id) === (offered === 'scene'))
    const fitting = (candidates[String(item.id)] ?? []).filter(({ id, misses }) => misses.length === 0 && isThere(id))
    const machines: { equipmentId: number; qty: number }[] = []
    let open = item.qty
    for (const machine of fitting) {
      if (open === 0) break
      const qty = Math.min(open, machine.freeQty)
      machines.push({ equipmentId: machine.id, qty })
      open -= qty
    }
    const first = fitting[0]
    if (!first || machines.length === 0) return []
    const price = first.prices.find(({ rentUnit }) => rentUnit === item.rentUnit)
    if (price?.price == null) return []
    const base = price.price / 100
    const step = base < 200 ? 1 : 5
    const unitPrice = Math.max(step, Math.round((base * dice.normal(1, 0.05)) / step) * step)
    const heavy = [201, 202, 208, 210, 406, 501, 510, 701, 801].includes(item.categoryId)
    return [
      {
        demandItemId: item.id,
        machines,
        unitPrice,
        rentUnit: item.rentUnit,
        includesOperator: price.withOperator,
        includesFuel: price.fuelBy === 'lessor',
        entryFee: heavy ? dice.between(60, 140) * 100 : dice.between(4, 20) * 100,
        exitFee: heavy ? dice.between(50, 120) * 100 : dice.between(4, 18) * 100,
        erectionFee: heavy ? dice.between(80, 200) * 100 : 0,
        taxRate: price.taxRate,
        invoiceKind: dice.next() < 0.88 ? 'special' : 'plain',
        minRentDays: item.rentUnit === 'M' ? dice.pick([0, 30, 60]) : 0,
        earliestEntry: addDays(item.planStart, -dice.between(0, 4)),
        ceilingReason: price.withOperator ? '含随机司机食宿与夜间照明，高于参考限价' : '近两年新机，含上门维保，高于参考限价',
        promisesRenewal: true,
      },
    ]
  })
  if (lines.length === 0) return
  const parsed = QuoteInput.parse({
    demandId,
    contactName: lessor.contact,
    contactPhone: lessor.phone,
    validUntil: addDays(dayOf(deadline), 30),
    note: dice.pick(['', '设备现在库，可提前踏勘。', '可提供备用机一台。', '价格含税，含随机保养。']),
    lines,
  })
  const offering = actor(lessor.accountId, 'leaser', lessor.companyId, null)
  try {
    await transact(services, { actor: offering, now: at }, (deed) => submitQuote(deed, parsed))
  } catch (error) {
    // Somebody who was chosen to quote has been restricted meanwhile.
    if (!(error instanceof Refusal && error.code === 'blacklisted')) throw error
  }
}
