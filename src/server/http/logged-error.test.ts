import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { describeError } from './logged-error.ts'

const world = await openWorld()
afterAll(() => world.close())

test('what the database says of a number that is taken is logged without the number', async () => {
  const taken = await world.db.selectFrom('account').where('phonenumber', 'is not', null).select('phonenumber').executeTakeFirstOrThrow()
  const values = { phonenumber: taken.phonenumber, userName: 'somebody', passwordHash: 'none', passwordUpdatedAt: new Date() }
  const error = await world.db
    .insertInto('account')
    .values(values)
    .execute()
    .catch((refused: unknown) => refused as Error & { detail?: string })
  expect(JSON.stringify([(error as Error).message, (error as { detail?: string }).detail])).toContain(taken.phonenumber)
  const logged = describeError(error as Error)
  expect(logged.detail).toContain('****')
  expect(JSON.stringify(logged)).not.toContain(taken.phonenumber)
})

test('a number that stands in the message of an error is logged neither in it nor in its stack', async () => {
  const error = await sql`select ${'13912345678'}::date`.execute(world.db).catch((refused: unknown) => refused as Error)
  expect((error as Error).message).toContain('13912345678')
  const { message, stack } = describeError(error as Error)
  expect(message).toContain('139****5678')
  for (const text of [message, stack]) expect(text).not.toContain('13912345678')
})
