import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#shared/calendar.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import {
  changeHindrances,
  changeKinds,
  confirmBy,
  confirmDays,
  isOverdue,
  type ChangeHindrance,
  type ChangeKind,
} from '#shared/contract/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { confirmByOf, isOverdueOn } from './change-hindrances.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { givenContract, signCode } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())

const approving = (approvesContracts: boolean) => db.updateTable('dept').set({ approvesContracts }).where('id', '=', depts.root).execute()
const certify = async (side: 'lessor' | 'lessee', status: '2' | '4') => {
  await db
    .updateTable('company')
    .set(side === 'lessor' ? { lessorAudit: status } : { lesseeAudit: status })
    .where('id', '=', cast[side].companyId)
    .execute()
}
beforeEach(() => clock.set(monday))
afterEach(async () => {
  await certify('lessor', '2')
  await certify('lessee', '2')
  await approving(false)
})

const { refusal } = zhCn
const lastEvening = new Date('2026-12-20T15:00:00Z')
const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }

async function longer(id: number, by: Person = cast.lessor) {
  const [line] = (await read(id)).lines
  return propose(by, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
}

/** Another account, named on the last evening of a contract that both have ended. */
async function accountOfEnded(id: number) {
  const end = await propose(cast.lessor, id, { kind: 'terminate', lastDay: '2026-12-20' }, { fromDay: '2026-12-20' })
  expect((await confirm(cast.project, end.data.id)).code).toBe(200)
  clock.set(lastEvening)
  return propose(cast.lessor, id, account, { smsCode: await signCode(cast.lessor, id, account), fromDay: '2026-12-20' })
}

type Case = {
  given: (id: number) => ReturnType<typeof longer>
  begin: () => unknown
  end: () => unknown
  msg: string
}
/** How an amendment of the lessor comes to have each hindrance and loses it, and the words that the calls refuse it with. */
const cases: Record<ChangeHindrance, Case> = {
  overdue: {
    given: longer,
    begin: () => clock.set(new Date('2026-12-18T02:00:00Z')),
    end: () => clock.set(monday),
    msg: refusal.change_overdue,
  },
  contractOver: {
    given: accountOfEnded,
    begin: () => clock.set(new Date('2026-12-20T16:00:00Z')),
    end: () => clock.set(lastEvening),
    msg: refusal.change_contract_over,
  },
  proposerUncertified: {
    given: longer,
    begin: () => certify('lessor', '4'),
    end: () => certify('lessor', '2'),
    msg: refusal.change_uncertified,
  },
  readerUncertified: {
    given: longer,
    begin: () => certify('lessee', '4'),
    end: () => certify('lessee', '2'),
    msg: refusal.not_certified,
  },
}

const shownTo = async (who: Person, id: number) => (await who.call(changeCalls.listContractChanges, { params: { id } })).data[0]
const ask = (id: number) => cast.project.call(changeCalls.askChangeApproval, { params: { id } })
const approve = (id: number) => cast.lessee.call(changeCalls.approveContractChange, { params: { id } })
/** In the order in which the amendment of a lessor takes them. */
const calls = [
  { action: 'ask', who: cast.project, call: ask },
  { action: 'approve', who: cast.lessee, call: approve },
  { action: 'confirm', who: cast.project, call: (id: number) => confirm(cast.project, id) },
] as const

describe('what hinders an amendment is what its card says and what each call refuses it with', () => {
  test.each(changeHindrances)('%s', async (hindrance) => {
    const { given, begin, end, msg } = cases[hindrance]
    const { id } = await givenContract()
    await approving(true)
    const { data } = await given(id)
    for (const { action, who, call } of calls) {
      expect(await shownTo(who, id), action).toMatchObject({ hindrances: [], may: expect.arrayContaining([action]) })
      await begin()
      const shown = await shownTo(who, id)
      expect(shown?.hindrances, action).toEqual([hindrance])
      expect(shown?.may).not.toContain(action)
      const isLate = hindrance === 'overdue' && action === 'approve'
      expect((await call(data.id)).msg, action).toBe(isLate ? refusal.change_approval_late : msg)
      await end()
      expect((await call(data.id)).code, action).toBe(200)
    }
  })

  test('of several it is the first', async () => {
    const { id } = await givenContract()
    await approving(true)
    const { data } = await longer(id)
    for (const { action, who, call } of calls) {
      await certify('lessor', '4')
      await certify('lessee', '4')
      expect((await shownTo(who, id))?.hindrances, action).toEqual(['proposerUncertified', 'readerUncertified'])
      expect((await call(data.id)).msg, action).toBe(refusal.change_uncertified)
      clock.set(new Date('2026-12-18T02:00:00Z'))
      expect((await shownTo(who, id))?.hindrances, action).toEqual(['overdue', 'proposerUncertified', 'readerUncertified'])
      expect((await call(data.id)).msg, action).toBe(action === 'approve' ? refusal.change_approval_late : refusal.change_overdue)
      clock.set(monday)
      await certify('lessor', '2')
      await certify('lessee', '2')
      expect((await call(data.id)).code, action).toBe(200)
    }
  })

  test('of one that waits for the unit of the side that proposed it, too', async () => {
    const { id } = await givenContract()
    await approving(true)
    const { data } = await longer(id, cast.project)
    await certify('lessee', '4')
    expect(await shownTo(cast.lessee, id)).toMatchObject({ hindrances: ['proposerUncertified'] })
    expect((await approve(data.id)).msg).toBe(refusal.change_uncertified)
    await certify('lessee', '2')
    expect((await approve(data.id)).code).toBe(200)
  })
})

test('the database has the same last day of an amendment as the rules', async () => {
  const today = '2027-03-04'
  const kind = fc.constantFrom(...changeKinds)
  const near = fc.integer({ min: -3, max: 3 })
  const given = fc.sample(fc.tuple(kind, near), 400).map(([one, days]) => ({ kind: one, fromDay: addDays(today, days - confirmDays) }))
  const { rows } = await sql<{ kind: ChangeKind; fromDay: string; last: string | null; overdue: boolean }>`
    select kind, from_day as "fromDay", ${confirmByOf('change')} as last, ${isOverdueOn('change', today)} as overdue
    from (select kind, "fromDay" as from_day
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(kind text, "fromDay" date)) change`.execute(db)
  expect(rows).toHaveLength(given.length)
  const isOther = ({ last, overdue, ...change }: (typeof rows)[number]) =>
    confirmBy(change.kind, change.fromDay) !== last || isOverdue(change, today) !== overdue
  expect(rows.filter(isOther)).toEqual([])
})
