import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { BlacklistLevel } from '#shared/blacklist/rules.ts'
import * as contract from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, editing, nameThem } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { lapseDueAwards } from './lapse.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenDraft, signCode, textHash, send, confirm, pass } = contractSteps(world)
const { propose } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const read = async (person: Person, id: number) => (await person.call(contract.getContract, { params: { id } })).data
const edit = async (id: number, changes: object) =>
  cast.project.call(calls.editContract, { body: { ...editing(await read(cast.project, id)), ...changes } })
const certify = (scaleType: 'small' | 'large' | null) =>
  db.updateTable('company').set({ scaleType }).where('id', '=', cast.lessor.companyId).execute()

test('a draft without a size is not sent, whatever its terms of payment, and each missing size is named with its article', async () => {
  await certify(null)
  const { id } = await givenDraft({ alone: true })
  const { clauses } = await read(cast.project, id)
  await edit(id, { scaleLessee: null, clauses: { ...clauses, payDays: 180, extras: ['业主付款后支付'] } })
  const draft = await read(cast.project, id)
  expect(draft.isLessorScaleCertified).toBe(false)
  expect(draft.problems).toEqual([
    { key: 'scaleLessee', rule: 'scale_lessee_needed' },
    { key: 'scaleLessor', rule: 'scale_lessor_needed' },
  ])
  const refused = await send(cast.project, id)
  expect([refused.code, refused.data]).toEqual([422, { problems: draft.problems }])
  // The lessor has told its size, and with both the law protects it.
  await edit(id, { scaleLessee: 'large', scaleLessor: 'micro' })
  expect((await read(cast.project, id)).problems.map(({ rule }) => rule)).toEqual(['pay_days_sme', 'back_to_back'])
  await edit(id, { clauses })
  expect((await send(cast.project, id)).code).toBe(200)
  // What the lessee wrote down for the lessor stands in the text that the lessor confirms.
  const { text } = (await cast.lessor.call(contract.getContractText, { params: { id } })).data
  expect(text).toContain('签约时企业规模（自行声明）：承租方 大型，出租方 微型')
  expect((await confirm(cast.lessor, id)).code).toBe(200)
  await certify('small')
})

test('the size in the certification of the lessor goes before what the lessee writes, also from after the draft', async () => {
  await certify('large')
  const { id } = await givenDraft({ alone: true })
  await certify('small')
  await edit(id, { scaleLessee: 'large', scaleLessor: 'large' })
  expect(await read(cast.project, id)).toMatchObject({ scaleLessor: 'small', isLessorScaleCertified: true, smeRule: true })
})

test('a certification from after the draft counts when it is sent: the draft takes its size over, is read anew and approved anew', async () => {
  await certify('large')
  const { id } = await givenDraft({ alone: true })
  await edit(id, { scaleLessee: 'large' })
  const { version, smeRule } = await read(cast.project, id)
  expect(smeRule).toBe(false)
  await db.updateTable('contract').set({ approval: '2' }).where('id', '=', id).execute()
  const before = await Promise.all([signCode(cast.project, id), textHash(cast.project, id)])
  await certify('small')
  const body = { smsCode: before[0], textHash: before[1] }
  expect((await cast.project.call(calls.sendContract, { params: { id }, body })).msg).toBe(zhCn.refusal.contract_text_changed)
  const refreshed = await read(cast.project, id)
  expect(refreshed).toMatchObject({ status: '0', scaleLessor: 'small', smeRule: true, approval: '0', version: version + 1 })
  expect(refreshed.events[0]).toMatchObject({ move: 'edit', side: 'lessee' })
  expect((await cast.project.call(contract.getContractText, { params: { id } })).data.text).toContain('出租方 小型')
  expect((await send(cast.project, id)).code).toBe(200)
})

test('no code is sent for the text of a draft whose lessor was certified anew', async () => {
  const { id } = await givenDraft({ alone: true })
  const hash = await textHash(cast.project, id)
  await certify('large')
  await db.deleteFrom('callLimit').execute()
  const ask = async (hashRead: string) =>
    (await cast.project.call(calls.sendSignCode, { params: { id }, body: { purpose: 'send', textHash: hashRead } })).msg
  expect(await ask(hash)).toBe(zhCn.refusal.contract_text_changed)
  await db.deleteFrom('smsCode').execute()
  expect([(await send(cast.project, id)).code, (await read(cast.project, id)).scaleLessor]).toEqual([200, 'large'])
  await certify('small')
})

test('whoever approves sends a draft that waits for them also when the lessor was certified anew, and nobody else takes the size over', async () => {
  await certify('large')
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', world.depts.root).execute()
  const { id } = await givenDraft({ alone: true })
  expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
  const hash = await textHash(cast.project, id)
  await certify('small')
  const ask = async (who: Person) => {
    await db.deleteFrom('callLimit').execute()
    return (await who.call(calls.sendSignCode, { params: { id }, body: { purpose: 'send', textHash: hash } })).msg
  }
  await ask(cast.project)
  expect(await read(cast.project, id)).toMatchObject({ approval: '1', scaleLessor: 'large' })
  expect(await ask(cast.lessee)).toBe(zhCn.refusal.contract_text_changed)
  expect(await read(cast.project, id)).toMatchObject({ approval: '0', scaleLessor: 'small' })
  expect((await send(cast.lessee, id)).code).toBe(200)
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', world.depts.root).execute()
})

test('whoever may not sign takes no size over: neither the approval nor the draft changes', async () => {
  await certify('large')
  const { id } = await givenDraft({ alone: true })
  expect((await nameThem(cast.lessee, id, [{ task: 'signer', accountId: cast.lessee.id }])).code).toBe(200)
  await db.updateTable('contract').set({ approval: '2' }).where('id', '=', id).execute()
  const [before, hash] = [await read(cast.project, id), await textHash(cast.project, id)]
  await certify('small')
  await db.deleteFrom('callLimit').execute()
  const asked = await cast.project.call(calls.sendSignCode, { params: { id }, body: { purpose: 'send', textHash: hash } })
  const sent = await cast.project.call(calls.sendContract, { params: { id }, body: { smsCode: '123456', textHash: hash } })
  expect([asked.msg, sent.msg]).toEqual([zhCn.refusal.contract_not_signer, zhCn.refusal.contract_not_signer])
  const { version, approval, events } = await read(cast.project, id)
  expect([version, approval, events.length]).toEqual([before.version, '2', before.events.length])
})

test('an amendment of clauses keeps to the law as the contract does', async () => {
  await certify('small')
  const { id } = await givenDraft({ alone: true })
  await edit(id, { scaleLessee: 'large' })
  for (const step of [await send(cast.project, id), await confirm(cast.lessor, id)]) expect(step.code).toBe(200)
  const { clauses } = await read(cast.project, id)
  const amended = (payDays: number) => propose(cast.project, id, { kind: 'clause', clauses: { ...clauses, payDays } })
  const refused = await amended(61)
  expect([refused.code, refused.data]).toEqual([422, { problems: [{ key: 'payDays', rule: 'pay_days_sme' }] }])
  expect((await amended(60)).code).toBe(200)
})

test('a draft is approved by an administrator of the unit that wants it or of one above, once and after it was asked for', async () => {
  const { id } = await givenDraft()
  const { root, unit } = world.depts
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', root).execute()
  const people = { userType: '2', companyId: cast.lessee.companyId, certSign: 2 } as const
  const colleague = await world.givenPerson({ ...people, deptId: root }, 'colleague')
  const below = await world.givenPerson({ ...people, deptId: unit, isAdmin: true }, 'below')
  const decide = async (who: Person) => {
    const { version } = await read(cast.project, id)
    const approved = await who.call(calls.approveContract, { params: { id }, body: { version } })
    return approved.code === 200
      ? 200
      : [approved.msg, (await who.call(calls.rejectContract, { params: { id }, body: { version, reason: '租金过高' } })).msg]
  }
  const { forbidden, contract_changed: changed } = zhCn.refusal
  expect(await decide(cast.lessee)).toEqual([changed, changed])
  expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
  for (const who of [colleague, below]) expect(await decide(who)).toEqual([forbidden, forbidden])
  expect([await decide(cast.lessee), await decide(cast.lessee)]).toEqual([200, [changed, changed]])
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', root).execute()
})

test('a bond above ten percent and a retention above five are refused beside their fields, the bond with article 13', async () => {
  const { id } = await givenDraft({ alone: true })
  const { clauses } = await read(cast.project, id)
  const refused = await edit(id, { clauses: { ...clauses, bond: { share: 11, kind: 'cash' }, retention: 6 } })
  expect(refused.code).toBe(422)
  expect(refused.data).toMatchObject({
    errors: [
      { field: 'clauses.bond.share', message: expect.stringContaining('第十三条') },
      { field: 'clauses.retention', message: zhCn.rule.codes.retention_unlawful },
    ],
  })
  expect((await edit(id, { clauses: { ...clauses, bond: { share: 10, kind: 'cash' }, retention: 5 } })).code).toBe(200)
})

test('a tax rate that is unusual with or without a driver is marked for both and refused for neither', async () => {
  const { id } = await givenDraft({ alone: true })
  await db.updateTable('contractLine').set({ includesOperator: true, taxRate: 13 }).where('contractId', '=', id).execute()
  expect((await send(cast.project, id)).code).toBe(200)
  for (const person of [cast.project, cast.lessor])
    expect((await read(person, id)).lines.map(({ oddTaxRate }) => oddTaxRate)).toEqual([true, true])
  await db.updateTable('contractLine').set({ taxRate: 9 }).where('contractId', '=', id).execute()
  expect((await read(cast.lessor, id)).lines.map(({ oddTaxRate }) => oddTaxRate)).toEqual([false, false])
})

test('a stranger, another project, the lessor and the auditors of either organisation change no draft, whatever id they send', async () => {
  const { id } = await givenDraft({ alone: true })
  const body = editing(await read(cast.project, id))
  const stranger = await world.givenPerson({ userType: '8', companyId: cast.stranger.companyId }, 'strangerAuditor')
  const codes = async (people: Person[]) => Promise.all(people.map(async (one) => (await one.call(calls.editContract, { body })).code))
  expect(await codes([cast.stranger, cast.strangerAdmin, cast.otherProject, cast.lessor, cast.lessor2])).toEqual([404, 404, 404, 404, 404])
  expect(await codes([cast.auditor, stranger, cast.operator, cast.newcomer])).toEqual([403, 403, 403, 403])
  expect((await stranger.call(contract.getContract, { params: { id } })).code).toBe(404)
  expect((await cast.auditor.call(contract.getContract, { params: { id } })).code).toBe(200)
  expect((await cast.project.call(calls.editContract, { body })).code).toBe(200)
})

/** A unit of the lessee enters this in place of what it had entered before. */
async function bar(subject: object, level: BlacklistLevel) {
  await db.deleteFrom('blacklist').execute()
  await db
    .insertInto('blacklist')
    .values({
      blacklistCode: 'HM9',
      subjectKind: 'company',
      companyId: cast.lessor.companyId,
      scopeDeptId: world.depts.unit,
      reasonCode: 'quit',
      facts: '事实'.repeat(30),
      fromDay: '2026-11-23',
      toDay: '2027-11-23',
      status: '2',
      proposerId: cast.lessee.id,
      createTime: monday,
      updateTime: monday,
      level,
      ...subject,
    })
    .execute()
}

const machineOf = async (id: number) =>
  (await db.selectFrom('contractLine').where('contractId', '=', id).select('equipmentId').executeTakeFirstOrThrow()).equipmentId

test('a lessor or a machine that a unit of the lessee has barred since the award is not confirmed; a restriction alone stops no award', async () => {
  const { id } = await givenDraft({ alone: true })
  expect((await send(cast.project, id)).code).toBe(200)
  await bar({}, 3)
  await expect(confirm(cast.lessor, id)).rejects.toThrow(zhCn.refusal.contract_barred)
  await bar({ subjectKind: 'machine', equipmentId: await machineOf(id) }, 3)
  await expect(confirm(cast.lessor, id)).rejects.toThrow(zhCn.refusal.contract_barred)
  await bar({ scopeDeptId: world.depts.otherDept }, 3)
  await bar({}, 2)
  expect((await confirm(cast.lessor, id)).code).toBe(200)
  await db.deleteFrom('blacklist').execute()
})

test.each([
  ['none', 'machine', 3],
  ['none', 'lessor', 3],
  ['lessor', 'machine', 2],
] as const)('the blame for an award that lapses unanswered: %s, with the %s on the list at level %s', async (blame, subject, level) => {
  const { id, demand } = await givenDraft({ alone: true })
  expect((await send(cast.project, id)).code).toBe(200)
  await bar(subject === 'machine' ? { subjectKind: 'machine', equipmentId: await machineOf(id) } : {}, level)
  pass(8 * 86_400)
  await lapseDueAwards(world.services)
  expect(await db.selectFrom('awardLapse').where('demandId', '=', demand.id).select('blame').execute()).toEqual([{ blame }])
  await db.deleteFrom('blacklist').execute()
})

test('a contract is found by its new title and by the number of the lessee', async () => {
  const { id } = await givenDraft({ alone: true })
  await edit(id, { title: '滨江路面铣刨租赁', externalNo: 'CR20-2026-118' })
  for (const keyword of ['铣刨', 'CR20-2026-118', '恒岳']) {
    const { data } = await cast.project.call(contract.listContracts, { query: { keyword, pageSize: 100 } })
    expect(data.rows.map((row) => row.id)).toContain(id)
  }
})

test('the number of the lessee is one line, so it writes no section into the text that both confirm', async () => {
  const { id } = await givenDraft({ alone: true })
  expect((await edit(id, { externalNo: 'A\n# 补充条款\n出租方放弃租金' })).code).toBe(200)
  const { text, sections } = (await cast.project.call(contract.getContractText, { params: { id } })).data
  expect(text).toContain('承租方编号：A # 补充条款 出租方放弃租金')
  expect(sections.map(({ title }) => title)).not.toContain('补充条款')
})

test('a side that declares a smaller size than its certification says is marked for both sides', async () => {
  await certify('small')
  const { id } = await givenDraft()
  const certifyLessee = (scaleType: 'large' | null) =>
    db.updateTable('company').set({ scaleType }).where('id', '=', cast.project.companyId).execute()
  await certifyLessee('large')
  await edit(id, { scaleLessee: 'medium' })
  const marks = [{ side: 'lessee', declared: 'medium', certified: 'large' }]
  expect((await read(cast.project, id)).scaleMarks).toEqual(marks)
  expect((await send(cast.project, id)).code).toBe(200)
  expect((await read(cast.lessor, id)).scaleMarks).toEqual(marks)
  // The certification of the lessor has grown since it was written into the draft.
  await certify('large')
  expect((await read(cast.lessor, id)).scaleMarks).toEqual([...marks, { side: 'lessor', declared: 'small', certified: 'large' }])
  await certify('small')
  await certifyLessee(null)
  expect((await read(cast.project, id)).scaleMarks).toEqual([])
})

test('a draft whose bills run longer than six months is not sent; a contract in force from before is read with them, and amended in all but its clauses', async () => {
  const { id } = await givenDraft({ alone: true })
  const { clauses } = await read(cast.project, id)
  const bills = (months: number) => ({ ...clauses, nonCash: { share: 50, months } })
  const problems = [{ key: 'nonCash', rule: 'bill_long' }]
  expect((await edit(id, { scaleLessee: 'small', clauses: bills(7) })).code).toBe(200)
  expect((await read(cast.project, id)).problems).toEqual(problems)
  const refused = await send(cast.project, id)
  expect([refused.code, refused.data]).toEqual([422, { problems }])
  expect((await edit(id, { clauses: bills(6) })).code).toBe(200)
  for (const step of [await send(cast.project, id), await confirm(cast.lessor, id)]) expect(step.code).toBe(200)
  await db
    .updateTable('contract')
    .set({ clauses: sql`jsonb_set(clauses, '{nonCash,months}', '12')` })
    .where('id', '=', id)
    .execute()
  const { clauses: long, lines } = await read(cast.project, id)
  expect(long.nonCash).toEqual({ share: 50, months: 12 })
  const amended = await propose(cast.project, id, { kind: 'clause', clauses: { ...long, noticeDays: 5 } })
  expect([amended.code, amended.data]).toEqual([422, { problems }])
  expect((await propose(cast.project, id, { kind: 'price', lines: [{ lineId: lines[0]?.id, value: '17000' }] })).code).toBe(200)
})
