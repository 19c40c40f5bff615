import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { listAudit } from '#shared/audit/contract.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { verifyAuditChain } from './queries.ts'

const world = await openWorld()
const { db, cast } = world
afterAll(() => world.close())

const lastSeq = async () =>
  (
    await db
      .selectFrom('auditLog')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .executeTakeFirstOrThrow()
  ).seq

test('a long log is counted up to a bound, and its chain is verified portion by portion', async () => {
  await sql`insert into audit_log (at, who, action, biz_type, biz_id)
    select ${monday}::timestamptz, 'operator', 'article.edit', 'article', n::text from generate_series(1, 10050) n`.execute(db)
  expect((await cast.operator.call(listAudit, { query: { bizType: 'article' } })).data).toMatchObject({ total: 10_000 })
  let statements = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => {
      statements++
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  const entries = await lastSeq()
  const whole = await verifyAuditChain(db, 1_000_000)
  expect(whole).toMatchObject({ entries, broken: null })
  expect(await verifyAuditChain(counting, 1000)).toEqual(whole)
  expect(statements).toBe(Math.ceil(entries / 1000) + 1)
  // The first entries of a portion.
  for (const [change, seq] of [
    ['delete from audit_log where seq = 3001', 3002],
    [`update audit_log set reason = '改过' where seq = 2001`, 2001],
  ] as const) {
    await inTransaction(db, async (tx) => {
      await sql`alter table audit_log disable trigger audit_log_kept`.execute(tx)
      await sql.raw(change).execute(tx)
    })
    expect((await verifyAuditChain(db, 1000)).broken).toMatchObject({ seq })
  }
})
