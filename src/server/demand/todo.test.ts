import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { userType } from '#shared/account/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { countOwnDemands, listOwnDemands, saveDraft } from '#shared/demand/contract.ts'
import { isShort } from '#shared/demand/guards.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import { demandStatus, demandStatuses } from '#shared/demand/rules.ts'
import { monday, openWorld } from '#test/world.ts'
import type { Actor } from '../actor/actor.ts'
import { todosOf } from './todo.ts'

const world = await openWorld()
const { db, cast, depts } = world
afterAll(() => world.close())

test('the database finds the same demands with too few quotes as the rule', async () => {
  const actor: Actor = {
    accountId: cast.project.id,
    userName: 'project',
    userType: userType.project,
    role: 'projectUser',
    contractRole: 'projectUser',
    permissions: [],
    companyId: null,
    deptId: null,
    isAdmin: false,
    setup: null,
    address: '',
  }
  const given = fc
    .sample(
      fc.record({
        status: fc.oneof(fc.constant(demandStatus.quoting), fc.constantFrom(...demandStatuses)),
        after: fc.option(fc.integer({ min: -2, max: 2 })),
        quoteCount: fc.integer({ min: 0, max: 4 }),
        minQuotes: fc.integer({ min: 1, max: 4 }),
        isToldShort: fc.boolean(),
      }),
      400,
    )
    .map(({ after, ...demand }, id) => ({
      ...demand,
      id,
      sealed: true,
      quoteDeadline: after === null ? null : toMoment(new Date(monday.getTime() + after * 1000)),
    }))
  const { rows } = await sql<{ id: number; short: boolean }>`
    select demand.id, coalesce(${todosOf(actor, monday).short}, false) as short from (
      select id, status, ("quoteDeadline" || '+08')::timestamptz as quote_deadline, "quoteCount" as quote_count, "minQuotes" as min_quotes,
        case when "isToldShort" then now() end as few_told_at
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id int, status text, "quoteDeadline" text, "quoteCount" int, "minQuotes" int,
        "isToldShort" boolean)) demand order by demand.id`.execute(db)
  expect(rows).toEqual(given.map(({ id, ...demand }) => ({ id, short: isShort(demand, toMoment(monday)) })))
})

test('the demands of each status are counted under the other filters of their list, for each who reads it', async () => {
  const codeOf = async (id: number) =>
    (await db.selectFrom('demand').where('id', '=', id).select('demandCode').executeTakeFirstOrThrow()).demandCode ?? ''
  const [first, cancelled] = [await world.givenDemand({ minQuotes: 3 }), await world.givenDemand()]
  await world.givenDemand({ deptId: depts.otherDept }, cast.lessee)
  await cast.project.call(cancelDemand, { params: { id: cancelled.id }, body: { reason: '方案调整' } })
  await cast.project.call(saveDraft, { body: { deptId: depts.projectDept, form: { title: '半份草稿' } } })
  expect((await cast.lessee.call(countOwnDemands, { query: {} })).data).toEqual({ [demandStatus.quoting]: 2, [demandStatus.cancelled]: 1 })
  const filters = [
    {},
    { deptId: depts.projectDept },
    { deptId: depts.otherDept },
    { open: '1' },
    { opened: '1' },
    { todo: 'closing' },
    { projectName: '南湖安置房' },
    { projectName: '没有这个项目' },
    { demandCode: await codeOf(first.id) },
  ]
  for (const who of [cast.project, cast.lessee, cast.auditor, cast.stranger])
    for (const query of filters) {
      const listed: Record<string, number> = {}
      for (const { status } of (await who.call(listOwnDemands, { query: { ...query, pageSize: 100 } })).data.rows)
        listed[status] = (listed[status] ?? 0) + 1
      expect([query, (await who.call(countOwnDemands, { query })).data]).toEqual([query, listed])
    }
})
