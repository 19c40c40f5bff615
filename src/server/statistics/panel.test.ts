import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperatorDuty } from '#shared/account/rules.ts'
import { awardDemand } from '#shared/award/contract.ts'
import { dayMs, toMoment } from '#shared/calendar.ts'
import { getLessor, listLessors } from '#shared/company/contract.ts'
import { listOwnDemands, saveDraft } from '#shared/demand/contract.ts'
import { rejectDemand } from '#shared/demand/moves.ts'
import { demandTodos } from '#shared/demand/todo.ts'
import { listOwnEquipment, listPublicEquipment } from '#shared/equipment/contract.ts'
import { rentStatus } from '#shared/equipment/rules.ts'
import { agreeTransfer, askTransfer, listTransfers, receiveTransfer, saveInternal } from '#shared/internal/contract.ts'
import { transferTodos } from '#shared/internal/rules.ts'
import { paths, wholeList } from '#shared/paths.ts'
import { askQuestion } from '#shared/question/contract.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { getHomeFigures } from '#shared/statistics/contract.ts'
import { courseWeeks, getWorkCalendar, getWorkFigures, getWorkPanel, listExceptions, type TaskKind } from '#shared/statistics/panel.ts'
import { getReport } from '#shared/statistics/report.ts'
import { getOverview } from '#shared/system/contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld()
const { cast, clock, db, depts } = world
afterAll(() => world.close())

const later = (days: number) => new Date(monday.getTime() + days * dayMs)
const tasksOf = async (who: Person) => (await who.call(getWorkPanel, {})).data.tasks
const idsOf = async (who: Person, kind: TaskKind) =>
  (await tasksOf(who)).find((task) => task.kind === kind)?.items.map(({ id }) => Number(id)) ?? []
const approvals = (on: { approvesDemands?: boolean; approvesAwards?: boolean }) =>
  db
    .updateTable('dept')
    .set({ approvesDemands: false, approvesAwards: false, ...on })
    .where('id', '=', depts.root)
    .execute()

/** Made on Monday: one demand that two lessors quote, one that nobody quotes, one that closes on Friday evening, one with a question. */
let [judged, short, closing, asked] = [0, 0, 0, 0]
let [machine, lineId, itemId] = [0, 0, 0]
beforeAll(async () => {
  const demand = await world.givenDemand({ items: [world.demandItem({ priceCeiling: 15_000 })] })
  judged = demand.id
  itemId = demand.items[0]?.id ?? 0
  machine = await world.givenMachine(cast.lessor.companyId)
  await world.givenQuote(cast.lessor, demand, [machine], { ceilingReason: '市场紧张' })
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(cast.lessor2.companyId)], { unitPrice: 14_000 })
  short = (await world.givenDemand({ minQuotes: 3 })).id
  closing = (await world.givenDemand({ quoteDeadline: toMoment(later(4.5)) })).id
  asked = (await world.givenDemand({ quoteDeadline: toMoment(later(10)) })).id
  await cast.lessor.call(askQuestion, { body: { demandId: asked, content: '夜间能进场吗？' } })
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(compareQuotes, { params: { demandId: judged } })
  lineId = data.quotes.find(({ companyId }) => companyId === cast.lessor.companyId)?.lines[0]?.id ?? 0
})

const award = () =>
  cast.project.call(awardDemand, {
    params: { id: judged },
    body: { lines: [{ demandItemId: itemId, quoteLineId: lineId, qty: 1, reason: '设备新、进场早' }] },
  })

describe('[S2.10] what waits for an organisation', () => {
  test('each demand stands under what it waits for, with its deadline, its quotes and its question', async () => {
    const { data } = await cast.project.call(saveDraft, { body: { deptId: depts.projectDept, form: { title: '半份草稿' } } })
    for (const [kind, ids] of [
      ['judge', [judged]],
      ['short', [short]],
      ['closing', [closing]],
      ['question', [asked]],
      ['drafts', [data.id]],
      ['approve', []],
      ['approveAward', []],
      ['rejected', []],
    ] as const)
      expect([kind, await idsOf(cast.project, kind)]).toEqual([kind, ids])
    const tasks = await tasksOf(cast.project)
    const itemOf = (kind: TaskKind) => tasks.find((task) => task.kind === kind)?.items[0]
    // The clock lets it fail thirty days after the opening, before the offers end.
    const link = `/workbench/requirement/detail?id=${judged}`
    expect(itemOf('judge')).toMatchObject({ quotes: 2, since: toMoment(later(4)), due: toMoment(later(34)), link })
    expect(itemOf('question')).toMatchObject({ detail: '夜间能进场吗？' })
    expect(tasks.find(({ kind }) => kind === 'drafts')?.link).toBe(wholeList(paths.drafts))
    // Three days after its owner was told, the clock opens what there is.
    expect(itemOf('short')).toMatchObject({ quotes: 0, due: toMoment(later(7)) })
    expect(await tasksOf(cast.stranger)).toEqual([])
    expect((await tasksOf(cast.otherProject)).map(({ kind }) => kind)).toEqual([])
  })

  test('a demand to award is due when the first of its offers ends', async () => {
    const { id, validUntil } = await db
      .selectFrom('quote')
      .where('demandId', '=', judged)
      .select(['id', 'validUntil'])
      .limit(1)
      .executeTakeFirstOrThrow()
    const ends = (day: string | null) => db.updateTable('quote').set({ validUntil: day }).where('id', '=', id).execute()
    await ends('2026-12-10')
    expect((await tasksOf(cast.project)).find(({ kind }) => kind === 'judge')?.items[0]?.due).toBe('2026-12-10')
    await ends(validUntil)
  })

  test('the list behind each kind has exactly what the panel counts', async () => {
    for (const who of [cast.project, cast.lessee])
      for (const todo of demandTodos) {
        const { data } = await who.call(listOwnDemands, { query: { todo } })
        expect(data.rows.map(({ id }) => id).toSorted()).toEqual((await idsOf(who, todo)).toSorted())
      }
  })

  test('a demand to approve waits for the unit above, and comes back to its project with the reason', async () => {
    await approvals({ approvesDemands: true })
    const { id } = await world.givenDemand({ quoteDeadline: toMoment(later(10)) })
    expect([await idsOf(cast.lessee, 'approve'), await idsOf(cast.project, 'approve')]).toEqual([[id], []])
    await cast.lessee.call(rejectDemand, { params: { id }, body: { version: 1, reason: '预算未批' } })
    expect([await idsOf(cast.lessee, 'approve'), await idsOf(cast.project, 'rejected')]).toEqual([[], [id]])
    expect(await idsOf(cast.lessee, 'rejected')).toEqual([])
    const returned = (await tasksOf(cast.project)).find(({ kind }) => kind === 'rejected')
    expect(returned?.items[0]?.detail).toBe('预算未批')
    await approvals({})
  })

  test('an award to approve waits for the unit above and no longer for the project', async () => {
    await approvals({ approvesAwards: true })
    expect((await award()).code).toBe(200)
    expect([await idsOf(cast.project, 'judge'), await idsOf(cast.project, 'approveAward')]).toEqual([[], []])
    expect([await idsOf(cast.lessee, 'judge'), await idsOf(cast.lessee, 'approveAward')]).toEqual([[], [judged]])
    await db.deleteFrom('awardRequest').execute()
    await approvals({})
  })

  test('a transfer that was asked for waits for the unit that gives the machine, and once agreed for the project that takes it', async () => {
    const place = { provinceId: 510_000, cityId: 510_700 }
    const idle = {
      deptId: depts.otherDept,
      fatherCategoryId: 100,
      categoryId: 101,
      name: '柳工 922F 挖掘机',
      brand: '柳工',
      model: '922F',
      ...place,
    }
    const days = { from: '2026-12-20', to: '2027-01-20' }
    const offered = await cast.lessee.call(saveInternal, { body: { ...idle, freeFrom: days.from, freeTo: days.to } })
    const body = { machineId: offered.data.id, deptId: depts.projectDept, ...days }
    const { id } = (await cast.project.call(askTransfer, { body })).data
    const waiting = async () => {
      const found = []
      for (const who of [cast.lessee, cast.project, cast.otherProject])
        for (const todo of transferTodos) {
          const ids = await idsOf(who, todo)
          expect((await who.call(listTransfers, { query: { todo } })).data.rows.map((row) => row.id)).toEqual(ids)
          if (ids.length > 0) found.push([who === cast.lessee ? 'unit' : 'project', todo, ids])
        }
      return found
    }
    expect(await waiting()).toEqual([['unit', 'transferAnswer', [id]]])
    const item = (await tasksOf(cast.lessee)).find(({ kind }) => kind === 'transferAnswer')?.items[0]
    expect(item).toMatchObject({ title: '柳工 922F 挖掘机', detail: '渝昌高铁5标', since: toMoment(later(4)) })
    expect(item?.titleEn).toBe('LiuGong 922F Crawler excavator')
    expect((await cast.lessee.call(agreeTransfer, { params: { id }, body: {} })).code).toBe(200)
    expect(await waiting()).toEqual([
      ['unit', 'transferReceive', [id]],
      ['project', 'transferReceive', [id]],
    ])
    expect((await cast.project.call(receiveTransfer, { params: { id } })).code).toBe(200)
    expect(await waiting()).toEqual([])
  })
})

describe('[S2.10] what waits for a lessor', () => {
  test('awards, quotes to confirm, machines and their papers, hearings, and demands to quote', async () => {
    expect((await award()).code).toBe(200)
    const off = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    const ending = await world.givenMachine(cast.lessor.companyId, { paperTo: '2026-12-10' })
    const back = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    await db.updateTable('equipment').set({ auditStatus: '3' }).where('id', '=', back).execute()
    const { id: hearing } = await db
      .insertInto('blacklist')
      .values({
        blacklistCode: 'HM1',
        subjectKind: 'company',
        companyId: cast.lessor.companyId,
        level: 2,
        scopeDeptId: depts.root,
        reasonCode: 'quit',
        facts: '中选后两次拒不进场，经书面催告仍未到场，造成工期延误十二天，现场另租设备并产生差价，相关函件附后备查，特此说明情况。',
        fromDay: '2026-12-01',
        toDay: '2027-12-01',
        status: '1',
        proposerId: cast.project.id,
        notifyTime: later(4),
        answerUntil: later(11),
        createTime: later(4),
        updateTime: later(4),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [kind, ids] of [
      ['won', [judged]],
      ['offShelf', [off]],
      ['papers', [ending]],
      ['returned', [back]],
      ['hearing', [hearing]],
      ['recommended', [closing, asked]],
      ['confirm', []],
    ] as const)
      expect([kind, await idsOf(cast.lessor, kind)]).toEqual([kind, ids])
    expect((await tasksOf(cast.lessor)).find(({ kind }) => kind === 'recommended')?.link).toBe(paths.marketIn('recommended'))
    for (const kind of ['offShelf', 'papers', 'returned'] as const)
      expect((await tasksOf(cast.lessor)).find((task) => task.kind === kind)?.items[0]?.titleEn).toBe('LiuGong 856H Wheel loader')
    // An emergency entry holds before its hearing, which ends by the answer.
    await db.updateTable('blacklist').set({ status: '2' }).where('id', '=', hearing).execute()
    expect(await idsOf(cast.lessor, 'hearing')).toEqual([hearing])
    await db
      .updateTable('blacklist')
      .set({ answer: '已陈述', answerTime: later(4) })
      .where('id', '=', hearing)
      .execute()
    expect(await idsOf(cast.lessor, 'hearing')).toEqual([])
    // Until then the lessor may step back, unless they have taken the award.
    const dueOfWon = async () => (await tasksOf(cast.lessor)).find(({ kind }) => kind === 'won')?.items[0]?.due
    expect(await dueOfWon()).toBe(toMoment(later(6)))
    await db
      .updateTable('quote')
      .set({ acceptedAt: later(4) })
      .where('demandId', '=', judged)
      .where('status', '=', '6')
      .execute()
    expect(await dueOfWon()).toBeNull()
    // Each list that a kind leads to has exactly these machines.
    for (const [query, id] of [
      [{ auditStatus: '2', shelfStatus: '0' }, off],
      [{ auditStatus: '3' }, back],
    ] as const)
      expect((await cast.lessor.call(listOwnEquipment, { query })).data.rows.map((row) => row.id)).toEqual([id])
    await world.givenQuote(cast.lessor, { id: asked, items: await itemsOf(asked) }, [await world.givenMachine(cast.lessor.companyId)])
    await db.updateTable('quote').set({ status: '3' }).where('demandId', '=', asked).execute()
    expect(await idsOf(cast.lessor, 'confirm')).toEqual([asked])
    expect(await idsOf(cast.lessor, 'recommended')).toEqual([closing])
    expect(await idsOf(cast.lessor2, 'won')).toEqual([])
    // After the deadline nobody can confirm any more.
    const setDeadline = (quoteDeadline: Date) =>
      db.updateTable('demand').set({ quoteDeadline, clarifyDeadline: null }).where('id', '=', asked).execute()
    await setDeadline(later(3))
    expect(await idsOf(cast.lessor, 'confirm')).toEqual([])
    await setDeadline(later(10))
    clock.set(later(6.5))
    expect(await idsOf(cast.lessor, 'won')).toEqual([])
    clock.set(later(4))
  })
})

const itemsOf = (demandId: number) => db.selectFrom('demandItem').where('demandId', '=', demandId).select(['id', 'qty']).execute()

describe('[S2.10] what waits for the platform', () => {
  test('each duty finds its own objects, and the console counts the same', async () => {
    await db
      .insertInto('contact')
      .values({ name: '周样本', company: '西南路桥', phone: '14400000077', type: 'supply', content: '想入驻', createTime: later(1) })
      .execute()
    const tasks = await tasksOf(cast.operator)
    expect(tasks).toMatchObject([
      { kind: 'contact', count: 1, items: [{ title: '西南路桥', detail: '周样本', since: toMoment(later(1)) }] },
    ])
    const { waiting } = (await cast.operator.call(getOverview, {})).data
    expect(waiting).toMatchObject([{ kind: 'contact', count: 1, oldest: toMoment(later(1)) }])
    expect(await tasksOf(cast.clerk)).toEqual([])
    expect(await tasksOf(cast.auditor)).toEqual([])
    expect(await tasksOf(cast.newcomer)).toMatchObject([{ kind: 'certify', link: '/personal/myapprove' }])
  })

  test('an auditor finds the demands worth a check in their own organisation only', async () => {
    const kindsOf = async (who: Person) => (await who.call(listExceptions, { query: {} })).data.rows.map(({ id, kinds }) => ({ id, kinds }))
    // Both lessors gave the same number, and the award is dearer than the ceiling.
    expect(await kindsOf(cast.auditor)).toEqual([{ id: judged, kinds: ['overCeiling', 'samePhone'] }])
    await db.updateTable('demand').set({ quoteCount: 1, openTime: monday }).where('id', '=', judged).execute()
    expect((await kindsOf(cast.auditor))[0]?.kinds).toEqual(['single', 'overCeiling', 'sameDay', 'samePhone'])
    await db
      .updateTable('demand')
      .set({ quoteCount: 2, openTime: later(4) })
      .where('id', '=', judged)
      .execute()
    expect((await cast.auditor.call(listExceptions, { query: { kind: 'single' } })).data.total).toBe(0)
    expect(await kindsOf(cast.stranger)).toEqual([])
    for (const who of [cast.lessor, cast.operator]) expect((await who.call(listExceptions, { query: {} })).code).toBe(403)
  })
})

describe('figures', () => {
  test('the panel shows the figures of the statistics page, with the period before and twelve weeks', async () => {
    for (const who of [cast.project, cast.lessee, cast.auditor]) {
      const { data } = await who.call(getWorkFigures, {})
      expect(data.map(({ key }) => key)).toEqual(['demands', 'quotesPerDemand', 'savedOnMean', 'daysToAward'])
      const query = Object.fromEntries(new URLSearchParams(data[0]?.link?.split('?')[1]))
      const report = (await who.call(getReport, { query })).data
      for (const { key, value, course } of data) {
        expect([key, value]).toEqual([key, report[key as 'demands']])
        expect(course).toHaveLength(courseWeeks)
      }
      // Nothing was published before, so nothing is compared.
      expect(data[0]).toMatchObject({ value: 4, before: null })
      expect(data[0]?.course.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBe(4)
    }
    expect((await cast.operator.call(getWorkFigures, {})).data.map(({ key }) => key)).toEqual([
      'reviewHours',
      'demands',
      'quotesPerDemand',
      'daysToAward',
    ])
    // A figure leads to a list that the person may read.
    const reviewLink = async (who: Person) => (await who.call(getWorkFigures, {})).data.find(({ key }) => key === 'reviewHours')?.link
    const { duties } = await db.selectFrom('account').where('id', '=', cast.clerk.id).select('duties').executeTakeFirstOrThrow()
    const setDuties = (own: readonly OperatorDuty[]) =>
      db
        .updateTable('account')
        .set({ duties: [...own] })
        .where('id', '=', cast.clerk.id)
        .execute()
    await setDuties(['content'])
    expect([await reviewLink(cast.operator), await reviewLink(cast.clerk)]).toEqual([paths.reviews(), null])
    await setDuties(duties)
    expect((await cast.newcomer.call(getWorkFigures, {})).data).toEqual([])
  })

  test('the time of a review is that of the platform, from the last submission, and no revocation', async () => {
    const certified = { kind: 'rentout', createTime: monday, updateTime: monday } as const
    const [own, passed] = await db
      .insertInto('certification')
      .values(
        [cast.newcomer.id, cast.lapsed.id].map((accountId) => ({ ...certified, accountId, submittedAt: later(3), reviewedAt: later(3) })),
      )
      .returning('id')
      .execute()
    const event = (certificationId: number | undefined, accountId: number, action: 'submit' | 'pass' | 'reject' | 'revoke', days: number) =>
      db
        .insertInto('certificationEvent')
        .values({ certificationId: certificationId ?? 0, accountId, action, at: later(days) })
        .execute()
    const { newcomer, operator, lessee } = cast
    await event(own?.id, newcomer.id, 'submit', -20)
    await event(own?.id, operator.id, 'reject', -19.75)
    await event(own?.id, newcomer.id, 'submit', 1)
    await event(own?.id, operator.id, 'pass', 1.25)
    await event(own?.id, newcomer.id, 'submit', 3)
    // An organisation takes its time, and a revocation comes when it comes.
    await event(passed?.id, cast.lapsed.id, 'submit', -20)
    await event(passed?.id, lessee.id, 'pass', 2)
    await event(passed?.id, operator.id, 'revoke', 3)
    const { data } = await operator.call(getWorkFigures, {})
    expect(data.find(({ key }) => key === 'reviewHours')?.value).toBe(6)
  })

  test('a lessor sees days on hire, quotes, the share they won and papers that expire', async () => {
    // The hire of one machine began ten days ago; four of the lessor's machines are approved, and one is out of use.
    const retired = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    await db.updateTable('equipment').set({ rentStatus: rentStatus.retired }).where('id', '=', retired).execute()
    clock.set(later(29.5))
    const { data } = await cast.lessor.call(getWorkFigures, {})
    const valueOf = (key: string) => data.find((figure) => figure.key === key)?.value
    expect(valueOf('utilisation')).toBeCloseTo(10 / 120, 2)
    expect([valueOf('winRate'), valueOf('quotes'), valueOf('papers')]).toEqual([1, 2, 1])
    expect(data.map(({ link }) => link)).toEqual([null, null, null, null])
    clock.set(later(4))
  })

  test('the calendar has deadlines, entries and exits of the next two weeks for those whom they concern', async () => {
    const kindsOf = async (who: Person) => {
      const { data } = await who.call(getWorkCalendar, {})
      return data.dates.map(({ day, time, kind }) => [day, time, kind])
    }
    expect(await kindsOf(cast.project)).toEqual([
      ['2026-11-27', '22:00', 'deadline'],
      ['2026-12-03', '10:00', 'deadline'],
    ])
    clock.set(later(15))
    expect(await kindsOf(cast.project)).toContainEqual(['2026-12-13', null, 'entry'])
    expect(await kindsOf(cast.lessor)).toEqual([
      ['2026-12-10', null, 'papers'],
      ['2026-12-13', null, 'entry'],
    ])
    expect((await cast.lessor.call(getWorkCalendar, {})).data.dates[0]?.titleEn).toBe('LiuGong 856H Wheel loader')
    expect([await kindsOf(cast.lessor2), await kindsOf(cast.stranger)]).toEqual([[], []])
    clock.set(later(4))
  })

  test('machines and deals are the same number on the home page, in the library, in the console and in the record of a lessor', async () => {
    await world.givenMachine(cast.lessor.companyId, { qty: 5 })
    const { machines, machinesByGroup } = (await cast.visitor.call(getHomeFigures, {})).data
    const library = (await cast.visitor.call(listPublicEquipment, { query: {} })).data.total
    const console_ = (await cast.operator.call(getOverview, {})).data.figures.machines
    expect([machines, console_, Object.values(machinesByGroup).reduce((sum, n) => sum + n, 0)]).toEqual([library, library, library])
    const lessor = (await cast.visitor.call(getLessor, { params: { id: cast.lessor.companyId } })).data
    const own = (await cast.visitor.call(listPublicEquipment, { query: { companyId: cast.lessor.companyId } })).data.total
    expect([lessor.equipmentCount, lessor.fleet.reduce((sum, { count }) => sum + count, 0)]).toEqual([own, own])
    const card = (await cast.visitor.call(listLessors, { query: {} })).data.rows.find(({ id }) => id === cast.lessor.companyId)
    expect([lessor.record.won, lessor.dealCount, card?.dealCount]).toEqual([1, 1, 1])
  })
})
