import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '#server/db/connect.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { listOutbox, resendOutbox } from '#shared/outbox/contract.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { getOverview, listJobs, retryJobItems } from '#shared/system/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { monday, openWorld } from '#test/world.ts'
import { transact } from '../deed.ts'
import { runJob } from '../jobs/clock-jobs.ts'
import { sendMessages } from '../message/queries.ts'
import { retryMinutes } from '../queue/queue.ts'
import { flushOutbox, listOutbox as listLetters, queueNotices, sendSms, type Letter } from './queries.ts'

const world = await openWorld()
const { cast, clock, db, letters, services } = world
afterAll(world.close)

beforeEach(async () => {
  clock.set(monday)
  letters.length = 0
  await db.deleteFrom('outbox').execute()
})

const accountId = cast.project.id
const title = '您发布的「渝昌高铁5标 装载机两台」已到截止时间，收到 12 家报价'
const queued = (of = title) => queueNotices(db, [{ accountId, title: of, notBefore: monday }], monday)
const waiting = () => db.selectFrom('outbox').select('status').executeTakeFirstOrThrow()

test('the provider gets the bare title of a notice, at most 20 characters of it; the operator reads the whole sentence', async () => {
  await queued()
  await queued('😀'.repeat(30))
  // It waits for the account and not for a number, so the database holds none beside it.
  expect(await db.selectFrom('outbox').select(['accountId', 'phonenumber', 'phoneSealed']).execute()).toEqual(
    [1, 2].map(() => ({ accountId, phonenumber: '', phoneSealed: null })),
  )
  expect(await flushOutbox(services)).toBe(2)
  const sent = letters.map(({ template, params }) => [template, params])
  expect(sent).toEqual([
    ['notice', [['title', title.slice(0, 20)]]],
    ['notice', [['title', '😀'.repeat(20)]]],
  ])
  const { rows } = (await cast.operator.call(listOutbox, {})).data
  expect(rows.map(({ content }) => content)).toContain(zhCn.personal.sms.notice(title))
})

test('the list behind the panel’s failed SMS has exactly those: notices that failed, and no codes, which nobody can send again', async () => {
  for (const template of ['notice', 'code', 'notice'] as const) {
    const { id } = await db
      .insertInto('outbox')
      .values({ phonenumber: '14400000099', template, content: title, provider: '', createTime: monday, notBefore: monday })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.updateTable('outbox').set({ status: '2' }).where('id', '=', id).execute()
  }
  await queued()
  const task = (await cast.operator.call(getWorkPanel, {})).data.tasks.find(({ kind }) => kind === 'outbox')
  const query = Object.fromEntries(new URLSearchParams(task?.link?.split('?')[1]))
  const { rows, total } = (await cast.operator.call(listOutbox, { query })).data
  expect([task?.count, total, rows.map(({ template }) => template)]).toEqual([2, 2, ['notice', 'notice']])
})

test('a notice that the version before stored as a sentence leaves with its bare title too', async () => {
  await db
    .insertInto('outbox')
    .values({
      phonenumber: '14400000099',
      template: 'notice',
      content: zhCn.personal.sms.notice(title),
      provider: '',
      createTime: monday,
      notBefore: monday,
    })
    .execute()
  await flushOutbox(services)
  expect(letters.map(({ params }) => params)).toEqual([[['title', title.slice(0, 20)]]])
})

test('a notice counts as sent after the provider’s yes: of a process that dies while it asks, another one sends it', async () => {
  await queued()
  const dying = connect(world.url, 2)
  await new Promise<void>((asked) => {
    const send = () => {
      asked()
      return new Promise<never>(() => undefined)
    }
    void flushOutbox({ ...services, db: dying.db, sms: { name: 'local', send } })
  })
  expect(await waiting()).toEqual({ status: '0' })
  // While it asks, nobody else does.
  expect(await flushOutbox(services)).toBe(0)
  // Its connections end with the process.
  await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`.execute(db)
  expect(await flushOutbox(services)).toBe(1)
  expect(letters).toHaveLength(1)
  expect(await waiting()).toEqual({ status: '1' })
})

test('a notice that waited for the end of quiet hours is not sent to whoever was locked meanwhile', async () => {
  await queued()
  await db.updateTable('account').set({ status: '1' }).where('id', '=', accountId).execute()
  expect(await flushOutbox(services)).toBe(0)
  await db.updateTable('account').set({ status: '0' }).where('id', '=', accountId).execute()
  expect(await flushOutbox(services)).toBe(0)
  expect(letters).toEqual([])
})

test('what the provider refused is tried again a minute later; the provider’s own id stands in the outbox', async () => {
  await queued()
  world.sms.fails = true
  await expect(flushOutbox(services)).rejects.toThrow('the provider is away')
  world.sms.fails = false
  const row = async () => (await cast.operator.call(listOutbox, {})).data.rows[0]
  expect(await row()).toMatchObject({ status: '2', error: 'the provider is away', providerId: '' })
  expect(await flushOutbox(services)).toBe(0)
  clock.set(new Date(monday.getTime() + 60_000))
  expect(await flushOutbox(services)).toBe(1)
  expect(await row()).toMatchObject({ status: 'local', error: '', providerId: 'local-1' })
})

test('an SMS that the local stand-in for a provider took does not count as sent', async () => {
  await queued()
  await flushOutbox(services)
  await queued('已读')
  await flushOutbox({ ...services, sms: { ...services.sms, name: 'aliyun' } })
  const listed = async (query: { status?: '1' | 'local' }) =>
    (await cast.operator.call(listOutbox, { query })).data.rows.map(({ status, provider }) => [status, provider])
  expect(await listed({})).toEqual([
    ['1', 'aliyun'],
    ['local', 'local'],
  ])
  expect([await listed({ status: '1' }), await listed({ status: 'local' })]).toEqual([[['1', 'aliyun']], [['local', 'local']]])
})

test('news of another bank account leaves before whatever waited longer', async () => {
  await queued()
  clock.set(new Date(monday.getTime() + 60_000))
  await transact(services, { now: clock.now() }, (work) =>
    sendMessages(work, {
      to: { accounts: [accountId] },
      kind: 'contractAccountAsked',
      params: { title: '合同', code: 'C1', company: '某公司' },
      bizType: 'x',
      bizId: 1,
      link: '',
    }),
  )
  const asked = zhCn.messages.contractAccountAsked.title({ title: '合同', code: 'C1', company: '某公司' })
  expect(await flushOutbox(services)).toBe(2)
  expect(letters.map(({ params }) => params[0]?.[1])).toEqual([asked, title].map((words) => words.slice(0, 20)))
})

test('that a notice to bidders failed is told to nobody before the opening, neither by its job nor by a message, and is tried again with the others', async () => {
  const { id: biddersOf } = await world.givenDemand({})
  await db.deleteFrom('outbox').execute()
  const notices = (of: readonly (number | undefined)[]) =>
    queueNotices(
      db,
      of.map((demand) => ({ accountId, title, notBefore: monday, biddersOf: demand })),
      monday,
    )
  const failAll = async () => {
    world.sms.fails = true
    const failures: unknown[] = []
    for (const minutes of [0, ...retryMinutes]) {
      clock.set(new Date(clock.now().getTime() + minutes * 60_000))
      await runJob(services, 'sendSms').catch((error: unknown) => failures.push(error))
    }
    world.sms.fails = false
    return failures.length
  }
  const { call } = cast.operator
  const shown = async () => {
    const job = (await call(listJobs, {})).data.find(({ name }) => name === 'sendSms')
    const waitingJobs = (await call(getOverview, {})).data.waiting.find(({ kind }) => kind === 'jobs')?.count ?? 0
    const messages = (await call(listOwnMessages, {})).data.rows.length
    return [job?.failures ?? 0, job?.lastError ?? '', job?.setAside, job?.failedItems.length, waitingJobs, messages]
  }
  const done = async () => (await call(listJobs, {})).data.find(({ name }) => name === 'sendSms')?.detail ?? ''
  await runJob(services, 'sendSms')
  const [nothing, none] = [await shown(), await done()]
  await notices([biddersOf])
  await runJob(services, 'sendSms')
  expect([letters.length, await done()]).toEqual([1, none])

  await notices([biddersOf])
  const tries = () => db.selectFrom('failedItem').where('job', '=', 'sendSms').select('tries').execute()
  expect([await failAll(), await tries(), await shown()]).toEqual([0, [{ tries: 5 }], nothing])
  expect((await call(retryJobItems, { params: { id: 'sendSms' } })).code).toBe(409)

  await notices([undefined])
  expect(await failAll()).toBe(5)
  expect(await shown()).toEqual([5, 'the provider is away', 1, 1, 1, 1])
  const other = await db
    .selectFrom('outbox')
    .where('sealedBy', 'is', null)
    .select(sql<string>`id::text`.as('id'))
    .executeTakeFirstOrThrow()
  expect((await call(retryJobItems, { params: { id: 'sendSms' } })).data).toEqual({ items: 1 })
  const entry = await db.selectFrom('auditLog').where('action', '=', 'job.retry').select('before').executeTakeFirstOrThrow()
  expect([entry.before, await tries()]).toEqual([{ setAside: [other.id] }, [{ tries: 6 }]])

  await failAll()
  await db.updateTable('demand').set({ openTime: clock.now() }).where('id', '=', biddersOf).execute()
  expect((await shown()).slice(2, 4)).toEqual([1, 2])
})

describe('letters that are sent at once', () => {
  const phonenumber = '14400000002'
  const code: Letter = { phonenumber, template: 'code', code: '482915' }
  const firstPassword: Letter = { phonenumber, template: 'firstPassword', userName: 'wanggong', password: 'Xk7#mPq2Rs' }
  const latest = () => db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

  test.each([
    ['a code', code, '482915'],
    ['a first password', firstPassword, 'Xk7#mPq2Rs'],
  ])('%s is read in the outbox and the log of a demo that sends no SMS, and of nothing else', async (_, letter, clear) => {
    for (const [demo, name, isOpen] of [
      [true, 'local', true],
      [false, 'local', false],
      [true, 'aliyun', false],
      [false, 'tencent', false],
    ] as const) {
      const [said, sent]: [string[], string[]] = [[], []]
      const sms = { name, send: ({ params }: (typeof letters)[number]) => Promise.resolve(`id${sent.push(JSON.stringify(params))}`) }
      const at = { ...services, sms, config: { ...services.config, demo }, writeLine: (line: string) => void said.push(line) }
      expect(await sendSms(at, letter, monday)).toBe(true)
      expect(sent.join()).toContain(clear)
      expect([name, demo, JSON.stringify(await latest()).includes(clear)]).toEqual([name, demo, isOpen])
      expect([name, demo, said.join().includes(clear)]).toEqual([name, demo, isOpen])
    }
  })

  test('the log has the last digits of a number, whether its SMS left, was refused or waited', async () => {
    const said: string[] = []
    const at = { ...services, writeLine: (line: string) => void said.push(line) }
    await sendSms(at, code, monday)
    world.sms.fails = true
    expect(await sendSms(at, code, monday)).toBe(false)
    world.sms.fails = false
    await queued()
    await flushOutbox(at)
    expect(said).toHaveLength(3)
    for (const line of said) {
      expect(line).toContain(maskPhone(phonenumber))
      expect(line).not.toContain(phonenumber)
    }
  })

  test('the outbox shows no number whole, whether an SMS went to a number, to an account or to one of before; a whole number finds its own', async () => {
    const phoneOf = async (id: number) =>
      (await db.selectFrom('account').where('id', '=', id).select('phonenumber').executeTakeFirstOrThrow()).phonenumber ?? ''
    const before = '14400000099'
    const numbers = ['14400000098', await phoneOf(accountId), before]
    await sendSms(services, { ...code, phonenumber: '14400000098' }, monday)
    await queued()
    const old = {
      template: 'notice',
      content: zhCn.personal.sms.notice(title),
      provider: '',
      createTime: monday,
      notBefore: monday,
    } as const
    await db
      .insertInto('outbox')
      .values({ ...old, phonenumber: before })
      .execute()
    const { data } = await cast.operator.call(listOutbox, {})
    expect(data.rows.map((row) => row.phonenumber).toSorted()).toEqual(numbers.map(maskPhone).toSorted())
    expect(JSON.stringify(data)).not.toMatch(/\d{11}/)
    for (const number of numbers.slice(0, 2)) {
      const { rows } = (await cast.operator.call(listOutbox, { query: { phonenumber: number } })).data
      expect(rows.map((row) => row.phonenumber)).toEqual([maskPhone(number)])
    }
  })

  test('a code or first password that failed is not sent again by the operator', async () => {
    world.sms.fails = true
    for (const letter of [code, firstPassword]) {
      await sendSms(services, letter, monday)
      const before = await latest()
      const { msg } = await cast.operator.call(resendOutbox, { params: { id: before.id } })
      expect(msg).toBe(zhCn.refusal.outbox_code)
      expect(await latest()).toEqual(before)
    }
    world.sms.fails = false
  })

  test('those of a platform with another secret are listed without their number', async () => {
    await sendSms(services, code, monday)
    const numbers = async (secret: string) =>
      (await listLetters({ db, secret }, { phonenumber: undefined, pageNum: 1, pageSize: 10 })).rows.map((row) => row.phonenumber)
    expect(await numbers(services.secret)).toEqual([maskPhone(phonenumber)])
    expect(await numbers('another-secret-of-more-than-32-letters')).toEqual([''])
  })
})
