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

test('landlines, hotlines and numbers with the code of the country are masked, and other numbers stay', () => {
  const logged = (message: string) => describeError(new Error(message)).message
  expect(logged('(010-12345678, 0755 1234567, 02887654321-801)')).toBe('(010****5678, 075****4567, 028****-801)')
  expect(logged('400-820-8820 4008208820 +8613912345678')).toBe('400****8820 400****8820 +86****5678')
  expect(logged('008613912345678, 86-139-1234-5678, 139 1234 5678')).toBe('008****5678, 86-****5678, 139****5678')
  expect(logged('+86 28 87654321, +86-755-12345678, 0086 010 12345678')).toBe('+86****4321, +86****5678, 008****5678')
  expect(logged('(028)87654321, 028 8765 4321, +86 (0)28 87654321, 0086(755)1234567')).toBe(
    '(028****4321, 028****4321, +86****4321, 008****4567',
  )
  const others = 'XQ202611210007 2026-11-27 10:00:00.01234567 91510100MA6CXXXX0001 12000000 0123-4567-89ab 400820882'
  expect(logged(others)).toBe(others)
})
