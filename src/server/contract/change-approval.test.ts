import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContract, getContractChain } from '#shared/contract/contract.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { runJob } from '../jobs/clock-jobs.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract, signCode, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())

const approving = (approvesContracts: boolean) =>
  db.updateTable('dept').set({ approvesContracts }).where('id', '=', world.depts.root).execute()
/** A contract in force of a project whose group approves contracts. */
async function givenApproved() {
  const { id } = await givenContract()
  await approving(true)
  const [line] = (await read(id)).lines
  return { id, lineId: line?.id ?? 0 }
}
beforeEach(() => clock.set(monday))
afterEach(() => approving(false))

const price = (lineId: number, value = '18000') => ({ kind: 'price', lines: [{ lineId, value }] })
const list = async (who: Person, id: number) => (await who.call(changeCalls.listContractChanges, { params: { id } })).data
const ask = (who: Person, id: number) => who.call(changeCalls.askChangeApproval, { params: { id } })
const approve = (who: Person, id: number) => who.call(changeCalls.approveContractChange, { params: { id } })
const reject = (who: Person, id: number, reason = '涨幅过大') =>
  who.call(changeCalls.rejectContractChange, { params: { id }, body: { reason } })
const receiversOf = async (kind: string, changeCode: string) =>
  (
    await db
      .selectFrom('message')
      .where('kind', '=', kind as 'contractPersons')
      .orderBy('accountId')
      .select(['accountId', 'content'])
      .execute()
  )
    .filter(({ content }) => content.includes(changeCode))
    .map(({ accountId }) => accountId)

test('an amended price above the ceiling of the organisation is marked for its own people while it waits, and never for the lessor', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const body = { deptId: world.depts.root, categoryId: 106, rentUnit: 'M', price: 17_000, fromDay: '2026-01-01', withOperator: true }
  const saved = await cast.lessee.call(saveCeiling, { body })
  const marksOf = async (who: Person) => (await list(who, id)).map(({ aboveCeiling }) => aboveCeiling)
  const low = await propose(cast.lessor, id, price(line?.id ?? 0, '17000'))
  expect(await marksOf(cast.project)).toEqual([[]])
  expect((await cast.project.call(changeCalls.refuseContractChange, { params: { id: low.data.id }, body: { answer: '再议' } })).code).toBe(
    200,
  )
  const high = await propose(cast.lessor, id, price(line?.id ?? 0, '17000.01'))
  for (const who of [cast.project, cast.lessee]) expect(await marksOf(who)).toEqual([[1], []])
  for (const who of [cast.lessor, cast.auditor]) expect(await marksOf(who)).toEqual([[], []])
  expect((await cast.project.call(changeCalls.refuseContractChange, { params: { id: high.data.id }, body: { answer: '再议' } })).code).toBe(
    200,
  )
  expect(await marksOf(cast.project)).toEqual([[], []])

  const days = { planStart: '2026-12-20', planEnd: '2027-03-20' }
  const equipmentId = await world.givenMachine(cast.lessor.companyId)
  const added = [{ equipmentId, ...days, rentUnit: 'M', unitPrice: '17500', includesOperator: true, invoiceKind: 'special' }]
  const further = await propose(cast.lessor, id, { kind: 'quantity', lineIds: [], added })
  expect(further.code).toBe(200)
  expect((await marksOf(cast.project))[0]).toEqual([2])
  await db.deleteFrom('priceCeiling').where('id', '=', saved.data.id).execute()
})

describe('where the unit above approves contracts, an amendment that binds it more', () => {
  test('of a project waits for somebody else of the unit, is seen by nobody of the lessor until then, and is sent by the approval', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.project, id, price(lineId))
    expect(data.waits).toBe(true)
    const [waiting] = await list(cast.project, id)
    expect([waiting?.status, waiting?.approval, waiting?.may]).toEqual(['0', '1', ['recall']])
    const code = waiting?.changeCode ?? ''
    expect([await receiversOf('contractChangeSubmitted', code), await receiversOf('contractChangeAsked', code)]).toEqual([
      [cast.lessee.id],
      [],
    ])
    expect(await list(cast.lessor, id)).toEqual([])
    expect((await cast.lessor.call(changeCalls.printContractChange, { params: { id: data.id } })).code).toBe(404)
    expect((await confirm(cast.lessor, data.id)).code).toBe(404)
    const openFor = async (who: Person) => (await who.call(getContract, { params: { id } })).data.openChange
    expect(await openFor(cast.project)).toEqual({
      id: data.id,
      changeCode: code,
      kind: 'price',
      side: 'lessee',
      isSent: false,
      hindrances: [],
      unitStep: null,
    })
    const hiddenOne = { id: null, changeCode: null, kind: null, side: 'lessee', isSent: false, hindrances: [], unitStep: null }
    expect(await openFor(cast.lessor)).toEqual(hiddenOne)
    const { data: hidden } = await cast.lessor.call(getContractChain, { params: { id } })
    expect([hidden.changes, await recordFault(hidden, recordChecks, sha256)]).toEqual([[], null])
    expect((await approve(cast.project, data.id)).code).toBe(403)
    expect((await list(cast.lessee, id))[0]?.may).toEqual(['recall', 'approve', 'reject'])
    expect((await approve(cast.lessee, data.id)).code).toBe(200)
    expect((await approve(cast.lessee, data.id)).code).toBe(409)
    expect([await receiversOf('contractChangeApproved', code), await receiversOf('contractChangeAsked', code)]).toEqual([
      [cast.project.id],
      [cast.lessor.id],
    ])
    expect((await list(cast.lessor, id)).map(({ status, approval, may }) => [status, approval, may])).toEqual([
      ['1', '0', ['confirm', 'refuse']],
    ])
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect((await read(id)).lines[0]?.unitPrice).toBe('18000.00')
    for (const who of [cast.project, cast.lessor]) {
      const { data: record } = await who.call(getContractChain, { params: { id } })
      expect(await recordFault(record, recordChecks, sha256)).toBeNull()
      expect(record.links.slice(-5).map(({ move }) => move)).toEqual(['changeAsk', 'changeApprove', 'change', 'changeConfirm', 'version'])
    }
  })

  test('is decided by an administrator of the unit that wants it or of one above, and never by whoever asked', async () => {
    const { id, lineId } = await givenApproved()
    const { root, unit, projectDept } = world.depts
    const { companyId } = cast.lessee
    const asker = await world.givenPerson({ userType: '3', deptId: projectDept, companyId, certSign: 3 }, 'asker')
    const { data } = await propose(asker, id, price(lineId))
    expect(data.waits).toBe(true)
    const people = { userType: '2', companyId, certSign: 2 } as const
    const colleague = await world.givenPerson({ ...people, deptId: root }, 'colleague')
    const below = await world.givenPerson({ ...people, deptId: unit, isAdmin: true }, 'below')
    await db.updateTable('account').set({ userType: '2', deptId: root, isAdmin: true }).where('id', '=', asker.id).execute()
    for (const who of [asker, colleague, below])
      expect([(await approve(who, data.id)).code, (await reject(who, data.id)).code]).toEqual([403, 403])
    expect((await approve(cast.lessee, data.id)).code).toBe(200)
    await db.updateTable('account').set({ isAdmin: false }).where('id', 'in', [asker.id, below.id]).execute()
  })

  test('is asked about, and no other one of the lessor', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.lessor, id, { kind: 'shorten', lines: [{ lineId, value: '2027-02-13' }] })
    expect((await ask(cast.project, data.id)).msg).toBe(zhCn.refusal.contract_changed)
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    expect((await ask(cast.project, data.id)).msg).toBe(zhCn.refusal.contract_changed)
  })

  test('that the unit does not approve is dropped with its reason, which stays with the lessee', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.project, id, price(lineId))
    expect((await reject(cast.lessee, data.id, '')).code).toBe(422)
    expect((await reject(cast.lessee, data.id)).code).toBe(200)
    expect((await list(cast.project, id)).map(({ status, approval, answer }) => [status, approval, answer])).toEqual([
      ['4', '3', '涨幅过大'],
    ])
    expect(await list(cast.lessor, id)).toEqual([])
    for (const call of [getContract, getContractChain])
      expect(JSON.stringify((await cast.lessor.call(call, { params: { id } })).data)).not.toContain('涨幅过大')
    expect((await propose(cast.project, id, price(lineId, '17500'))).data.waits).toBe(true)
    const [again] = await list(cast.project, id)
    expect(
      (await cast.project.call(changeCalls.recallContractChange, { params: { id: again?.id ?? 0 }, body: { answer: '先不提' } })).code,
    ).toBe(200)
    expect(await receiversOf('contractChangeRecalled', again?.changeCode ?? '')).toEqual([])
    const { data: other } = await propose(cast.lessor, id, price(lineId, '19000'))
    expect((await ask(cast.project, other.id)).code).toBe(200)
    expect((await list(cast.project, id))[0]?.approval).toBe('1')
    expect((await cast.project.call(changeCalls.refuseContractChange, { params: { id: other.id }, body: { answer: '再议' } })).code).toBe(
      200,
    )
    // Nobody decides about what was withdrawn or refused.
    expect((await list(cast.project, id)).map(({ status, approval }) => [status, approval])).toEqual([
      ['3', '0'],
      ['4', '0'],
      ['4', '3'],
    ])
  })

  test('of the lessor is confirmed after the approval only, also another bank account', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.lessor, id, price(lineId, '19000'))
    expect(data.waits).toBe(false)
    expect((await list(cast.project, id))[0]?.may).toEqual(['refuse', 'ask'])
    const unitStep = async (who: Person) => (await who.call(getContract, { params: { id } })).data.openChange?.unitStep
    expect([await unitStep(cast.project), await unitStep(cast.lessee), await unitStep(cast.lessor)]).toEqual(['ask', null, null])
    const refused = await confirm(cast.project, data.id)
    expect([refused.code, refused.msg]).toEqual([409, zhCn.refusal.change_approval])
    expect((await ask(cast.lessor, data.id)).code).toBe(403)
    expect((await ask(cast.project, data.id)).code).toBe(200)
    expect((await ask(cast.project, data.id)).code).toBe(409)
    expect(await unitStep(cast.project)).toBe('wait')
    expect((await confirm(cast.project, data.id)).msg).toBe(zhCn.refusal.change_approval)
    expect((await reject(cast.lessee, data.id)).code).toBe(200)
    expect((await list(cast.project, id))[0]).toMatchObject({ status: '1', approval: '3', may: ['refuse', 'ask'] })
    expect(await unitStep(cast.project)).toBe('ask')
    expect((await list(cast.lessor, id))[0]?.approval).toBe('0')
    expect((await ask(cast.project, data.id)).code).toBe(200)
    expect((await approve(cast.lessee, data.id)).code).toBe(200)
    expect((await list(cast.project, id))[0]?.may).toEqual(['confirm', 'refuse'])
    expect(await unitStep(cast.project)).toBeNull()
    expect((await confirm(cast.project, data.id)).code).toBe(200)

    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const { data: named } = await propose(cast.lessor, id, account, { smsCode: await signCode(cast.lessor, id, account) })
    expect((await confirm(cast.project, named.id)).msg).toBe(zhCn.refusal.change_approval)
    // An administrator of the unit needs nobody's approval, as with its contracts.
    expect((await list(cast.lessee, id))[0]?.may).toEqual(['confirm', 'refuse'])
    expect((await confirm(cast.lessee, named.id)).code).toBe(200)
  })

  let changedOnce: ReturnType<typeof givenApproved> | undefined
  /** A contract whose amendments are each withdrawn, so that the next one may be proposed. */
  async function givenUnchanged() {
    const one = await (changedOnce ??= givenApproved())
    world.passDeadline()
    await approving(true)
    return one
  }
  const withdraw = (id: number) => cast.project.call(changeCalls.recallContractChange, { params: { id }, body: { answer: '先不提' } })

  test.each([
    ['adds no cost', (lineId: number) => ({ kind: 'shorten', lines: [{ lineId, value: '2027-02-13' }] })],
    ['ends the contract without a penalty', () => ({ kind: 'terminate', lastDay: '2026-12-20' })],
  ])('is not one that %s: it goes to the other side at once', async (_, terms) => {
    const { id, lineId } = await givenUnchanged()
    const { data } = await propose(cast.project, id, terms(lineId))
    expect([data.waits, (await list(cast.lessor, id))[0]?.status]).toEqual([false, '1'])
    expect((await withdraw(data.id)).code).toBe(200)
  })

  test.each([
    ['extends the hire', async (lineId: number) => Promise.resolve({ kind: 'extend', lines: [{ lineId, value: '2027-04-13' }] })],
    [
      'adds a position',
      async () => ({
        kind: 'quantity',
        lineIds: [],
        added: [
          {
            equipmentId: await world.givenMachine(cast.lessor.companyId),
            planStart: '2026-12-20',
            planEnd: '2027-03-20',
            rentUnit: 'M',
            unitPrice: '21000',
          },
        ],
      }),
    ],
    [
      'ends the contract with a penalty of the lessee',
      () => Promise.resolve({ kind: 'terminate', lastDay: '2026-12-20', penalty: { amount: '5000', payer: 'lessee' } }),
    ],
  ])('is also one that %s', async (_, terms) => {
    const { id, lineId } = await givenUnchanged()
    const { data, msg } = await propose(cast.project, id, await terms(lineId))
    expect([data?.waits, msg]).toEqual([true, expect.any(String)])
    expect((await withdraw(data.id)).code).toBe(200)
  })

  test('and that no unit wants to approve any more comes back to its project, which sends it at once', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.project, id, price(lineId))
    const job = () => runJob(world.services, 'contracts')
    await job()
    expect((await list(cast.project, id))[0]?.status).toBe('0')
    await approving(false)
    await job()
    await job()
    const [back] = await list(cast.project, id)
    expect([back?.id, back?.status, back?.approval]).toEqual([data.id, '4', '3'])
    expect(await receiversOf('contractChangeApprovalOff', back?.changeCode ?? '')).toEqual([cast.project.id])
    expect(await list(cast.lessor, id)).toEqual([])
    const { data: record } = await cast.project.call(getContractChain, { params: { id } })
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
    expect(record.links.at(-1)?.move).toBe('changeApprovalOff')
    expect((await propose(cast.project, id, price(lineId))).data.waits).toBe(false)
  })

  test('that names another account is neither approved nor asked about any more once the last day of the ended contract is over', async () => {
    const { id } = await givenApproved()
    const { data: end } = await propose(cast.lessor, id, { kind: 'terminate', lastDay: '2026-12-20' }, { fromDay: '2026-12-20' })
    expect((await confirm(cast.project, end.id)).code).toBe(200)
    clock.set(new Date('2026-12-20T15:00:00Z'))
    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const by = { smsCode: await signCode(cast.lessor, id, account), fromDay: '2026-12-20' }
    const { data } = await propose(cast.lessor, id, account, by)
    expect((await ask(cast.project, data.id)).code).toBe(200)
    const mayOf = async (who: Person) => (await list(who, id))[0]?.may
    expect([await mayOf(cast.project), await mayOf(cast.lessee)]).toEqual([['refuse'], ['confirm', 'refuse', 'approve', 'reject']])
    clock.set(new Date('2026-12-20T16:00:00Z'))
    expect([await mayOf(cast.project), await mayOf(cast.lessee)]).toEqual([['refuse'], ['refuse', 'reject']])
    const over = zhCn.refusal.change_contract_over
    expect([(await approve(cast.lessee, data.id)).msg, (await confirm(cast.project, data.id)).msg]).toEqual([over, over])
    expect((await reject(cast.lessee, data.id)).code).toBe(200)
    expect(await mayOf(cast.project)).toEqual(['refuse'])
    const again = await ask(cast.project, data.id)
    expect([again.code, again.msg]).toEqual([409, over])
    const code = (await list(cast.project, id))[0]?.changeCode ?? ''
    expect(await receiversOf('contractChangeSubmitted', code)).toEqual([cast.lessee.id])
  })

  test('is not approved once its day is over for too long', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.project, id, price(lineId))
    expect((await list(cast.lessee, id))[0]?.confirmBy).toBe('2026-12-17')
    pass(26 * 86_400)
    expect((await list(cast.project, id))[0]).toMatchObject({ hindrances: ['overdue'], may: ['recall'] })
    expect((await list(cast.lessee, id))[0]).toMatchObject({ hindrances: ['overdue'], may: ['recall', 'reject'] })
    expect((await approve(cast.lessee, data.id)).msg).toBe(zhCn.refusal.change_approval_late)
    expect((await reject(cast.lessee, data.id)).code).toBe(200)
  })

  test('and that nobody approved in time is taken back the day after, its project is told, and the lessor may propose again', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.project, id, price(lineId))
    const job = () => runJob(world.services, 'contracts')
    clock.set(new Date('2026-12-17T23:00:00+08:00'))
    await job()
    expect((await list(cast.project, id))[0]?.status).toBe('0')
    clock.set(new Date('2026-12-18T00:01:00+08:00'))
    await job()
    await job()
    const [back] = await list(cast.project, id)
    expect([back?.id, back?.status, back?.approval, back?.hindrances]).toEqual([data.id, '4', '0', []])
    expect(await receiversOf('contractChangeApprovalLate', back?.changeCode ?? '')).toEqual([cast.project.id])
    const { data: record } = await cast.project.call(getContractChain, { params: { id } })
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
    expect(record.links.at(-1)?.move).toBe('changeApprovalLate')
    expect((await propose(cast.lessor, id, price(lineId), { fromDay: '2026-12-20' })).code).toBe(200)
  })

  test('of the lessor is not asked about once its day is over for too long', async () => {
    const { id, lineId } = await givenApproved()
    const { data } = await propose(cast.lessor, id, price(lineId))
    clock.set(new Date('2026-12-18T00:01:00+08:00'))
    expect((await list(cast.project, id))[0]?.may).toEqual(['refuse'])
    expect((await ask(cast.project, data.id)).msg).toBe(zhCn.refusal.change_overdue)
  })
})

test('where no unit approves contracts, an amendment goes to the other side at once', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const { data } = await propose(cast.project, id, price(line?.id ?? 0))
  expect([data.waits, (await list(cast.lessor, id))[0]?.status]).toEqual([false, '1'])
})
