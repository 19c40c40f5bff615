import { afterAll, beforeEach, expect, test } from 'vitest'
import { checkCancellation } from '#shared/account/contract.ts'
import { emergencyBlacklist, getBlacklist, liftBlacklist } from '#shared/blacklist/contract.ts'
import { blacklistLevel, blacklistStatus, type BlacklistStatus } from '#shared/blacklist/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getDemandForLessor, listDemandsForLessor } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { daily } from '#test/daily.ts'
import { inTransaction, whileChanging, whileHeld } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { expireBlacklist } from './expiry.ts'
import { enforce } from './moves.ts'

const world = await openWorld()
const { db, cast } = world
const { companyId } = cast.lessor
afterAll(() => world.close())
beforeEach(() => db.deleteFrom('blacklist').execute())

const barring = { subjectKind: 'company', companyId, equipmentId: null, scopeDeptId: null, level: blacklistLevel.barred } as const

/** An entry that bars the company on the whole platform. */
async function givenBar(blacklistCode: string, status: BlacklistStatus): Promise<number> {
  const { id } = await db
    .insertInto('blacklist')
    .values({
      ...barring,
      blacklistCode,
      reasonCode: 'quit',
      facts: '拆除后弃机离场，'.repeat(8),
      fromDay: '2026-11-01',
      toDay: '2027-11-01',
      status,
      proposerId: cast.lessee.id,
      decideTime: monday,
      createTime: monday,
      updateTime: monday,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const lift = (id: number) => cast.operator.call(liftBlacklist, { params: { id }, body: { version: 1, note: '整改完成' } })
const isBarred = async () =>
  (await db.selectFrom('company').where('id', '=', companyId).select('blacklistedAt').executeTakeFirstOrThrow()).blacklistedAt !== null

test('a company stays barred whose entry is lifted while another one takes effect', async () => {
  const first = await givenBar('HM-1', blacklistStatus.inForce)
  const second = await givenBar('HM-2', blacklistStatus.notified)
  await inTransaction(db, (tx) => enforce({ db: tx, now: monday }, { ...barring, blacklistCode: 'HM-1' }))
  const [answer] = await whileChanging(
    db,
    {
      begin: async (tx) => {
        await tx.updateTable('blacklist').set({ status: blacklistStatus.inForce }).where('id', '=', second).execute()
        await enforce({ db: tx, now: monday }, { ...barring, blacklistCode: 'HM-2' })
      },
    },
    [() => lift(first)],
  )
  expect([answer?.code, await isBarred()]).toEqual([200, true])
})

test('on the whole platform only a bar takes machines off the shelf: the fleet of a company, which quotes nothing more, or one machine alone', async () => {
  const machines = [await world.givenMachine(companyId), await world.givenMachine(companyId)]
  const [one = 0] = machines
  const carryOut = (entry: object) =>
    inTransaction(db, (tx) => enforce({ db: tx, now: monday }, { ...barring, blacklistCode: 'HM-3', ...entry }))
  const shelf = async () =>
    (await db.selectFrom('equipment').where('id', 'in', machines).orderBy('id').select('shelfStatus').execute()).map(
      ({ shelfStatus }) => shelfStatus,
    )
  await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', companyId).execute()
  await carryOut({ level: blacklistLevel.restricted })
  await carryOut({ subjectKind: 'machine', equipmentId: one, level: blacklistLevel.restricted })
  await carryOut({ subjectKind: 'machine', equipmentId: one, scopeDeptId: world.depts.root })
  expect([await shelf(), await isBarred()]).toEqual([['1', '1'], false])
  await carryOut({ subjectKind: 'machine', equipmentId: one })
  expect([await shelf(), await isBarred()]).toEqual([['0', '1'], false])
  await carryOut({})
  expect([await shelf(), await isBarred()]).toEqual([['0', '0'], true])
  const { id } = await world.givenDemand()
  expect((await cast.lessor.call(getDemandForLessor, { params: { id } })).data.bar).toBe('blacklisted')
  const { data } = await cast.lessor.call(listDemandsForLessor, { query: { scope: 'open' } })
  expect(data.rows.map((row) => [row.id, row.bar])).toEqual([[id, 'blacklisted']])
})

test('an entry holds during its appeal, and ends by its date all the same', async () => {
  const first = await givenBar('HM-1', blacklistStatus.inForce)
  const appealed = await givenBar('HM-2', blacklistStatus.appealed)
  await db.updateTable('company').set({ blacklistedAt: monday }).where('id', '=', companyId).execute()
  expect([(await lift(first)).code, await isBarred()]).toEqual([200, true])
  await db.updateTable('blacklist').set({ toDay: '2026-11-23' }).where('id', '=', appealed).execute()
  await expireBlacklist(world.services)
  const { status } = await db.selectFrom('blacklist').where('id', '=', appealed).select('status').executeTakeFirstOrThrow()
  expect([status, await isBarred()]).toEqual([blacklistStatus.expired, false])
})

test('a hearing that nobody has decided within the period ends with it: the subject is told, and it stands in the way of no cancellation', async () => {
  await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', companyId).execute()
  const id = await givenBar('HM-1', blacklistStatus.notified)
  const setLastDay = (toDay: string) => db.updateTable('blacklist').set({ toDay, notifyTime: monday }).where('id', '=', id).execute()
  const found = async () => {
    await daily(world.services)
    const { status, events } = (await cast.lessor.call(getBlacklist, { params: { id } })).data
    const { points } = (await cast.lessor.call(checkCancellation, {})).data
    const titles = (await cast.lessor.call(listOwnMessages, {})).data.rows.map(({ title }) => title)
    return {
      status,
      moves: events.map(({ move }) => move),
      inTheWay: points.find(({ kind }) => kind === 'blacklist')?.count,
      isTold: titles.includes(zhCn.messages.blacklistDropped.title({ code: 'HM-1' })),
    }
  }
  await setLastDay('2026-11-24')
  expect(await found()).toEqual({ status: blacklistStatus.notified, moves: [], inTheWay: 1, isTold: false })
  await setLastDay('2026-11-23')
  expect(await found()).toEqual({ status: blacklistStatus.dropped, moves: ['lapse'], inTheWay: 0, isTold: true })
})

test('a company is free whose two entries are lifted at the same moment', async () => {
  const both = [await givenBar('HM-1', blacklistStatus.inForce), await givenBar('HM-2', blacklistStatus.inForce)]
  await db.updateTable('company').set({ blacklistedAt: monday }).where('id', '=', companyId).execute()
  const answers = await whileHeld(
    db,
    'company',
    both.map((id) => () => lift(id)),
  )
  expect([...answers.map(({ code }) => code), await isBarred()]).toEqual([200, 200, false])
})

test.each([
  ['2026-12-10', '2029-12-10', '2029-11-23'],
  ['2026-11-20', '2027-11-20', '2027-11-20'],
])(
  'an emergency bars from its decision on, whatever first day was proposed, and for three years at the most',
  async (fromDay, toDay, last) => {
    const id = await givenBar('HM-1', blacklistStatus.proposed)
    const proposed = { reasonCode: 'accident', fromDay, toDay, decideTime: null } as const
    await db.updateTable('blacklist').set(proposed).where('id', '=', id).execute()
    await db.updateTable('company').set({ blacklistedAt: null }).where('id', '=', companyId).execute()
    const answer = await cast.operator.call(emergencyBlacklist, { params: { id }, body: { version: 1, note: '塔吊倾覆' } })
    expect([answer.code, await isBarred()]).toEqual([200, true])
    const period = db.selectFrom('blacklist').where('id', '=', id).select(['fromDay', 'toDay'])
    expect(await period.executeTakeFirst()).toEqual({ fromDay: '2026-11-23', toDay: last })
  },
)
