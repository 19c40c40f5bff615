import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { exportContracts } from '#shared/contract/contract.ts'
import { rememberDevice } from '#server/account/devices.ts'
import { insertSession } from '#server/account/sessions.ts'
import { deviceId } from '#test/device-id.ts'
import { openWorld } from '#test/world.ts'
import { networkOf } from './limits.ts'

const world = await openWorld()
const other = await buildApp(world.services)
afterAll(async () => {
  await other.server.close()
  await world.close()
})

test('a limit is one for all instances, over a minute, and for one address', async () => {
  const ask = (server: typeof world.server, address = '203.0.113.7') =>
    server.inject({ method: 'POST', url: '/prod-api/business/contact', payload: {}, remoteAddress: address })
  for (let n = 0; n < 10; n++) expect((await ask(n % 2 ? world.server : other.server)).statusCode).toBe(200)
  // A token that was made up does not make another caller of somebody.
  const disguised = await world.server.inject({
    method: 'POST',
    url: '/prod-api/business/contact',
    payload: {},
    remoteAddress: '203.0.113.7',
    headers: { authorization: 'made-up' },
  })
  expect(disguised.statusCode).toBe(429)
  const refused = await ask(world.server)
  expect([refused.statusCode, refused.json<{ code: number }>().code, Number(refused.headers['retry-after']) > 0]).toEqual([429, 429, true])
  expect((await ask(other.server)).statusCode).toBe(429)
  expect((await ask(world.server, '203.0.113.8')).statusCode).toBe(200)
  world.clock.set(new Date(world.clock.now().getTime() + 61_000))
  expect((await ask(world.server)).statusCode).toBe(200)
})

test('the devices of an account are counted together for the calls of visitors, apart from their address and from other accounts', async () => {
  const { db, clock, services, cast } = world
  await db.deleteFrom('callLimit').execute()
  const givenDevice = async (accountId: number) => {
    const device = deviceId()
    await rememberDevice({ db, now: clock.now(), secret: services.secret }, accountId, { device, agent: '' })
    return device
  }
  const ask = async (device: string) =>
    (
      await world.server.inject({
        method: 'POST',
        url: '/prod-api/business/contact',
        payload: {},
        remoteAddress: '203.0.113.9',
        headers: { 'x-device': device },
      })
    ).statusCode
  const [first, second, another] = [
    await givenDevice(cast.lessor.id),
    await givenDevice(cast.lessor.id),
    await givenDevice(cast.project.id),
  ]
  const answers: number[] = []
  for (let n = 0; n < 11; n++) answers.push(await ask(n % 2 ? first : second))
  expect(answers).toEqual([...Array<number>(10).fill(200), 429])
  expect([await ask(another), await ask(deviceId())]).toEqual([200, 200])
})

test('a call is let through uncounted while the database does not count it', async () => {
  const ask = async () =>
    (await world.server.inject({ method: 'POST', url: '/prod-api/business/contact', payload: {}, remoteAddress: '203.0.113.30' }))
      .statusCode
  await sql`alter table call_limit rename to call_limit_away`.execute(world.db)
  for (let n = 0; n < 12; n++) expect(await ask()).toBe(200)
  await sql`alter table call_limit_away rename to call_limit`.execute(world.db)
  const answers: number[] = []
  for (let n = 0; n < 11; n++) answers.push(await ask())
  expect(answers).toEqual([...Array<number>(10).fill(200), 429])
})

const workbook = (headers: Record<string, string>, remoteAddress = '203.0.113.20') =>
  world.server.inject({ url: `/prod-api${exportContracts.url}`, headers, remoteAddress }).then(({ statusCode }) => statusCode)

test('people are counted by their account, however many sessions they have and however they spell their token', async () => {
  const { id, token } = world.cast.lessor
  const second = await insertSession({ db: world.db, now: world.clock.now(), address: '', agent: '' }, { accountId: id })
  const spellings = [`${token}`, `Bearer ${token}`, `bearer   ${token} `, `BEARER\t${token}`, second, `Bearer ${second}`]
  const answers: number[] = []
  for (let n = 0; n < 12; n++)
    answers.push(await workbook({ authorization: spellings[n % spellings.length] ?? '' }, `203.0.113.${100 + n}`))
  expect(answers).toEqual([...Array<number>(10).fill(200), 429, 429])
  expect(await workbook({ authorization: world.cast.project.token ?? '' }, '203.0.113.100')).toBe(200)
})

test('tokens that were made up are all counted for their address, of IPv6 its network, and leave one row', async () => {
  await world.db.deleteFrom('callLimit').execute()
  const of = (n: number) => workbook({ authorization: `made-up-${n}` }, `2001:db8:1:2::${n}`)
  const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => of(n + 1)))
  expect(answers.filter((status) => status !== 429)).toHaveLength(10)
  expect(await world.db.selectFrom('callLimit').select('key').execute()).toHaveLength(1)
  expect(await workbook({ authorization: 'made-up' }, '2001:db8:1:3::1')).toBe(200)
})

test('an address of IPv6 belongs to the network of its first four groups, however it is written', () => {
  const group = fc.oneof(fc.constant(0), fc.nat(0xffff))
  const groups = fc.array(group, { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(groups, fc.nat(7), fc.nat(8), fc.boolean(), (numbers, from, length, isLong) => {
      const written = numbers.map((number) => (isLong ? number.toString(16).padStart(4, '0').toUpperCase() : number.toString(16)))
      const isNought = numbers.slice(from, from + length).every((number) => number === 0)
      const short = `${written.slice(0, from).join(':')}::${written.slice(from + length).join(':')}`
      const isMapped = numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff
      fc.pre(!isMapped)
      const network = numbers
        .slice(0, 4)
        .map((number) => number.toString(16))
        .join(':')
      expect(networkOf(length > 0 && isNought ? short : written.join(':'))).toBe(network)
    }),
  )
  expect(['::1', '2001:db8::7', '1::2:3:4:5', 'fe80::1%eth0'].map(networkOf)).toEqual(['0:0:0:0', '2001:db8:0:0', '1:0:0:0', 'fe80:0:0:0'])
  expect(['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:cb00:7107', 'nonsense'].map(networkOf)).toEqual([
    ...Array<string>(3).fill('203.0.113.7'),
    'nonsense',
  ])
})
