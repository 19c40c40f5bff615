import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  answerBlacklist,
  appealBlacklist,
  editBlacklist,
  emergencyBlacklist,
  getBlacklist,
  listBlacklist,
  notifyBlacklist,
  proposeBlacklist,
  withdrawBlacklist,
} from '#shared/blacklist/contract.ts'
import { blacklistLevel, blacklistRules, blacklistStatus } from '#shared/blacklist/rules.ts'
import { addDays, dayMs, dayOf, startOfDay } from '#shared/calendar.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { clock, db, cast, depts } = world
const { companyId } = cast.lessor
afterAll(() => world.close())
beforeEach(async () => {
  await db.deleteFrom('blacklist').execute()
  await db.deleteFrom('message').execute()
})

let proposals = 0
type Subject = { subjectKind: 'machine'; equipmentId: number } | { subjectKind: 'person'; personName: string; companyId?: number }
async function givenProposal(named: Subject) {
  const { id } = await db
    .insertInto('blacklist')
    .values({
      companyId,
      ...named,
      blacklistCode: `HM-${++proposals}`,
      scopeDeptId: depts.projectDept,
      level: blacklistLevel.restricted,
      reasonCode: 'accident',
      facts: '起重机倾覆，'.repeat(10),
      fromDay: '2026-11-23',
      toDay: '2027-11-23',
      status: blacklistStatus.proposed,
      proposerId: cast.project.id,
      proposerDeptId: depts.projectDept,
      createTime: monday,
      updateTime: monday,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const notices = async (locale: 'zh-CN' | 'en-US') =>
  (await world.caller(cast.lessor.token, locale)(listOwnMessages, {})).data.rows.map(({ content }) => content).toReversed()

test('the notice of a proposal names the machine that it is about, and what follows without an answer', async () => {
  const equipmentId = await world.givenMachine(companyId)
  const { name, equipmentCode } = await db
    .selectFrom('equipment')
    .where('id', '=', equipmentId)
    .select(['name', 'equipmentCode'])
    .executeTakeFirstOrThrow()
  const id = await givenProposal({ subjectKind: 'machine', equipmentId })
  expect((await cast.project.call(notifyBlacklist, { params: { id } })).code).toBe(200)
  const machine = `${name} ${equipmentCode}`
  expect(await notices('zh-CN')).toEqual([
    expect.stringMatching(new RegExp(`^贵司设备 ${machine} 被提议列入黑名单.*前陈述；逾期未陈述的，可直接决定。$`)),
  ])
  expect(await notices('en-US')).toEqual([
    expect.stringContaining(`Your machine LiuGong 856H Wheel loader ${equipmentCode} has been proposed`),
  ])
})

test('a restricted machine is listed by its name in the language of the reader', async () => {
  await givenProposal({ subjectKind: 'machine', equipmentId: await world.givenMachine(companyId) })
  const [entry] = (await cast.project.call(listBlacklist, { query: {} })).data.rows
  expect(entry?.subjectName).toContain('柳工 856H 装载机')
  expect(entry?.subjectNameEn).toMatch(/^LiuGong 856H Wheel loader SB/)
  expect((await cast.project.call(getBlacklist, { params: { id: entry?.id ?? 0 } })).data.subjectNameEn).toBe(entry?.subjectNameEn)
})

test('of a proposal that is withdrawn before the hearing its subject hears nothing', async () => {
  const id = await givenProposal({ subjectKind: 'person', personName: '赵师傅' })
  expect((await cast.project.call(withdrawBlacklist, { params: { id } })).code).toBe(200)
  expect(await notices('zh-CN')).toEqual([])
})

test('the notices of an emergency name the person, the level, the scope and the last day', async () => {
  const id = await givenProposal({ subjectKind: 'person', personName: '赵师傅' })
  expect((await cast.lessee.call(emergencyBlacklist, { params: { id }, body: { version: 1, note: '事故属实' } })).code).toBe(200)
  const { deptName } = await db.selectFrom('dept').where('id', '=', depts.projectDept).select('deptName').executeTakeFirstOrThrow()
  expect(await notices('zh-CN')).toEqual([
    expect.stringMatching(/^贵司人员 赵师傅 被提议列入黑名单.*前陈述。$/),
    expect.stringMatching(new RegExp(`^贵司人员 赵师傅：限制，${deptName}：自 2026-11-23 起，至 2027-11-23 前一日止。`)),
  ])
  expect((await notices('en-US'))[1]).toContain(
    `赵师傅 of your company: Restricted, ${deptName}: from 2026-11-23 until the day before 2027-11-23.`,
  )
})

test('the notice of an entry about a machine that takes effect names the machine', async () => {
  const equipmentId = await world.givenMachine(companyId)
  const { name, equipmentCode } = await db
    .selectFrom('equipment')
    .where('id', '=', equipmentId)
    .select(['name', 'equipmentCode'])
    .executeTakeFirstOrThrow()
  const id = await givenProposal({ subjectKind: 'machine', equipmentId })
  expect((await cast.lessee.call(emergencyBlacklist, { params: { id }, body: { version: 1, note: '事故属实' } })).code).toBe(200)
  expect((await notices('zh-CN'))[1]).toContain(`贵司设备 ${name} ${equipmentCode}：限制，`)
  expect((await notices('en-US'))[1]).toContain(`Your machine LiuGong 856H Wheel loader ${equipmentCode}: Restricted, `)
})

test('the subject of an emergency answers in its hearing also while its appeal is decided', async () => {
  const id = await givenProposal({ subjectKind: 'person', personName: '赵师傅' })
  expect((await cast.lessee.call(emergencyBlacklist, { params: { id }, body: { version: 1, note: '事故属实' } })).code).toBe(200)
  const content = '操作人员持证上岗，请求复核事故责任'
  expect((await cast.lessor.call(appealBlacklist, { params: { id }, body: { content } })).code).toBe(200)
  expect((await cast.lessor.call(answerBlacklist, { params: { id }, body: { answer: '事故由场地塌陷引起' } })).code).toBe(200)
})

test('a person begins three hearings a week against a lessor and twenty a day in all, withdrawn or not', async () => {
  const begin = async (of: number) => {
    const id = await givenProposal({ subjectKind: 'person', personName: '赵师傅', companyId: of })
    const { code, msg } = await cast.project.call(notifyBlacklist, { params: { id } })
    if (code === 200) expect((await cast.project.call(withdrawBlacklist, { params: { id } })).code).toBe(200)
    return code === 200 ? 'sent' : msg
  }
  const { hearing_limit: ofLessor, day_limit: ofDay } = zhCn.refusal
  expect([await begin(companyId), await begin(companyId), await begin(companyId)]).toEqual(['sent', 'sent', 'sent'])
  expect(await begin(companyId)).toBe(ofLessor)
  expect(await begin(cast.lessor2.companyId)).toBe('sent')
  const sent = await db.selectFrom('blacklistEvent').where('move', '=', 'notify').select('blacklistId').executeTakeFirstOrThrow()
  await sql`insert into blacklist_event (blacklist_id, account_id, move, note, at)
    select ${sent.blacklistId}, ${cast.project.id}, 'notify', '', ${monday} from generate_series(1, 16)`.execute(db)
  expect(await begin(cast.lessor2.companyId)).toBe(ofDay)
  const days = (n: number) => clock.set(new Date(monday.getTime() + n * dayMs + 1000))
  days(1)
  expect([await begin(cast.lessor2.companyId), await begin(companyId)]).toEqual(['sent', ofLessor])
  days(7)
  expect(await begin(companyId)).toBe('sent')
  clock.set(monday)
})

test('a person writes proposals and changes them a hundred times a day in all, and the page of one shows its newest steps', async () => {
  const evidenceIds = [await givenFile(world, cast.project)]
  const body = {
    companyId,
    level: blacklistLevel.watched,
    scopeDeptId: depts.projectDept,
    reasonCode: 'quit',
    facts: '中选后无故不进场，'.repeat(10),
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    evidenceIds,
  }
  const { id } = (await cast.project.call(proposeBlacklist, { body })).data
  const edit = (version: number) => cast.project.call(editBlacklist, { body: { ...body, id, version } })
  const addSteps = (move: string, count: number) =>
    sql`insert into blacklist_event (blacklist_id, account_id, move, note, at)
      select ${id}, ${cast.project.id}, ${move}, '', ${clock.now()} from generate_series(1, ${count}::int)`.execute(db)
  await addSteps('edit', blacklistRules.writtenADay - 2)
  expect((await edit(1)).code).toBe(200)
  for (const refused of [await edit(2), await cast.project.call(proposeBlacklist, { body })])
    expect(refused).toMatchObject({ code: 429, msg: zhCn.refusal.day_limit })
  clock.set(new Date(startOfDay(addDays(dayOf(monday), 1))))
  expect((await edit(2)).code).toBe(200)
  await addSteps('propose', blacklistRules.shownSteps - 1)
  const { events } = (await cast.project.call(getBlacklist, { params: { id } })).data
  expect([events.length, events[0]?.move, events.at(-1)?.move]).toEqual([blacklistRules.shownSteps, 'edit', 'propose'])
  clock.set(monday)
})
