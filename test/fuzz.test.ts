import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { hashPassword } from '#server/actor/hash.ts'
import { insertSession } from '#server/account/sessions.ts'
import { verifyAuditChain } from '#server/audit/queries.ts'
import { openDueDemands } from '#server/opening/due.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { arbitraryOf, hostile } from './arbitrary.ts'
import { openWorld, password } from './world.ts'

/** Cases for each call: a short form in every run, FUZZ=200 for the long one. */
const cases = Number(process.env.FUZZ ?? 6)
const world = await openWorld()
const { cast, db, api, server, clock } = world
afterAll(() => world.close())

const machine = await world.givenMachine(cast.lessor.companyId)
const open = await world.givenDemand()
const quoted = await world.givenDemand()
const quote = await world.givenQuote(cast.lessor, quoted, [machine])
const people = [cast.lessee, cast.project, cast.lessor, cast.operator, cast.auditor, cast.newcomer]
const ids = [machine, open.id, quoted.id, quote.id, open.items[0]?.id ?? 0, ...people.map(({ id }) => id), ...Object.values(world.depts)]
const known = [...ids, cast.lessor.companyId, 100, 106, 510_000, 510_100, 1, 2, 3, '', '1', '塔吊', '2027-01-10']

await db
  .updateTable('account')
  .set({ passwordHash: await hashPassword(password) })
  .execute()
await sql`create table account_before as select * from account`.execute(db)
await sql`create table company_before as select * from company`.execute(db)
/** Restores all accounts and sessions, so that one call cannot influence the test of the next. */
async function restored(): Promise<(string | null)[]> {
  await sql`update account a set user_type = b.user_type, audit_status = b.audit_status, dept_id = b.dept_id, company_id = b.company_id,
    is_admin = b.is_admin, duties = b.duties, status = b.status, del_flag = b.del_flag, locked_until = null, must_change_password = false
    from account_before b where b.id = a.id`.execute(db)
  await sql`update company c set status = '0', del_flag = '0', blacklisted_at = null, lessor_audit = b.lessor_audit, lessee_audit = b.lessee_audit
    from company_before b where b.id = c.id`.execute(db)
  clock.set(new Date(clock.now().getTime() + 61_000))
  const until = new Date(clock.now().getTime() + 86_400_000)
  const tokens = await Promise.all(people.map(({ id }) => insertSession({ db, now: until, address: '', agent: '' }, { accountId: id })))
  return [...tokens, null]
}

const anyOf = (schema: z.ZodType | undefined) => (schema ? arbitraryOf(schema, known) : fc.constant(undefined))
const textOf = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

describe('every call answers any input in the envelope, without a 500 and without internals', () => {
  test.each(api.routes.map(({ endpoint }) => [endpoint.method, endpoint.url, endpoint] as const))(
    '%s %s',
    async (method, url, endpoint) => {
      const tokens = await restored()
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...tokens),
          fc.oneof({ weight: 6, arbitrary: anyOf(endpoint.params) }, { weight: 1, arbitrary: fc.constant({ id: '0' }) }),
          anyOf(endpoint.query),
          fc.oneof({ weight: 15, arbitrary: anyOf(endpoint.body) }, { weight: 1, arbitrary: fc.constantFrom(...hostile) }),
          async (token, params, query, body) => {
            const given = (params ?? {}) as Record<string, unknown>
            const path = url.replace(/:(\w+)/g, (_, name: string) =>
              encodeURIComponent(
                textOf(given[name] ?? 1)
                  .toWellFormed()
                  .slice(0, 150),
              ),
            )
            const search = Object.entries((query ?? {}) as Record<string, unknown>)
              .filter(([, value]) => value !== undefined)
              .map(
                ([name, value]) =>
                  `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(textOf(value).toWellFormed().slice(0, 3000))}`,
              )
              .join('&')
            const response = await server.inject({
              method,
              url: `/prod-api${path}${search ? `?${search}` : ''}`,
              headers: { ...(token && { authorization: token }), ...(method !== 'GET' && { 'content-type': 'application/json' }) },
              ...(method !== 'GET' && { payload: JSON.stringify(body ?? {}) }),
            })
            const type = String(response.headers['content-type'])
            const text = type.includes('json') ? response.body : ''
            const answer = text ? (JSON.parse(text) as { code?: number; msg?: string }) : { code: 200 }
            expect(response.statusCode, text).toBeLessThan(500)
            // Some refusals of the specification travel under 500 with words of their own.
            expect(answer.msg, text).not.toBe(zhCn.refusal.internal)
            expect(typeof answer.code, text).toBe('number')
            expect(text).not.toMatch(/node_modules|\n\s+at |syntax error at|violates|PostgresError/)
          },
        ),
        { numRuns: cases, endOnFailure: cases < 20 },
      )
    },
  )

  test('no schema throws, whatever it is given', () => {
    for (const { endpoint } of api.routes)
      for (const schema of [endpoint.params, endpoint.query, endpoint.body])
        if (schema)
          fc.assert(
            fc.property(anyOf(schema), (value) => void schema.safeParse(value)),
            { numRuns: 10 * cases },
          )
  })

  test('no fuzzed call stored half a write', async () => {
    await restored()
    // Only an opened quote has lines.
    world.passDeadline()
    await openDueDemands(world.services)
    const count = async (name: string, text: ReturnType<typeof sql<{ n: number }>>) => [name, Number((await text.execute(db)).rows[0]?.n)]
    expect(
      await Promise.all([
        count(
          'demands without lines',
          sql`select count(*) as n from demand d where status <> '0' and not exists (select 1 from demand_item i where i.demand_id = d.id)`,
        ),
        count(
          'quotes without lines',
          sql`select count(*) as n from quote q where open_time is not null and not exists (select 1 from quote_line l where l.quote_id = q.id)`,
        ),
        count(
          'counts of quotes that are wrong',
          sql`select count(*) as n from demand d where status = '3' and quote_count <> (select count(*) from quote q where q.demand_id = d.id and q.status in ('1', '3', '10'))`,
        ),
        count(
          'awards without lines',
          sql`select count(*) as n from award w where not exists (select 1 from award_line l where l.award_id = w.id)`,
        ),
        count(
          'machines on the shelf that have not passed',
          sql`select count(*) as n from equipment where shelf_status = '1' and audit_status <> '2'`,
        ),
      ]),
    ).toEqual([
      ['demands without lines', 0],
      ['quotes without lines', 0],
      ['counts of quotes that are wrong', 0],
      ['awards without lines', 0],
      ['machines on the shelf that have not passed', 0],
    ])
    expect(await verifyAuditChain(db)).toMatchObject({ broken: null })
  })
})
