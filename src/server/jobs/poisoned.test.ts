import { afterAll, beforeEach, expect, test } from 'vitest'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { listJobs } from '#shared/system/contract.ts'
import { jobCases } from '#test/job-cases.ts'
import { monday, openWorld } from '#test/world.ts'
import { queueNotices } from '../outbox/queries.ts'
import { runJob, type ClockJob } from './clock-jobs.ts'
import type { Sms } from '../outside/sms.ts'

// Inputs that once stopped a job for everybody.
const world = await openWorld()
const { cast, clock, db, services } = world
afterAll(world.close)
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const later = (minutes: number) => clock.set(new Date(clock.now().getTime() + minutes * 60_000))
const { ten, givenCertification, givenCancellation } = jobCases(world)
const isErased = async (id: number) =>
  (await db.selectFrom('account').where('id', '=', id).select('delFlag').executeTakeFirstOrThrow()).delFlag === '2'
const isReminded = async (id: number) =>
  (await db
    .selectFrom('reminder')
    .where('subject', '=', 'certification')
    .where('subjectId', '=', id)
    .select('paper')
    .executeTakeFirst()) !== undefined
const listed = async (name: ClockJob) => {
  const job = (await cast.operator.call(listJobs, {})).data.find((one) => one.name === name)
  return { retrying: job?.retrying, items: job?.failedItems.map(({ tries, lastError }) => ({ tries, lastError })) }
}

test('a saved search with a number out of range is set aside; the nine others are notified', async () => {
  const machine = await world.givenMachine(cast.lessor.companyId)
  const ids = await ten(async (n) => {
    const query = n === 5 ? 'provinceId=99999999999' : 'provinceId=510000'
    const search = { accountId: cast.project.id, list: 'equipment', name: `找设备${n}`, query } as const
    return (
      await db
        .insertInto('savedSearch')
        .values({ ...search, checkedAt: monday, createTime: monday })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  })
  later(6)
  await db
    .updateTable('equipment')
    .set({ confirmedAt: new Date(monday.getTime() + 60_000) })
    .where('id', '=', machine)
    .execute()
  await expect(runJob(services, 'savedSearches')).rejects.toThrow('out of range')
  const told = await db.selectFrom('message').where('kind', '=', 'savedSearchHit').select('bizId').execute()
  expect(told.map(({ bizId }) => Number(bizId)).toSorted((a, b) => a - b)).toEqual(ids.toSpliced(4, 1))
  expect((await listed('savedSearches')).retrying).toBe(1)
  await db.deleteFrom('savedSearch').execute()
  await db.deleteFrom('failedItem').execute()
})

test('somebody who took the name of an erased account keeps nobody from being erased', async () => {
  const ids = await ten(givenCancellation)
  const userName = `cancelled${ids[0] ?? 0}`
  await db.insertInto('account').values({ userName, phonenumber: '14599990000', passwordHash: 'none', createTime: monday }).execute()
  await runJob(services, 'cancellations')
  expect(await Promise.all(ids.map((id) => isErased(id)))).toEqual(ids.map(() => true))
})

test('a date that is none in one form keeps nobody else from being reminded', async () => {
  const ids = await ten((n) => {
    const form = JSON.stringify({ licenseValidTo: n === 5 ? '0000-00-00' : addDays(today, 20) })
    return givenCertification({ name: `再${n}家`, validTo: addDays(today, 20), form })
  })
  await runJob(services, 'certifications')
  expect(await Promise.all(ids.map((id) => isReminded(id)))).toEqual(ids.map((_, n) => n !== 4))
})

test('a failure whose message the database cannot hold is recorded without the bytes in question', async () => {
  await queueNotices(
    db,
    Array.from({ length: 10 }, (_, n) => ({ accountId: cast.project.id, title: `短信${n}`, notBefore: monday })),
    monday,
  )
  const send = ({ params }: Sms) =>
    params.some(([, value]) => value === '短信4') ? Promise.reject(new Error('no\u0000such number')) : Promise.resolve('sent')
  await expect(runJob({ ...services, sms: { name: 'local', send } }, 'sendSms')).rejects.toThrow('such number')
  const waiting = await db.selectFrom('outbox').where('status', '<>', '1').select(['params', 'error']).execute()
  expect(waiting).toEqual([{ params: { title: '短信4' }, error: 'nosuch number' }])
  expect((await listed('sendSms')).items).toEqual([{ tries: 1, lastError: 'nosuch number' }])
  await db.deleteFrom('outbox').execute()
  await db.deleteFrom('failedItem').execute()
})

test('a job that finds nothing to do is written down after the clock was set back, too', async () => {
  const startedAt = async () =>
    (await db.selectFrom('jobRun').where('name', '=', 'sendSms').select('startedAt').executeTakeFirst())?.startedAt
  later(24 * 60)
  await runJob(services, 'sendSms')
  expect(await startedAt()).toBe(toMoment(clock.now()))
  clock.set(monday)
  await runJob(services, 'sendSms')
  expect(await startedAt()).toBe(toMoment(monday))
})
