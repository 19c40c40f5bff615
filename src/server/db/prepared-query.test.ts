import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { columnsChanged } from './prepared-query.ts'

const world = await openWorld()
afterAll(world.close)

const thrice = [1, 2, 3, 4, 5]

test('a statement says the same when it is new, when it is prepared and when it is known', async () => {
  await world.db.connection().execute(async (db) => {
    for (const at of thrice) {
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
    for (const at of thrice) {
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
    const divide = (by: number) => sql<{ of: number }>`select 12 / ${by}::int as of`.execute(db)
    for (const by of [1, 2, 3, 4]) expect((await divide(by)).rows).toEqual([{ of: 12 / by }])
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' })
    expect((await divide(6)).rows).toEqual([{ of: 2 }])
    const broken = {
      toPostgres: () => {
        throw new Error('not to be written')
      },
    }
    await expect(divide(broken as never)).rejects.toThrow('not to be written')
    expect((await divide(12)).rows).toEqual([{ of: 1 }])
  })
})

test('columns that a migration changes beside this process: asked anew, but a transaction is refused once', async () => {
  for (const lost of [false, true])
    await world.db.connection().execute(async (db) => {
      await sql`create temp table thing (a int, b text)`.execute(db)
      await sql`insert into thing values (1, 'x')`.execute(db)
      const all = (on: typeof world.db) => sql`select thing.*, ${sql.lit(lost)} as lost from thing where a = ${1}::int`.execute(on)
      for (const _ of thrice) expect((await all(db)).rows).toEqual([{ a: 1, b: 'x', lost }])
      await sql`alter table thing drop column a, add column a int default 1, add column c int default 3`.execute(db)
      const within = () => db.transaction().execute(all)
      if (lost) await expect(within()).rejects.toSatisfy(columnsChanged)
      for (const _ of thrice) expect((await (lost ? within() : all(db))).rows).toEqual([{ a: 1, b: 'x', c: 3, lost }])
      await sql`drop table thing`.execute(db)
    })
})
