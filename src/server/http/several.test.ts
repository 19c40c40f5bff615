import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { getLessor, listLessors } from '#shared/company/contract.ts'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { inTransaction } from '#test/held-rows.ts'
import { openWorld } from '#test/world.ts'

// The copy of one world is the database of another: what is told apart by where it comes from.
const world = await openWorld()
const copy = await openWorld()
const replica = connect(copy.url, 2).db
const { server, drain } = await buildApp({ ...world.services, replica })
afterAll(async () => {
  await server.close()
  await Promise.all([world.close(), copy.close()])
})

const lessors = async (token?: string | null) =>
  (await server.inject({ url: `/prod-api${listLessors.url}`, headers: { ...(token && { authorization: token }) } }))
    .json<{ rows: { enterpriseName: string }[] }>()
    .rows.map(({ enterpriseName }) => enterpriseName)

test('visitors read from the replica, everybody else and every write from the database itself', async () => {
  await copy.db.updateTable('company').set({ enterpriseName: '只在副本里的公司' }).where('id', '=', world.cast.lessor.companyId).execute()
  expect(await lessors()).toContain('只在副本里的公司')
  expect(await lessors(world.cast.project.token)).not.toContain('只在副本里的公司')
})

test('what does not exist is no reason to ask twice; a replica that is away is', async () => {
  const missing = await server.inject(`/prod-api${getLessor.url.replace(':id', '999999')}`)
  expect(missing.json<{ code: number }>().code).toBe(404)
  await replica.destroy()
  expect(await lessors()).toContain('成都恒岳机械租赁有限公司')
})

test('a database whose socket is away for a moment is unavailable', async () => {
  const away = connect('postgres://zhujitong@127.0.0.1:1/zhujitong?host=/nowhere').db
  const app = await buildApp({ ...world.services, db: away })
  try {
    const answer = await app.server.inject(`/prod-api${listLessors.url}`)
    expect([answer.statusCode, answer.json<{ code: number }>().code]).toEqual([503, 503])
  } finally {
    await app.server.close()
    await away.destroy()
  }
})

test('a database that hangs is unavailable, and its connection is given up', async () => {
  // Seconds, so that a busy machine still answers in time where nothing is locked.
  const impatient = connect(world.url, 1, { silentMs: 3000 })
  const app = await buildApp({ ...world.services, ...impatient })
  const ask = async () => (await app.server.inject(`/prod-api${listLessors.url}`)).statusCode
  try {
    expect(await ask()).toBe(200)
    // Nothing comes over a connection that waits for a lock.
    await inTransaction(world.db, async (tx) => {
      await sql`lock table company`.execute(tx)
      expect(await ask()).toBe(503)
    })
    expect(await ask()).toBe(200)
  } finally {
    await app.server.close()
    await impatient.db.destroy()
  }
})

test('a process that ends says so first, and answers until then', async () => {
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  // Seconds, so that a busy machine still sees each step.
  const waiting = drain(4000)
  expect((await server.inject('/readyz')).statusCode).toBe(503)
  expect((await server.inject('/healthz')).statusCode).toBe(200)
  const seen = async () => {
    const answer = await fetch(`${address}/prod-api${listLessors.url}`)
    await answer.arrayBuffer()
    return [answer.status, answer.headers.get('connection')]
  }
  expect(await seen()).toEqual([200, 'keep-alive'])
  // On kept connections: nobody else comes in any more.
  await expect.poll(seen).toEqual([200, 'close'])
  await expect.poll(() => seen().catch(String)).toContain('fetch failed')
  await waiting
})

test('the settings of several instances are checked like the others', () => {
  expect(() => readConfig({ S3_ENDPOINT: 'http://files:9000' })).toThrow('With S3_ENDPOINT the setting S3_BUCKET is required')
  expect(() => readConfig({ DATABASE_CONNECTIONS: '0' })).toThrow('DATABASE_CONNECTIONS must be from 2 to 200')
  expect(() => readConfig({ DATABASE_STATEMENT_SECONDS: '0' })).toThrow('DATABASE_STATEMENT_SECONDS must be from 1 to 600')
  expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN')
})
