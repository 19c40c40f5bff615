import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayMs, dayOf } from '#shared/calendar.ts'
import { getContract } from '#shared/contract/contract.ts'
import { getSettings, listSettingHistory, saveSetting } from '#shared/setting/contract.ts'
import { contractSteps } from '#test/given-contract.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenDraft, send, confirm } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const save = (entries: object[], who: 'operator' | 'project' = 'operator') =>
  cast[who].call(saveSetting, { body: { key: 'lpr', value: { entries }, reason: '央行公布' } })
const before = { fromDay: '2025-05-20', bp: 300 }
const tomorrow = { fromDay: '2026-11-24', bp: 350 }

test('the operator keeps the rates by day, which the audit log has', async () => {
  expect((await save([before, tomorrow])).code).toBe(200)
  expect((await cast.operator.call(getSettings, {})).data.lpr).toEqual({ entries: [before, tomorrow] })
  expect((await cast.operator.call(listSettingHistory, {})).data[0]).toMatchObject({ key: 'lpr', after: { entries: [before, tomorrow] } })
  for (const entries of [[], [before, before], [{ ...before, bp: 0 }], [{ ...before, fromDay: '2026-02-30' }]])
    expect((await save(entries)).code).toBe(422)
  expect((await save([before], 'project')).code).toBe(403)
})

test('late interest is checked against the rate of the day, and the contract keeps that of its confirmation', async () => {
  const { id } = await givenDraft()
  const today = clock.now()
  await save([before, { ...tomorrow, fromDay: addDays(dayOf(today), 1) }])
  const { clauses } = await db.selectFrom('contract').where('id', '=', id).select('clauses').executeTakeFirstOrThrow()
  await db
    .updateTable('contract')
    .set({ clauses: JSON.stringify({ ...(clauses as object), lateRate: 320 }) })
    .where('id', '=', id)
    .execute()
  const read = async () => (await cast.project.call(getContract, { params: { id } })).data
  expect(await read()).toMatchObject({ currentLprBp: 300, problems: [] })
  clock.set(new Date(today.getTime() + dayMs))
  expect(await read()).toMatchObject({ currentLprBp: 350, problems: [{ key: 'lateRate', rule: 'late_rate_low' }] })
  expect((await send(cast.project, id)).msg).toContain('违反法规')
  clock.set(today)
  expect((await send(cast.project, id)).code).toBe(200)
  clock.set(new Date(today.getTime() + dayMs))
  expect((await confirm(cast.lessor, id)).code).toBe(200)
  expect((await read()).lprBp).toBe(350)
})
