import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { userType } from '#shared/account/rules.ts'
import { toMoment } from '#shared/calendar.ts'
import { isShort } from '#shared/demand/guards.ts'
import { demandStatus, demandStatuses } from '#shared/demand/rules.ts'
import { monday, openWorld } from '#test/world.ts'
import type { Actor } from '../actor/actor.ts'
import { todosOf } from './todo.ts'

const world = await openWorld()
const { db, cast } = world
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
