import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import { recallContractChange } from '#shared/contract/changes.ts'
import { getContract } from '#shared/contract/contract.ts'
import { editContract, returnContract } from '#shared/contract/moves.ts'
import { contractStatus } from '#shared/contract/rules.ts'
import { getSettings, listSettingHistory, saveSetting } from '#shared/setting/contract.ts'
import { changeSteps, contractSteps, editing } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, clock } = world
const { givenDraft, send, confirm } = contractSteps(world)
const { propose } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const current = async () => (await cast.operator.call(getSettings, {})).data.lpr
const save = async (entries: object[], who: 'operator' | 'project' = 'operator') =>
  cast[who].call(saveSetting, { body: { key: 'lpr', value: { entries }, before: await current(), reason: '央行公布' } })
const before = { fromDay: '2025-05-20', bp: 300 }
const tomorrow = { fromDay: '2026-11-24', bp: 350 }

test('the operator keeps the rates by day, which the audit log has', async () => {
  expect((await save([before, tomorrow])).code).toBe(200)
  expect(await current()).toEqual({ entries: [before, tomorrow] })
  expect((await cast.operator.call(listSettingHistory, {})).data[0]).toMatchObject({ key: 'lpr', after: { entries: [before, tomorrow] } })
  for (const entries of [[], [before, before], [{ ...before, bp: 0 }], [{ ...before, fromDay: '2026-02-30' }]])
    expect((await save(entries)).code).toBe(422)
  expect((await save([before], 'project')).code).toBe(403)
})

test('of two operators who begin with the same rates one saves, and the other one is told', async () => {
  const begun = await current()
  const saveFrom = (entries: object[]) =>
    cast.operator.call(saveSetting, { body: { key: 'lpr', value: { entries }, before: begun, reason: '央行公布' } })
  const changes = [340, 360].map((bp) => [before, { ...tomorrow, bp }])
  const answers = await Promise.all(changes.map(saveFrom))
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await current()).toEqual({ entries: changes[answers.findIndex(({ code }) => code === 200)] })
  // In whatever order the names of the value come, it is the same.
  const { entries } = await current()
  const again = entries.map(({ fromDay, bp }) => ({ bp, fromDay }))
  const body = { key: 'lpr', value: { entries: [before] }, before: { entries: again }, reason: '央行公布' }
  expect((await cast.operator.call(saveSetting, { body })).code).toBe(200)
})

const read = async (id: number) => (await cast.project.call(getContract, { params: { id } })).data
const charge = async (id: number, lateRate: number) => {
  const draft = editing(await read(id))
  expect((await cast.project.call(editContract, { body: { ...draft, clauses: { ...draft.clauses, lateRate } } })).code).toBe(200)
}

test('late interest is checked against the rate of the day, also when the lessor confirms, and the contract keeps that of its confirmation', async () => {
  const { id } = await givenDraft()
  const today = clock.now()
  await save([before, { ...tomorrow, fromDay: addDays(dayOf(today), 1) }])
  await charge(id, 320)
  const tooLow = [{ key: 'lateRate', rule: 'late_rate_low' }]
  expect(await read(id)).toMatchObject({ currentLprBp: 300, problems: [] })
  clock.set(new Date(today.getTime() + dayMs))
  expect(await read(id)).toMatchObject({ currentLprBp: 350, problems: tooLow })
  expect((await send(cast.project, id)).msg).toContain('违反法规')
  clock.set(today)
  expect((await send(cast.project, id)).code).toBe(200)
  clock.set(new Date(today.getTime() + dayMs))
  const refused = await confirm(cast.lessor, id)
  expect([refused.code, refused.data, (await read(id)).status]).toEqual([422, { problems: tooLow }, contractStatus.sent])
  expect((await cast.lessor.call(returnContract, { params: { id }, body: { comment: '利率过低' } })).code).toBe(200)
  await charge(id, 350)
  expect([(await send(cast.project, id)).code, (await confirm(cast.lessor, id)).code]).toEqual([200, 200])
  expect((await read(id)).lprBp).toBe(350)
})

test('once a contract is confirmed, late interest is checked against the rate of its confirmation, whatever the rate becomes', async () => {
  await save([before])
  const { id } = await givenDraft()
  await charge(id, 310)
  expect([(await send(cast.project, id)).code, (await confirm(cast.lessor, id)).code]).toEqual([200, 200])
  const { clauses } = await read(id)
  const amend = async (changes: object) => {
    const { code, data } = await propose(cast.project, id, { kind: 'clause', clauses: { ...clauses, ...changes } })
    if (code === 200) await cast.project.call(recallContractChange, { params: { id: data.id } })
    return code
  }
  for (const bp of [320, 250]) {
    await save([{ ...before, bp }])
    expect(await read(id)).toMatchObject({ lprBp: 300, currentLprBp: bp, problems: [] })
    expect([await amend({ payDays: clauses.payDays - 1 }), await amend({ lateRate: 299 })]).toEqual([200, 422])
  }
})
