import { afterAll, expect, test } from 'vitest'
import { getFirstSteps } from '#shared/account/first-steps.ts'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db } = world
afterAll(() => world.close())

const open = async (by: (typeof cast)[keyof typeof cast]) => {
  const { code, data } = await by.call(getFirstSteps, {})
  expect(code).toBe(200)
  return data.filter(({ done }) => !done).map(({ step }) => step)
}

test('a lessor uploads a machine, puts it on the shelf and quotes; a step that is undone comes back', async () => {
  expect(await open(cast.lessor)).toEqual(['machine', 'shelf', 'quote'])
  const machine = await world.givenMachine(cast.lessor.companyId)
  expect(await open(cast.lessor)).toEqual(['quote'])
  await world.givenQuote(cast.lessor, await world.givenDemand(), [machine])
  expect(await open(cast.lessor)).toEqual([])
  await db.updateTable('equipment').set({ shelfStatus: shelfStatus.off }).where('companyId', '=', cast.lessor.companyId).execute()
  expect(await open(cast.lessor)).toEqual(['shelf'])
})

test('an organisation adds a project department and people, and a demand is published by anybody below it', async () => {
  await world.givenDemand()
  expect(await open(cast.lessee)).toEqual([])
  expect(await open(cast.project)).toEqual(['award'])
  // The demand of one project does not count for another one, nor for another organisation.
  expect(await open(cast.otherProject)).toEqual(['demand', 'award'])
  expect(await open(cast.strangerAdmin)).toContain('demand')
  await db.updateTable('demand').set({ delFlag: delFlag.deleted }).execute()
  expect(await open(cast.lessee)).toEqual(['demand'])
})

test('a newcomer starts with the certification, and the people of the platform have no such list', async () => {
  expect(await open(cast.newcomer)).toEqual(['certify'])
  for (const staff of [cast.operator, cast.auditor]) expect((await staff.call(getFirstSteps, {})).data).toEqual([])
  expect((await cast.visitor.call(getFirstSteps, {})).code).toBe(401)
})
