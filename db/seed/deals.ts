import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { sql } from 'kysely'
import { DemandInput, DraftForm } from '#shared/demand/input.ts'
import type { RentUnit } from '#shared/equipment/rules.ts'
import { permissionsOf, userType } from '#shared/account/rules.ts'
import { QuoteInput } from '#shared/quote/contract.ts'
import { propose } from '#shared/award/rules.ts'
import type { Actor } from '#server/actor/actor.ts'
import { awardDemand } from '#server/award/moves.ts'
import { findCategories } from '#server/category/queries.ts'
import { rejectDemand } from '#server/demand/approval.ts'
import { transact } from '#server/deed.ts'
import { saveDraft } from '#server/demand/drafts.ts'
import { endDemand } from '#server/demand/moves.ts'
import { openDemand } from '#server/opening/moves.ts'
import { tellWaiting } from '#server/quote/notices.ts'
import { publishDemand } from '#server/demand/publish.ts'
import { findItems } from '#server/demand/queries.ts'
import { compareQuotes } from '#server/quote/compare.ts'
import { findCandidates } from '#server/quote/candidates.ts'
import { canBeQuoted } from '#shared/quote/rules.ts'
import { findMatchingCompanies } from '#server/quote/market.ts'
import { submitQuote } from '#server/quote/moves.ts'
import type { Services } from '#server/services.ts'
import { machineClasses } from './machines.ts'
import type { LessorSeed, People, ProjectSeed } from './people.ts'
import type { Dice } from './random.ts'

type Ending = 'review' | 'awarded' | 'failed' | 'cancelled' | 'judging' | 'open' | 'draft'

const quantities: Record<Ending, number> = { review: 6, awarded: 96, failed: 9, cancelled: 15, judging: 14, open: 28, draft: 12 }
const day = 86_400_000

const typeOf = { leaseholder: userType.lessee, projectUser: userType.project, leaser: userType.lessor } as const

const actor = (accountId: number, role: keyof typeof typeOf, companyId: number, deptId: number | null): Actor => ({
  accountId,
  userName: '',
  userType: typeOf[role],
  role,
  permissions: permissionsOf[role],
  companyId,
  deptId,
  isAdmin: false,
  setup: null,
  address: '',
})

/** Demands of fourteen months, made by the calls that people use, each at its own time. */
export async function seedDeals(services: Services, people: People, dice: Dice, now: Date): Promise<void> {
  const categories = new Map((await findCategories(services.db)).map((category) => [category.id, category]))
  const { review, ...others } = quantities
  const endings = Object.entries(others).flatMap(([ending, n]) => Array.from({ length: n }, () => ending as Ending))
  // The demo's own project has some of every kind.
  const jobs = endings
    .map((ending, index) => ({
      ending,
      at: publishTime(ending, dice, now),
      project: (index % 7 === 0 ? people.projects[0] : dice.pick(people.projects)) as ProjectSeed,
    }))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const byCompany = new Map(people.lessors.map((lessor) => [lessor.companyId, lessor]))
  for (const job of jobs) await play(services, job, categories, byCompany, dice, now)
  // One unit has recently begun to approve what its projects publish; some demands wait for it, one was rejected.
  const project = people.projects[2] as ProjectSeed
  await sql`update dept set approves_demands = true where id = (select parent_id from dept where id = ${project.deptId})`.execute(
    services.db,
  )
  const waiting: number[] = []
  for (let step = 0; step < review; step++) {
    const at = new Date(now.getTime() - (step + 1) * 5 * 3_600_000)
    const id = await play(services, { ending: 'review', at, project }, categories, byCompany, dice, now)
    if (id) waiting.push(id)
  }
  const { id: approver } = await services.db.selectFrom('account').where('userName', '=', 'lessee').select('id').executeTakeFirstOrThrow()
  const root = await services.db.selectFrom('dept').where('deptType', '=', '1').orderBy('id').select('id').executeTakeFirstOrThrow()
  const admin = { ...actor(approver, 'leaseholder', project.companyId, root.id), isAdmin: true }
  if (waiting[0]) {
    const rejected = { id: waiting[0], reason: '进场日期与施工计划不一致，请核对后重新提交' }
    await transact(services, { actor: admin, now }, (deed) => rejectDemand(deed, rejected))
  }
}

function publishTime(ending: Ending, dice: Dice, now: Date): Date {
  const hours = dice.between(0, 9) * 3_600_000
  switch (ending) {
    case 'open':
      return new Date(now.getTime() - dice.between(0, 3) * day - hours - 3_600_000)
    case 'draft':
      return new Date(now.getTime() - dice.between(0, 8) * day - hours)
    case 'judging':
      return new Date(now.getTime() - dice.between(9, 14) * day - hours)
    default:
      return new Date(now.getTime() - dice.between(16, 420) * day - hours)
  }
}

type Job = { ending: Ending; at: Date; project: ProjectSeed }

function demandOf(
  { ending, at, project }: Job,
  categories: Awaited<ReturnType<typeof findCategories>>,
  dice: Dice,
): { input: Record<string, unknown>; deadline: Date } {
  const byId = new Map(categories.map((category) => [category.id, category]))
  // At 10:00, 14:00 or 17:00 in Shanghai.
  const midnight = Date.parse(`${dayOf(at)}T00:00:00+08:00`)
  const deadline = new Date(
    midnight + (ending === 'open' ? dice.between(5, 12) : dice.between(4, 8)) * day + dice.pick([10, 14, 17]) * 3_600_000,
  )
  const dense = machineClasses.filter((machineClass) => machineClass.dense)
  const lines = dice
    .some([...dense, ...dense, ...machineClasses], dice.pick([1, 1, 2, 2, 3, 4]))
    .filter((machineClass, index, all) => all.findIndex(({ category }) => category === machineClass.category) === index)
  const start = addDays(dayOf(deadline), dice.between(4, 25))
  const items = lines.map((machineClass) => {
    const category = byId.get(machineClass.category)
    const main = category?.params.find((param) => param.main)
    const units = (category?.priceUnits ?? ['M']) as RentUnit[]
    const rentUnit: RentUnit = units.includes('M') && dice.next() < 0.85 ? 'M' : (units.find((unit) => unit === 'S' || unit === 'D') ?? 'M')
    const months = rentUnit === 'M' ? dice.between(2, 9) : 1
    const planStart = addDays(start, dice.between(0, 6))
    const ceiling = dice.next() < 0.35 ? Math.round(machineClass.rent * 1.08) : null
    return {
      fatherCategoryId: category?.parentId ?? 0,
      categoryId: machineClass.category,
      specRequirements: main ? [{ key: main.key, rule: 'ge', value: String(Math.floor(machineClass.value * 0.95 * 10) / 10) }] : [],
      qty: machineClass.lot ? dice.between(3, 8) : dice.pick([1, 1, 1, 2]),
      planStart,
      planEnd: addDays(planStart, months * 30),
      rentUnit,
      estQuantity: rentUnit === 'S' ? 24 : null,
      shiftMode: dice.next() < 0.12 ? 'double' : 'single',
      minEmission: project.lowEmission && category?.flags.nonRoad ? '3' : null,
      maxAgeYears: dice.next() < 0.2 ? 8 : null,
      priceCeiling: rentUnit === 'M' ? ceiling : null,
      remark: dice.pick(['', '', '须随机司机持证上岗', '工地限高 4.5 m，进场前踏勘', '夜间施工，须配照明']),
    }
  })
  const title = `${project.short} ${items
    .slice(0, 2)
    .map((item) => `${byId.get(item.categoryId)?.alias[0] ?? byId.get(item.categoryId)?.name}${item.qty}台`)
    .join('、')}${items.length > 2 ? '等' : ''}`
  return {
    deadline,
    input: {
      demandType: '1',
      title: title.slice(0, 60),
      deptId: project.deptId,
      provinceId: project.city.provinceId,
      cityId: project.city.cityId,
      districtId: project.city.districtId,
      address: `${project.city.name}市${project.short}项目工地`,
      lowEmissionZone: project.lowEmission,
      contactName: '周机料',
      contactPhone: '14400009201',
      quoteDeadline: toMoment(deadline),
      sealed: dice.next() < 0.85,
      minQuotes: 3,
      payment: { cycle: 'month', ratio: dice.pick([70, 75, 80]), days: dice.pick([30, 45, 60]), invoice: 'special' },
      budgetLimit: null,
      internalReason: '集团内同类设备均在用，暂无闲置。',
      terms: dice.pick([
        '进场前提供设备合格证、检验报告和司机证件原件核验。',
        '设备须接受项目部入场验收，不合格不计租。',
        '台班签认实行一天一签，月末汇总。',
      ]),
      items,
    },
  }
}

async function play(
  services: Services,
  job: Job,
  categories: ReadonlyMap<number, Awaited<ReturnType<typeof findCategories>>[number]>,
  byCompany: ReadonlyMap<number, LessorSeed>,
  dice: Dice,
  now: Date,
): Promise<number | undefined> {
  const { db } = services
  const { project } = job
  const buyer = actor(project.accountId, 'projectUser', project.companyId, project.deptId)
  const { input, deadline } = demandOf(job, [...categories.values()], dice)
  if (job.ending === 'draft') {
    const form = DraftForm.parse(JSON.parse(JSON.stringify({ ...input, quoteDeadline: '' })))
    await transact(services, { actor: buyer, now: job.at }, (deed) => saveDraft(deed, { deptId: project.deptId, form }))
    return undefined
  }
  // A past demand that was short was opened with the quotes it had.
  const whole = DemandInput.parse({ ...input, ...(job.ending !== 'open' && { minQuotes: 1 }) })
  const { id } = await transact(services, { actor: buyer, now: job.at }, (deed) => publishDemand(deed, whole))
  // The job ran at that time.
  await tellWaiting({ ...services, clock: { now: () => job.at } })
  if (job.ending === 'review') return id

  const wanted = {
    awarded: dice.pick([3, 4, 5, 6]),
    judging: dice.pick([4, 5, 6]),
    open: dice.pick([2, 3, 3, 4]),
    failed: dice.pick([0, 1]),
    cancelled: dice.pick([0, 1, 2]),
  }[job.ending]
  const lessors = dice.some(await findMatchingCompanies(db, id, job.at), wanted).flatMap(({ companyId }) => byCompany.get(companyId) ?? [])
  const until = Math.min(deadline.getTime(), now.getTime()) - job.at.getTime()
  for (const [index, lessor] of lessors.entries())
    await quote(services, id, deadline, lessor, new Date(job.at.getTime() + (until * (index + 1)) / (lessors.length + 2)), dice)
  if (job.ending === 'open') return
  if (job.ending === 'cancelled') {
    const reason = dice.pick(['施工方案调整，暂不需要', '工期推迟，另行发布', '改由分包自带设备'])
    const at = new Date(job.at.getTime() + 2 * day)
    await transact(services, { actor: buyer, now: at }, (deed) => endDemand(deed, { id, move: 'cancel', reason }))
    return undefined
  }
  await transact(services, { now: deadline }, (work) => openDemand(work, id, 'clock'))
  if (job.ending === 'judging') return
  const later = new Date(Math.min(deadline.getTime() + dice.between(1, 3) * day, now.getTime() - 3_600_000))
  const award = job.ending === 'awarded' ? await picksFor(services, id, later) : []
  if (award.length === 0) {
    const reason = lessors.length === 0 ? '截止时无人报价' : '有效报价不足，调整条件后重新发布'
    await transact(services, { actor: buyer, now: later }, (deed) => endDemand(deed, { id, move: 'fail', reason }))
    return undefined
  }
  await transact(services, { actor: buyer, now: later }, (deed) => awardDemand(deed, { id, lines: award, loseReasons: {} }))
  return id
}

/** The cheapest for each line, of the offers whose machines are still free. */
async function picksFor({ db }: Services, id: number, now: Date) {
  const compared = await compareQuotes(db, id, now)
  const offers = compared.quotes.flatMap((quoted) =>
    quoted.blocked
      ? []
      : quoted.lines
          .filter((line) => line.machines.every(({ taken }) => !taken))
          .map((line) => ({
            quoteLineId: line.id,
            quoteId: quoted.id,
            demandItemId: line.demandItemId,
            companyId: quoted.companyId,
            qty: line.qty,
            netFen: line.netCost,
            earliestEntry: line.earliestEntry,
          })),
  )
  return propose('lowestLine', await findItems(db, id), offers).map((pick) => ({ ...pick, reason: '抵税后到场总价最低，设备可按期进场' }))
}

async function quote(services: Services, demandId: number, deadline: Date, lessor: LessorSeed, at: Date, dice: Dice): Promise<void> {
  const items = await findItems(services.db, demandId)
  const candidates = await findCandidates(services.db, { companyId: lessor.companyId, deptId: 0, items, demands: [], now: at })
  const lines = items.flatMap((item) => {
    const fitting = (candidates[String(item.id)] ?? []).filter((machine) => canBeQuoted(machine.misses))
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
    const base = (price?.price ?? (first.monthPrice ?? 1_000_000) / (item.rentUnit === 'S' ? 24 : item.rentUnit === 'D' ? 30 : 1)) / 100
    const unitPrice = Math.max(5, Math.round((base * dice.normal(1, 0.05)) / 5) * 5)
    const heavy = [201, 202, 208, 210, 406, 501, 510, 701, 801].includes(item.categoryId)
    return [
      {
        demandItemId: item.id,
        machines,
        unitPrice,
        rentUnit: item.rentUnit,
        includesOperator: price?.withOperator ?? false,
        includesFuel: false,
        entryFee: heavy ? dice.between(60, 140) * 100 : dice.between(4, 20) * 100,
        exitFee: heavy ? dice.between(50, 120) * 100 : dice.between(4, 18) * 100,
        erectionFee: heavy ? dice.between(80, 200) * 100 : 0,
        taxRate: price?.taxRate ?? 13,
        invoiceKind: dice.next() < 0.88 ? 'special' : 'plain',
        minRentDays: item.rentUnit === 'M' ? dice.pick([0, 30, 60]) : 0,
        earliestEntry: addDays(item.planStart, -dice.between(0, 4)),
        deviation:
          first.misses.length > 0
            ? first.misses
                .map(({ detail }) => detail)
                .filter(Boolean)
                .join('；')
                .slice(0, 200)
            : '',
        ceilingReason: '含随机司机食宿与夜间照明，高于参考限价',
        promisesRenewal: true,
      },
    ]
  })
  if (lines.length === 0) return
  const parsed = QuoteInput.parse({
    demandId,
    contactName: '陈调度',
    contactPhone: '14400009301',
    validUntil: addDays(dayOf(deadline), 30),
    note: dice.pick(['', '设备现在库，可提前踏勘。', '可提供备用机一台。', '价格含税，含随机保养。']),
    lines,
  })
  const offering = actor(lessor.accountId, 'leaser', lessor.companyId, null)
  await transact(services, { actor: offering, now: at }, (deed) => submitQuote(deed, parsed))
}
