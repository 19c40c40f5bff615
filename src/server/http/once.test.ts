import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db, send } = world
afterAll(() => world.close())

const publish = (key: string, body: unknown = world.demandBody(), token = cast.project.token) =>
  send({ method: 'POST', url: '/prod-api/business/leasingDemand', token, body, headers: { 'idempotency-key': key } })
const demands = async () => (await db.selectFrom('demand').select('id').execute()).length
let before = 0
beforeEach(async () => {
  before = await demands()
})

test('the same key twice is one demand and one answer', async () => {
  const first = await publish('key-of-the-first')
  const second = await publish('key-of-the-first')
  expect(first.code).toBe(200)
  expect(second.raw).toEqual(first.raw)
  expect(await demands()).toBe(before + 1)
})

test('eight at once are one demand', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => publish('key-of-eight')))
  for (const { raw } of answers) expect(raw).toEqual(answers[0]?.raw)
  expect(answers[0]?.code).toBe(200)
  expect(await demands()).toBe(before + 1)
})

test('where the key cannot be written down nothing is done, not even by a deed of one statement', async () => {
  await sql`create function no_claims() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`.execute(db)
  await sql`create trigger no_claims before insert on idempotency for each row execute function no_claims()`.execute(db)
  expect((await publish('key-without-room')).code).toBe(500)
  await sql`drop trigger no_claims on idempotency`.execute(db)
  expect(await demands()).toBe(before)
  expect((await publish('key-without-room')).code).toBe(200)
})

test('another body under the same key is refused; another person has keys of his own', async () => {
  await publish('key-used-before')
  expect((await publish('key-used-before', world.demandBody({ title: '另一条需求 装载机' }))).code).toBe(422)
  expect((await publish('key-used-before', world.demandBody({ deptId: world.depts.strangerDept }), cast.stranger.token)).code).toBe(200)
  expect(await demands()).toBe(before + 2)
})

test('a refused call leaves the key free', async () => {
  expect((await publish('key-of-a-mistake', world.demandBody({ items: [] }))).code).toBe(422)
  const wrongPlace = world.demandBody({ deptId: world.depts.strangerDept })
  expect((await publish('key-of-a-place', wrongPlace)).code).not.toBe(200)
  expect((await publish('key-of-a-mistake')).code).toBe(200)
  expect(await demands()).toBe(before + 1)
})

test('done, but the process ended before the answer was written: told so, and not done again', async () => {
  await publish('key-of-a-power-cut')
  await db.updateTable('idempotency').set({ answer: null }).where('key', '=', 'key-of-a-power-cut').execute()
  expect((await publish('key-of-a-power-cut')).code).toBe(409)
  expect(await demands()).toBe(before + 1)
})

test('a call of one statement is known by its key as well; a key that is none is refused', async () => {
  const body = { type: '1', content: '页面打不开，麻烦看一下', contact: '' }
  const say = () =>
    send({
      method: 'POST',
      url: '/prod-api/business/feedback',
      token: cast.lessor.token,
      body,
      headers: { 'idempotency-key': 'key-of-feedback' },
    })
  const first = await say()
  expect((await say()).raw).toEqual(first.raw)
  expect((await publish('short')).http).toBe(400)
})
