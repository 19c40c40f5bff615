import { EventEmitter } from 'node:events'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { EquipmentFilter } from '#shared/equipment/contract.ts'
import { listShelvedEquipment, getShelvedMachine } from '#server/equipment/queries.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { connect } from '../connect.ts'
import { compiledOnce } from './compiled.ts'
import { columnsChanged } from './preparing-client.ts'

const world = await openWorld()
const plain = connect(world.url, 2, { prepared: false })
afterAll(async () => {
  await plain.db.destroy()
  await world.close()
})

/** A statement is named when it comes for the third time, and known from the fourth on. */
const fiveTimes = [1, 2, 3, 4, 5]

test('prepared and plain connections answer the same', async () => {
  const ids: number[] = []
  for (const priceFen of [100_000, 200_000, 300_000]) ids.unshift(await world.givenMachine(world.cast.lessor.companyId, { priceFen }))
  const questions = [
    {},
    { pageSize: 2, pageNum: 2 },
    { beginPrice: 1500 },
    { sort: 'priceUp' },
    { name: '装载机' },
    { exact: '1', brand: '没有' },
  ]
  for (const question of questions) {
    const filter = EquipmentFilter.parse(question)
    const expected = await listShelvedEquipment(plain.db, filter)
    for (const _ of fiveTimes) expect([question, await listShelvedEquipment(world.db, filter)]).toEqual([question, expected])
  }
  const [id = 0] = ids
  expect((await listShelvedEquipment(plain.db, EquipmentFilter.parse({ beginPrice: 1500 }))).rows.map((row) => row.id)).toEqual(
    ids.slice(0, 2),
  )
  expect(await getShelvedMachine(world.db, id, monday)).toEqual(await getShelvedMachine(plain.db, id, monday))
})

test.each([
  ['named', world.db, 1],
  ['plain', plain.db, 0],
] as const)('%s connections prepare a statement that comes again: %s', async (_, on, count) => {
  await on.connection().execute(async (db) => {
    for (const at of fiveTimes) await sql`select ${at}::int as once_more`.execute(db)
    const { rows } = await sql<{
      statement: string
    }>`select statement from pg_prepared_statements where statement like '%once_more%'`.execute(db)
    expect(rows.length).toBe(count)
  })
})

test('texts that come once take no name from one that comes again', async () => {
  await onOneConnection(async (db) => {
    for (let n = 0; n < 600; n++) await sql`select ${n}::int as ${sql.raw(`only_once_${n}`)}`.execute(db)
    for (const at of fiveTimes) await sql`select ${at}::int as again_after_many`.execute(db)
    const { rows } = await sql`select from pg_prepared_statements where statement like '%again_after_many%'`.execute(db)
    expect(rows.length).toBe(1)
  })
})

test('a statement built once takes other values, and may not compute with them', async () => {
  let times = 0
  const sum = compiledOnce((db, { parts, sign }: { parts: { n: number; list: number[] }[]; sign: 'plus' | 'minus' }) => {
    times++
    const all = parts.map(({ n, list }) => sql`${sql.raw(sign === 'plus' ? '+' : '-')} ${n}::int * cardinality(${list}::int[])`)
    return db.selectNoFrom(sql<number>`0 ${sql.join(all, sql` `)}`.as('total'))
  }, 'sign')
  const of = async (db: typeof world.db, sign: 'plus' | 'minus', ...ns: number[]) =>
    (await sum(db, { sign, parts: ns.map((n) => ({ n, list: [1, 2] })) }))[0]?.total
  expect([await of(world.db, 'plus', 1, 2), await of(world.db, 'plus', 3, 4), await of(world.db, 'minus', 5, 6), times]).toEqual([
    6, 14, -22, 2,
  ])
  expect([await of(plain.db, 'plus', 1, 2), await of(plain.db, 'plus', 3, 4), times]).toEqual([6, 14, 4])
  const doubled = compiledOnce((db, { n }: { n: number }) => db.selectNoFrom(sql<number>`${n * 2}::int`.as('n')))
  await expect(doubled(world.db, { n: 4 })).rejects.toThrow('decides what the text')
  expect(await doubled(plain.db, { n: 4 })).toEqual([{ n: 8 }])
})

test('a statement answers the same when it is new, when it is named and when it is known', async () => {
  await world.db.connection().execute(async (db) => {
    for (const at of fiveTimes) {
      const { rows } =
        await sql`select ${at}::int as at, ${`第${at}台`}::text as short_name, null::date as no_day, date '2026-11-22' as a_day,
        ${at}::bigint as big, 1.50::numeric as amount, array[1, 2] as some, json_build_object('k', ${at}::int) as specs
        from generate_series(1, 2)`.execute(db)
      const row = { at, shortName: `第${at}台`, noDay: null, aDay: '2026-11-22', big: at, amount: 1.5, some: [1, 2], specs: { k: at } }
      expect(rows).toEqual([row, row])
    }
  })
})

test('statements without rows, and without columns', async () => {
  await world.db.connection().execute(async (db) => {
    for (const at of fiveTimes) {
      expect((await sql`select 1 where ${at}::int < 0`.execute(db)).rows).toEqual([])
      const changed = await db
        .updateTable('account')
        .set({ nickName: `第 ${at} 个` })
        .where('id', '=', world.cast.project.id)
        .executeTakeFirst()
      expect(changed.numUpdatedRows).toBe(1n)
    }
  })
})

test('what PostgreSQL refuses, and what cannot be written, is told; the connection serves on', async () => {
  await world.db.connection().execute(async (db) => {
    const divide = (by: unknown) => sql<{ of: number }>`select 12 / ${by}::int as of`.execute(db)
    for (const by of [1, 2, 3, 4]) expect((await divide(by)).rows).toEqual([{ of: 12 / by }])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect((await divide(6)).rows).toEqual([{ of: 2 }])
    const broken = {
      toPostgres: () => {
        throw new Error('not to be written')
      },
    }
    await expect(divide(broken)).rejects.toThrow('not to be written')
    expect((await divide(12)).rows).toEqual([{ of: 1 }])
  })
})

test('columns that a migration changes beside this process: asked anew, but a transaction is refused once', async () => {
  for (const lost of [false, true])
    await world.db.connection().execute(async (db) => {
      await sql`create temp table thing (a int, b text)`.execute(db)
      await sql`insert into thing values (1, 'x')`.execute(db)
      const all = (on: typeof world.db) => sql`select thing.*, ${sql.lit(lost)} as lost from thing where a = ${1}::int`.execute(on)
      for (const _ of fiveTimes) expect((await all(db)).rows).toEqual([{ a: 1, b: 'x', lost }])
      await sql`alter table thing drop column a, add column a int default 1, add column c int default 3`.execute(db)
      const within = () => inTransaction(db, all)
      if (lost) await expect(within()).rejects.toSatisfy(columnsChanged)
      for (const _ of fiveTimes) expect((await (lost ? within() : all(db))).rows).toEqual([{ a: 1, b: 'x', c: 3, lost }])
      await sql`drop table thing`.execute(db)
    })
})

/** Runs on one connection of its own and counts how often the server was waited for. */
async function onOneConnection(work: (db: typeof world.db, waits: () => number) => Promise<void>): Promise<void> {
  const { db, pool } = connect(world.url, 1)
  let waited = 0
  pool.on('connect', (client) => {
    const connection: unknown = Reflect.get(client, 'connection')
    if (connection instanceof EventEmitter) connection.on('readyForQuery', () => waited++)
  })
  try {
    await sql`select 1`.execute(db)
    await work(db, () => {
      const before = waited
      waited = 0
      return before
    })
  } finally {
    await db.destroy()
  }
}

const open = sql<{ open: boolean }>`select pg_current_xact_id_if_assigned() is not null as open`

test('a transaction begins with its first statement, whether that is new, named or known', async () => {
  await onOneConnection(async (db, waits) => {
    waits()
    for (const at of fiveTimes) {
      const written = await inTransaction(db, async (tx) => {
        await tx
          .updateTable('account')
          .set({ nickName: `第 ${at} 次` })
          .where('id', '=', world.cast.project.id)
          .execute()
        return (await open.execute(tx)).rows
      })
      expect([written, waits()]).toEqual([[{ open: true }], 3])
    }
    expect((await open.execute(db)).rows).toEqual([{ open: false }])
  })
})

test('a transaction begins with a first statement without parameters as well, alone or with others in its text', async () => {
  await onOneConnection(async (db) => {
    const nickName = async () =>
      (await db.selectFrom('account').where('id', '=', world.cast.project.id).select('nickName').executeTakeFirstOrThrow()).nickName
    const before = await nickName()
    for (const text of [
      `update account set nick_name = 'alone'`,
      `update account set nick_name = 'first'; update account set nick_name = 'second'`,
    ])
      for (const _ of fiveTimes.slice(text.includes(';') ? 3 : 0)) {
        const failing = inTransaction(db, async (tx) => {
          await sql.raw(text).execute(tx)
          expect((await open.execute(tx)).rows).toEqual([{ open: true }])
          throw new Error('taken back')
        })
        await expect(failing).rejects.toThrow('taken back')
        expect((await open.execute(db)).rows).toEqual([{ open: false }])
        expect(await nickName()).toBe(before)
      }
  })
})

test('a transaction whose first statement fails is rolled back, and one without statements asks nothing', async () => {
  await onOneConnection(async (db, waits) => {
    for (const _ of fiveTimes) {
      const failing = inTransaction(db, async (tx) => {
        await sql`insert into region (code, level, name) values (1, 1, ${null}::text)`.execute(tx)
      })
      await expect(failing).rejects.toMatchObject({ code: '23502' })
      expect((await open.execute(db)).rows).toEqual([{ open: false }])
    }
    waits()
    expect(await inTransaction(db, () => Promise.resolve('nothing'))).toBe('nothing')
    await expect(inTransaction(db, () => Promise.reject(new Error('before')))).rejects.toThrow('before')
    expect(waits()).toBe(0)
    const named = (value: string) =>
      inTransaction(db, async (tx) => {
        await tx.updateTable('account').set({ nickName: value }).where('id', '=', world.cast.project.id).execute()
        throw new Error('taken back')
      })
    for (const at of fiveTimes) await expect(named(`第 ${at} 回`)).rejects.toThrow('taken back')
    const { nickName } = await db.selectFrom('account').where('id', '=', world.cast.project.id).select('nickName').executeTakeFirstOrThrow()
    expect(nickName).not.toContain('回')
  })
})
