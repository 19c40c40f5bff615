import { afterAll, beforeEach, expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { getOwnDemand, publishDemand } from '#shared/demand/contract.ts'
import { rejectDemand } from '#shared/demand/moves.ts'
import { stepLimits } from '#shared/demand/rules.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { demandApprover } from '#test/approver.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { approve, sendBack } = demandApprover(world)
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.updateTable('dept').set({ approvesDemands: true }).where('id', '=', depts.root).execute()
})

const hours = (n: number) => new Date(monday.getTime() + n * 3_600_000)
const read = async (id: number) => (await cast.lessee.call(getOwnDemand, { params: { id } })).data

test('a deadline that came too near while it waited is refused, and set anew by the approver', async () => {
  const { id } = await world.givenDemand()
  clock.set(hours(71))
  const refused = await approve(id)
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['quoteDeadline']])
  const quoteDeadline = toMoment(hours(71 + 48))
  expect((await approve(id, { quoteDeadline })).code).toBe(200)
  expect((await read(id)).quoteDeadline).toBe(quoteDeadline)
})

test('an approver who moves the deadline tells the project, also that questions end with it, and the record names both moments', async () => {
  const decided = async (quoteDeadline?: string) => {
    const { id } = await world.givenDemand({ clarifyDeadline: toMoment(hours(48)) })
    const before = (await read(id)).quoteDeadline
    expect((await approve(id, { quoteDeadline })).code).toBe(200)
    const ofDemand = db.selectFrom('message').where('bizId', '=', String(id)).where('kind', '=', 'demandApproved')
    return {
      before,
      note: (await read(id)).events.at(-1)?.note,
      params: (await ofDemand.select('params').executeTakeFirstOrThrow()).params,
    }
  }
  const moved = await decided(toMoment(hours(40)))
  expect(moved.note).toBe(`${moved.before} → ${toMoment(hours(40))}`)
  expect(zhCn.messages.demandApproved.content(moved.params)).toContain('报价截止改为 2026-11-25 02:00，答疑至报价截止为止')
  expect(en.messages.demandApproved.content(moved.params)).toContain('deadline is now 2026-11-25 02:00; questions are taken until')
  const same = await decided()
  expect([same.note, zhCn.messages.demandApproved.content(same.params)]).toEqual(['', expect.stringMatching(/已发布，正在通知/)])
})

test('questions of a demand that is approved after their end are taken until its deadline; an end ahead stays', async () => {
  const given = async (clarify: number) => (await world.givenDemand({ clarifyDeadline: toMoment(hours(clarify)) })).id
  const [late, early] = [await given(20), await given(48)]
  clock.set(hours(24))
  for (const id of [late, early]) expect((await approve(id)).code).toBe(200)
  expect([(await read(late)).clarifyDeadline, (await read(early)).clarifyDeadline]).toEqual([null, toMoment(hours(48))])
})

test('whoever does not administer the unit that wants approval, or one above, neither publishes nor sends back', async () => {
  const { id } = await world.givenDemand()
  const people = { userType: '2', companyId: cast.lessee.companyId, certSign: 2 } as const
  const colleague = await world.givenPerson({ ...people, deptId: depts.root }, 'colleague')
  const below = await world.givenPerson({ ...people, deptId: depts.unit, isAdmin: true }, 'below')
  const { version } = await read(id)
  for (const who of [colleague, below]) {
    expect((await approve(id, { version }, who)).code).toBe(403)
    expect((await who.call(rejectDemand, { params: { id }, body: { version, reason: '先用内部设备' } })).code).toBe(403)
  }
  expect((await read(id)).status).toBe('1')
})

test('a demand whose hire was to begin while it waited goes back to its project', async () => {
  const { id } = await world.givenDemand({ items: [world.demandItem({ planStart: '2026-11-24' })] })
  clock.set(hours(38))
  const refused = await approve(id, { quoteDeadline: toMoment(hours(38 + 48)) })
  expect([refused.code, refusedFields(refused.data), (await read(id)).status]).toEqual([422, ['quoteDeadline'], '1'])
  expect((await sendBack(id)).code).toBe(200)
})

test('an approver decides on what they have read: what was sent back, mended and submitted again meanwhile is neither published nor sent back', async () => {
  const { id } = await world.givenDemand()
  const { version } = await read(id)
  expect((await sendBack(id)).code).toBe(200)
  const mended = world.demandBody({ draftId: id, items: [world.demandItem({ qty: 9 })] })
  expect((await cast.project.call(publishDemand, { body: mended })).data).toMatchObject({ id, status: '1' })
  for (const decide of [approve, sendBack]) expect(await decide(id, { version })).toMatchObject({ code: 409, msg: zhCn.refusal.changed })
  expect((await read(id)).status).toBe('1')
  expect((await approve(id)).code).toBe(200)
})

test('a demand is submitted again twenty times a day, and no oftener', async () => {
  const { id } = await world.givenDemand()
  const submit = () => cast.project.call(publishDemand, { body: world.demandBody({ draftId: id }) })
  for (let n = 1; n < stepLimits.aDay; n++) {
    expect((await sendBack(id)).code).toBe(200)
    expect((await submit()).code).toBe(200)
  }
  expect((await sendBack(id)).code).toBe(200)
  expect([(await submit()).msg, (await read(id)).status]).toEqual([zhCn.refusal.demand_day, '2'])
  // Whoever needs no approval publishes it all the same.
  expect((await cast.lessee.call(publishDemand, { body: world.demandBody({ draftId: id }) })).data.status).toBe('3')
})

test('the project reads whether suitable or only the invited lessors are notified of what was approved', async () => {
  const told = async (changes: Parameters<typeof world.givenDemand>[0]) => {
    const { id } = await world.givenDemand(changes)
    expect((await approve(id)).code).toBe(200)
    const ofDemand = db.selectFrom('message').where('bizId', '=', String(id)).where('kind', '=', 'demandApproved')
    return (await ofDemand.select('content').executeTakeFirstOrThrow()).content
  }
  expect(await told({})).toContain('正在通知合适的出租方')
  expect(await told({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId] })).toContain('正在通知受邀的出租方')
})

test('a publisher of the unit above hears of the demand of a project, until the project is theirs no more', async () => {
  const publisher = await world.givenPerson(
    { userType: '2', companyId: cast.lessee.companyId, certSign: 2, deptId: depts.unit },
    'publisher',
  )
  const { id } = await world.givenDemand({}, publisher)
  const receivers = async () => {
    const ofDemand = db.selectFrom('message').where('bizId', '=', String(id)).where('kind', '=', 'demandRejected')
    return (await ofDemand.select('accountId').orderBy('id').execute()).map(({ accountId }) => accountId)
  }
  expect((await sendBack(id)).code).toBe(200)
  expect((await receivers()).toSorted((a, b) => a - b)).toEqual([cast.project.id, publisher.id])
  expect((await publisher.call(publishDemand, { body: world.demandBody({ draftId: id }) })).code).toBe(200)
  await db.updateTable('account').set({ deptId: depts.strangerDept }).where('id', '=', publisher.id).execute()
  expect((await sendBack(id)).code).toBe(200)
  expect((await receivers()).filter((account) => account === publisher.id)).toHaveLength(1)
})
