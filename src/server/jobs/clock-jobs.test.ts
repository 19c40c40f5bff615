import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { contactStatus } from '#shared/contact/rules.ts'
import { getOverview, listJobs, retryJobItems } from '#shared/system/contract.ts'
import { inTransaction } from '#test/held-rows.ts'
import { jobCases, type JobCase } from '#test/job-cases.ts'
import { monday, openWorld } from '#test/world.ts'
import { connect } from '../db/connect.ts'
import { queueNotices, sendSms } from '../outbox/queries.ts'
import { longestRestMs, retryMinutes, workThrough, type Queue } from '../queue/queue.ts'
import { jobBounds, runJob, startJobs, type ClockJob } from './clock-jobs.ts'

const world = await openWorld()
const { cast, clock, db, services } = world
afterAll(world.close)
beforeEach(() => clock.set(monday))

const later = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * 60_000))
const { cases, secondRounds, published } = jobCases(world)

/** From now on the database refuses it; answers how to mend that. */
async function breakIt({ when, table, condition }: ReturnType<JobCase['broken']>) {
  await sql`create or replace function refuse_this() returns trigger language plpgsql as
    $$ begin raise exception 'this one is broken: 13912345678'; end $$`.execute(db)
  await sql
    .raw(`create trigger refuse_this before ${when} on ${table} for each row when (${condition}) execute function refuse_this()`)
    .execute(db)
  return () => sql.raw(`drop trigger refuse_this on ${table}`).execute(db)
}

const listed = async (name: ClockJob) => {
  const job = (await cast.operator.call(listJobs, {})).data.find((one) => one.name === name)
  return { retrying: job?.retrying, setAside: job?.setAside, items: job?.failedItems.map(({ tries, lastError }) => ({ tries, lastError })) }
}
const failing = async () => (await cast.operator.call(getOverview, {})).data.waiting.find(({ kind }) => kind === 'jobs')?.count ?? 0

describe('one of ten items that fails holds up no other: it is tried again, set aside, shown, and done when it is mended', () => {
  test.each([...(Object.entries(cases) as [ClockJob, JobCase][]), ...secondRounds])('%s', async (name, { given, broken, isDone }) => {
    const ids = await given()
    const bad = ids[1] ?? 0
    const mend = await breakIt(broken(bad))
    const done = async () => Promise.all(ids.map((id) => isDone(id)))
    const run = () => runJob(services, name)
    // A number in an error is stored and shown as it is logged.
    const [error, lastError] = ['this one is broken: 13912345678', 'this one is broken: 139****5678']

    const allButOne = ids.map((id) => id !== bad)
    expect(ids).toHaveLength(10)

    await expect(run()).rejects.toThrow(error)
    expect(await done()).toEqual(allButOne)
    expect(await listed(name)).toEqual({ retrying: 1, setAside: 0, items: [{ tries: 1, lastError }] })
    expect(await db.selectFrom('jobRun').where('name', '=', name).select('lastError').executeTakeFirst()).toEqual({ lastError })

    for (const minutes of retryMinutes) {
      // All jobs have one queue, which knows when: one of them shows that nothing is tried before.
      const early = name === 'openDemands' ? 0.5 : 0
      later(minutes - early)
      if (early > 0) await run()
      later(early)
      await expect(run()).rejects.toThrow(error)
    }
    expect(await listed(name)).toEqual({ retrying: 0, setAside: 1, items: [{ tries: 5, lastError }] })
    later(24 * 60)
    await run()
    expect(await done()).toEqual(allButOne)
    expect(await failing()).toBe(1)
    const told = await db
      .selectFrom('message')
      .where('kind', '=', 'jobItemSetAside')
      .where('bizId', '=', name)
      .select('accountId')
      .execute()
    expect(told).toContainEqual({ accountId: cast.operator.id })

    const retry = () => cast.operator.call(retryJobItems, { params: { id: name } })
    expect((await retry()).data).toEqual({ items: 1 })
    expect((await retry()).code).toBe(409)
    await mend()
    await run()
    expect(await done()).toEqual(ids.map(() => true))
    expect(await listed(name)).toEqual({ retrying: 0, setAside: 0, items: [] })
    expect(await failing()).toBe(0)
  })
})

test('what a job of an older version left is not counted as failing', async () => {
  await sql`insert into job_run (name, started_at, last_error_at) values ('tellLessors', ${monday}, ${monday})`.execute(db)
  await sql`insert into failed_item (job, key, tries, last_error, failed_at, due, set_aside_at)
    values ('tellLessors', '1', 5, '', ${monday}, ${monday}, ${monday})`.execute(db)
  expect(await failing()).toBe(0)
})

test('one kind of old records that cannot be deleted leaves the other kinds to be deleted', async () => {
  const past = new Date(monday.getTime() - 3 * 86_400_000)
  await db.insertInto('callLimit').values({ key: 'old', since: past, calls: 1 }).execute()
  await db
    .insertInto('idempotency')
    .values({ accountId: cast.lessor.id, key: 'an-old-key', requestHash: Buffer.alloc(32), at: past })
    .execute()
  const mend = await breakIt({ when: 'delete', table: 'call_limit', condition: 'true' })
  await expect(runJob(services, 'cleaning')).rejects.toThrow('this one is broken')
  expect(await db.selectFrom('idempotency').select('key').where('key', '=', 'an-old-key').execute()).toEqual([])
  await mend()
  later(1)
  await runJob(services, 'cleaning')
  expect(await db.selectFrom('callLimit').select('key').where('key', '=', 'old').execute()).toEqual([])
})

test('what was counted for the limits is deleted when no limit looks back so far, and not before', async () => {
  await db.deleteFrom('attempt').execute()
  const ago = (hours: number) => new Date(monday.getTime() - hours * 3_600_000)
  const attempt = (key: number, hours: number) => ({ key: Buffer.alloc(32, key), since: ago(hours), tries: 1 })
  await db
    .insertInto('attempt')
    .values([attempt(1, 25), attempt(2, 23)])
    .execute()
  const sms = (key: number, hours: number) => ({
    phoneHash: Buffer.alloc(32, key),
    type: 'login' as const,
    answerHash: Buffer.alloc(32),
    requester: Buffer.alloc(32),
    byOwner: false,
    address: '',
    createdAt: ago(hours),
    expiresAt: ago(hours),
  })
  await db.deleteFrom('smsCode').execute()
  await db
    .insertInto('smsCode')
    .values([sms(1, 49), sms(2, 23)])
    .execute()
  // The version before still writes its own kind of failures while both run.
  await db
    .insertInto('loginFailure')
    .values([
      { address: 'old', at: ago(2) },
      { address: 'new', at: ago(0.5) },
    ])
    .execute()
  await runJob(services, 'cleaning')
  expect(await db.selectFrom('loginFailure').select('address').execute()).toEqual([{ address: 'new' }])
  const attempts = await db.selectFrom('attempt').select('key').execute()
  expect(attempts.map(({ key }) => key[0])).toEqual([2])
  const codes = await db.selectFrom('smsCode').select('phoneHash').execute()
  expect(codes.map(({ phoneHash }) => phoneHash?.[0])).toEqual([2])
})

test('an SMS to a number is deleted after 48 hours, and one that waits for its provider not before; those of accounts stay', async () => {
  await db.deleteFrom('outbox').execute()
  const ago = (hours: number) => new Date(monday.getTime() - hours * 3_600_000)
  const number = { phonenumber: '14400000097' }
  await sendSms(services, { ...number, template: 'code', code: '482915' }, ago(48.1))
  await sendSms(services, { ...number, template: 'firstPassword', userName: 'wanggong', password: 'Xk7#mPq2Rs' }, ago(48.1))
  await sendSms(services, { ...number, template: 'code', code: '482916' }, ago(47.9))
  world.sms.fails = true
  for (const hours of [48.1, 47.9]) await sendSms(services, { ...number, template: 'notice', title: `${hours}` }, ago(hours))
  world.sms.fails = false
  await queueNotices(db, [{ accountId: cast.project.id, title: '提醒', notBefore: monday }], ago(200))
  await runJob(services, 'cleaning')
  const left = await db.selectFrom('outbox').orderBy('createTime').select(['template', 'createTime']).execute()
  expect(left).toEqual(
    [['notice', 200] as const, ['code', 47.9] as const, ['notice', 47.9] as const].map(([template, hours]) => ({
      template,
      createTime: toMoment(ago(hours)),
    })),
  )
  await db.deleteFrom('outbox').execute()
})

test('a contact request is deleted half a year after it was handled, and one that waits stays', async () => {
  const ago = (days: number) => new Date(monday.getTime() - days * 86_400_000)
  const request = { company: '某单位', phone: '14400009999', email: '', type: 'other', content: '想了解一下贵平台的合作方式' } as const
  const handled = { status: contactStatus.handled, note: '已答复', handledBy: cast.operator.id, createTime: ago(400) }
  await db
    .insertInto('contact')
    .values([
      { ...request, name: '早已处理', ...handled, handleTime: ago(183.1) },
      { ...request, name: '近日处理', ...handled, handleTime: ago(182.9) },
      { ...request, name: '仍待处理', createTime: ago(400) },
    ])
    .execute()
  await runJob(services, 'cleaning')
  const left = await db.selectFrom('contact').orderBy('id').select('name').execute()
  expect(left.map(({ name }) => name)).toEqual(['近日处理', '仍待处理'])
  await db.deleteFrom('contact').execute()
})

test('an item that is settled in another way is forgotten after a day', async () => {
  // The demands of the cases above, of which a round takes some at a time.
  await db.deleteFrom('demandNotice').execute()
  const id = await published()
  const mend = await breakIt({ when: 'delete', table: 'demand_notice', condition: `old.demand_id = ${id}` })
  await expect(runJob(services, 'notifyLessors')).rejects.toThrow('this one is broken')
  await mend()
  await db.deleteFrom('demandNotice').execute()
  later(25 * 60)
  await runJob(services, 'cleaning')
  expect(await listed('notifyLessors')).toEqual({ retrying: 0, setAside: 0, items: [] })
})

test('a process that ends finishes the item under way, and begins no other', async () => {
  // What the cases above have still to send, on later days.
  await db.deleteFrom('outbox').execute()
  const many = Array.from({ length: 40 }, (_, n) => ({ accountId: cast.project.id, title: `第${n}条`, notBefore: monday }))
  await queueNotices(db, many, monday)
  const unsent = async () => (await db.selectFrom('outbox').where('status', '<>', '1').select('id').execute()).length
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let sent = 0
  const send = async () => {
    begun.resolve()
    await answered.promise
    sent++
    return ''
  }
  const errors: unknown[] = []
  const stop = startJobs({ ...services, sms: { name: 'local', send } }, { error: (error: unknown) => errors.push(error) })
  await begun.promise
  let isOver = false
  const stopped = stop().then(() => (isOver = true))
  const meanwhile = [await unsent(), isOver]
  answered.resolve()
  await stopped
  expect(meanwhile).toEqual([many.length, false])
  expect([sent, await unsent()]).toEqual([1, many.length - 1])
  await runJob(services, 'sendSms')
  expect([sent, await unsent()]).toEqual([1, 0])
  expect(errors).toEqual([])
})

test('a job that rests between its items ends at once when its process does', async () => {
  const stopping = new AbortController()
  const done: string[] = []
  const { promise: rested, resolve: rest } = Promise.withResolvers<string>()
  const items: Queue<{ key: string }> = {
    job: 'notifyLessors',
    find: async () => ['first', 'second'].map((key) => ({ key })),
    run: async (_, { key }) => {
      // Begins before the rest of the job, so a rest that nothing ends is the later one.
      setTimeout(() => rest('rested'), longestRestMs)
      return done.push(key) > 0
    },
    restShare: 1_000_000,
  }
  const working = workThrough(services, items, stopping.signal)
  await expect.poll(() => done).toEqual(['first'])
  stopping.abort()
  expect(await Promise.race([working.then(() => 'ended'), rested])).toBe('ended')
  expect(done).toEqual(['first'])
})

test('an item that gets no connection of the database was not tried, so it is no failed item', async () => {
  const { db: another, pool } = connect(world.url, 1)
  vi.spyOn(pool, 'connect').mockRejectedValueOnce(new Error('timeout exceeded when trying to connect'))
  const done: string[] = []
  const items: Queue<{ key: string }> = {
    job: 'notifyLessors',
    find: async () => ['first', 'second'].map((key) => ({ key })),
    run: async (_, { key }) => done.push(key) > 0,
  }
  await expect(workThrough({ ...services, db: another }, items)).rejects.toThrow('timeout exceeded')
  const failed = db.selectFrom('failedItem').where('key', 'in', ['first', 'second']).select('key')
  expect([done, await failed.execute()]).toEqual([['second'], []])
  await another.destroy()
})

test('an item whose connection hangs is given up and tried again, and the database has bounds for such a connection as well', async () => {
  const { db: bounded } = connect(world.url, 1, jobBounds)
  const { rows } = await sql<{ statement: string; idle: string }>`
    select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`.execute(
    bounded,
  )
  expect(rows).toEqual([{ statement: '10min', idle: '610s' }])
  await bounded.destroy()

  const { db: silent } = connect(world.url, 1, { ...jobBounds, silentMs: 1000 })
  const items: Queue<{ key: string }> = {
    job: 'notifyLessors',
    find: async () => [{ key: 'hanging' }],
    run: async ({ db: tx }) => (await sql`lock table job_run`.execute(tx)) !== null,
  }
  await inTransaction(db, async (tx) => {
    await sql`lock table job_run`.execute(tx)
    await expect(workThrough({ ...services, db: silent }, items)).rejects.toThrow(/connection/i)
  })
  const failed = db.selectFrom('failedItem').where('key', '=', 'hanging').select('tries')
  expect(await failed.execute()).toEqual([{ tries: 1 }])
  later(retryMinutes[0])
  // Until the database has noticed that nobody is at the other end, the item is still claimed there.
  await expect.poll(async () => workThrough({ ...services, db: silent }, items)).toBe(1)
  expect(await failed.execute()).toEqual([])
  await silent.destroy()
})
