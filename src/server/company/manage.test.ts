import { afterAll, expect, test } from 'vitest'
import { getCompany, gradeCompany, type grades } from '#shared/company/manage.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
type Grade = (typeof grades)[number] | null

const { cast, db, depts } = world
afterAll(() => world.close())

test('a grade is changed by whoever has read the one before; of two operators one is told that it has changed', async () => {
  const params = { id: cast.lessor.companyId }
  const grade = (before: Grade, after: Grade) =>
    cast.operator.call(gradeCompany, { params, body: { grade: after, before, reason: '年度评定' } })
  const read = async () => (await cast.operator.call(getCompany, { params })).data.grade
  const none = { params: { id: 987_654 }, body: { grade: 'A', before: null, reason: '年度评定' } }
  expect((await cast.operator.call(gradeCompany, none)).code).toBe(404)
  expect((await grade(null, 'A')).code).toBe(200)
  const both = await Promise.all([grade('A', 'B'), grade('A', 'D')])
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
  expect(await read()).toBe(both[0]?.code === 200 ? 'B' : 'D')
  expect([(await grade('A', null)).code, (await grade(await read(), null)).code, await read()]).toEqual([409, 200, null])
})

test('the demands of a company are those that were published', async () => {
  const demands = async () => (await cast.operator.call(getCompany, { params: { id: cast.lessee.companyId } })).data.demands
  await world.givenDemand()
  const before = await demands()
  await db.updateTable('dept').set({ approvesDemands: true }).where('id', '=', depts.root).execute()
  await world.givenDemand()
  const { id } = await world.givenDemand()
  await cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })
  expect([before, await demands()]).toEqual([1, 1])
})
