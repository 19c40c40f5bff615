import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'
import { transact } from '../deed.ts'

const connections = 5
const world = await openWorld({ connections })
const { services } = world
const { codes } = services
afterAll(world.close)

const saturday = new Date('2026-11-22T02:00:00Z')
const dayLater = new Date('2026-11-23T02:00:00Z')

test('many at once: each has its own codes, in the order they came, without a gap', async () => {
  const taken = await Promise.all(Array.from({ length: 60 }, (_, at) => codes.take('TT', saturday, (at % 3) + 1)))
  expect(taken.flat()).toEqual(Array.from({ length: 120 }, (_, at) => `TT20261122${String(at + 1).padStart(4, '0')}`))
  expect(await Promise.all([codes.next('TT', saturday), codes.next('TT', dayLater)])).toEqual(['TT202611220121', 'TT202611230001'])
})

test('those who wait at the same time are served by one statement', async () => {
  await sql`create table counted (last bigint)`.execute(services.db)
  await sql`create function count_codes() returns trigger language plpgsql as 'begin insert into counted values (new.last); return null; end'`.execute(
    services.db,
  )
  await sql`create trigger counting after insert or update on code_counter for each row execute function count_codes()`.execute(services.db)
  await Promise.all(Array.from({ length: 30 }, () => codes.next('TW', dayLater)))
  const { rows } = await sql<{ last: number }>`select last from counted order by last`.execute(services.db)
  expect(rows).toEqual([{ last: 1 }, { last: 30 }])
  await sql`drop trigger counting on code_counter`.execute(services.db)
})

test('as many transactions as there are connections can take codes while they are open', async () => {
  const held = Promise.withResolvers<void>()
  let begun = 0
  const taken = Array.from({ length: connections + 1 }, () =>
    transact(services, { now: dayLater }, async (deed) => {
      // All connections are held before the first code is asked for; the last transaction waits for one of them.
      if (++begun === connections) held.resolve()
      await held.promise
      return deed.codes.next('TU', deed.now)
    }),
  )
  expect(new Set(await Promise.all(taken)).size).toBe(connections + 1)
})

test('a code that cannot be taken is an error for its caller, and the next caller is served', async () => {
  const broken = () => Promise.all([1, 2, 3].map(() => codes.next('T'.repeat(200), new Date(Number.NaN)).catch((error: Error) => error)))
  for (const error of await broken()) expect(error).toBeInstanceOf(Error)
  expect(await codes.next('TV', dayLater)).toBe('TV202611230001')
})
