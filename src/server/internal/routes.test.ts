import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayMs } from '#shared/calendar.ts'
import { getOwnDemand, getPublicDemand, listOwnDemands, publishDemand } from '#shared/demand/contract.ts'
import { cancelDemand, takeDemandDown } from '#shared/demand/moves.ts'
import * as contract from '#shared/internal/contract.ts'
import { transferMoves, transfersADay, transferStatuses } from '#shared/internal/rules.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { demandApprover } from '#test/approver.ts'
import { inTransaction, waitingForLocks } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { sendBack } = demandApprover(world)
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.deleteFrom('internalTransfer').execute()
  await db.updateTable('internalMachine').set({ delFlag: '2' }).execute()
})

const idle = (changes: Record<string, unknown> = {}) => ({
  deptId: depts.otherDept,
  fatherCategoryId: 100,
  categoryId: 106,
  name: '南湖 856H 装载机',
  mainValue: 5,
  emissionStage: '3',
  provinceId: 510_000,
  cityId: 510_700,
  innerPrice: 9000,
  freeFrom: '2026-11-23',
  freeTo: '2027-12-31',
  ...changes,
})
const offer = async (changes: Record<string, unknown> = {}) => {
  const { data, msg } = await cast.lessee.call(contract.saveInternal, { body: idle(changes) })
  if (!data?.id) throw new Error(msg)
  return data.id
}
const publish = (changes: Record<string, unknown> = {}) => cast.project.call(publishDemand, { body: world.demandBody(changes) })

describe('[S2.24][S7.6] own machines first', () => {
  test('a fitting idle machine must be answered, machine by machine; the answer stays with the demand', async () => {
    const near = await offer({ name: '柳工 856H 装载机', brand: '柳工', model: '856H' })
    await offer({ mainValue: 3, name: '太小的装载机' })
    await offer({ freeTo: '2027-01-01', name: '不够久的装载机' })
    await offer({ categoryId: 101, name: '一台挖掘机' })
    const refused = await publish()
    expect([refused.code, refusedFields(refused.data)]).toEqual([422, [`internalAnswers.${near}`]])
    const published = await publish({ internalAnswers: [{ machineId: near, reason: '正在大修，无法按期进场' }] })
    expect(published.code).toBe(200)
    const { data } = await cast.project.call(getOwnDemand, { params: { id: published.data.id } })
    expect(data.internalCheck).toEqual([
      expect.objectContaining({
        machineId: near,
        name: '柳工 856H 装载机',
        nameEn: 'LiuGong 856H Wheel loader',
        take: false,
        reason: '正在大修，无法按期进场',
        deptName: '南湖安置房',
        distanceKm: expect.any(Number),
      }),
    ])
    // A stranger's group has none of it.
    expect((await cast.stranger.call(publishDemand, { body: world.demandBody({ deptId: depts.strangerDept }) })).code).toBe(200)
  })

  test('the match says how far, what freight, what it saves against the market', async () => {
    await offer()
    for (const priceFen of [1_500_000, 1_600_000, 1_700_000]) await world.givenMachine(cast.lessor.companyId, { priceFen })
    const item = { categoryId: 106, mainRule: 'ge', mainValue: 5, planStart: '2026-12-13', planEnd: '2027-03-13' }
    const { data } = await cast.project.call(contract.matchInternal, {
      body: { deptId: depts.projectDept, cityId: 510_100, items: [item] },
    })
    const [match] = data
    const km = match?.distanceKm ?? 0
    expect(km).toBeGreaterThan(80)
    const transport = 2 * Math.max(800, Math.round(km) * 12)
    expect(match?.transport).toBe(transport.toFixed(2))
    // (16,000 − 9,000) × 3 months − freight
    expect(match?.saving).toBe((7000 * 3 - transport).toFixed(2))
  })

  test('a machine that fits two lines is answered once, for the days of the first', async () => {
    const machine = await offer()
    const second = { planStart: '2027-04-01', planEnd: '2027-05-01' }
    const items = [world.demandItem(), world.demandItem(second)]
    const asked = items.map(({ categoryId, planStart, planEnd }) => ({ categoryId, planStart, planEnd }))
    const { data } = await cast.project.call(contract.matchInternal, {
      body: { deptId: depts.projectDept, cityId: 510_100, items: asked },
    })
    expect(data.map((match) => [match.lineNo, match.machine.id])).toEqual([[1, machine]])
    const published = await publish({ items, internalAnswers: [{ machineId: machine, take: true }] })
    expect(published.code).toBe(200)
    const transfers = await db.selectFrom('internalTransfer').where('demandId', '=', published.data.id).select('period').execute()
    expect(transfers.map(({ period }) => period)).toEqual([`[${asked[0]?.planStart},${asked[0]?.planEnd})`])
  })

  test('of many machines that fit, the nearest are named, whoever was offered first', async () => {
    for (let n = 1; n <= 10; n++) await offer({ name: `远处 856H 装载机 ${n}` })
    const near = await offer({ name: '近处 856H 装载机', cityId: 510_100 })
    const item = { categoryId: 106, mainRule: 'ge', mainValue: 5, planStart: '2026-12-13', planEnd: '2027-03-13' }
    const { data } = await cast.project.call(contract.matchInternal, {
      body: { deptId: depts.projectDept, cityId: 510_100, items: [item] },
    })
    expect([data.length, data[0]?.machine.id, data[0]?.distanceKm]).toEqual([10, near, 0])
  })

  test('a request and its withdrawal reach those who may give the machine away, the answer reaches the project that asked', async () => {
    const { givenPerson } = world
    const clerk = await givenPerson({ userType: '2', deptId: depts.otherDept, companyId: cast.lessee.companyId }, 'otherclerk')
    const above = await givenPerson({ userType: '2', deptId: depts.unit, companyId: cast.lessee.companyId }, 'unitclerk')
    const gone = await givenPerson({ userType: '2', deptId: depts.root, companyId: cast.lessee.companyId }, 'rootclerk')
    await db.updateTable('account').set({ status: '1' }).where('id', '=', gone.id).execute()
    const told = async (id: number) => {
      const messages = await db
        .selectFrom('message')
        .where('bizType', '=', 'transfer')
        .where('bizId', '=', String(id))
        .orderBy('accountId')
        .select(['accountId', 'kind'])
        .execute()
      await db.deleteFrom('message').execute()
      return messages.map(({ accountId, kind }) => [accountId, kind])
    }
    const machineId = await offer()
    const ask = async (who = cast.project, from = '2026-12-20', to = '2027-01-20') => {
      const body = { machineId, deptId: depts.projectDept, from, to }
      return (await who.call(contract.askTransfer, { body })).data.id
    }
    const first = await ask()
    const givers = (kind: string) => [cast.lessee.id, clerk.id].map((id) => [id, kind])
    expect(await told(first)).toEqual(givers('transferAsked'))
    await cast.project.call(contract.withdrawTransfer, { params: { id: first } })
    expect(await told(first)).toEqual(givers('transferMoved'))
    const second = await ask()
    await told(second)
    expect((await clerk.call(contract.agreeTransfer, { params: { id: second }, body: {} })).code).toBe(200)
    expect(await told(second)).toEqual([[cast.project.id, 'transferMoved']])
    // So does it reach whoever asked in the name of the project from above.
    const third = await ask(above, '2027-02-01', '2027-02-20')
    await told(third)
    expect((await clerk.call(contract.refuseTransfer, { params: { id: third }, body: { reason: '正在大修' } })).code).toBe(200)
    expect(await told(third)).toEqual([cast.project.id, above.id].map((id) => [id, 'transferMoved']))
  })

  test('a machine called by its brand and model has an English name in the lists and in the message of a request', async () => {
    const machineId = await offer({ name: '柳工 856H 装载机', brand: '柳工', model: '856H' })
    const body = { machineId, deptId: depts.projectDept, from: '2026-12-20', to: '2027-01-20' }
    expect((await cast.project.call(contract.askTransfer, { body })).code).toBe(200)
    const [machine] = (await cast.project.call(contract.listInternal, { query: {} })).data.rows
    expect(machine).toMatchObject({ name: '柳工 856H 装载机', brandEn: 'LiuGong', categoryNameEn: 'Wheel loader' })
    const [transfer] = (await cast.project.call(contract.listTransfers, { query: {} })).data.rows
    expect(transfer).toMatchObject({ machineName: '柳工 856H 装载机', machineNameEn: 'LiuGong 856H Wheel loader' })
    const [message] = (await world.caller(cast.lessee.token, 'en-US')(listOwnMessages, {})).data.rows
    expect([message?.title, message?.content]).toEqual([
      'Transfer requested: LiuGong 856H Wheel loader',
      expect.stringContaining('requests the transfer of LiuGong 856H Wheel loader.'),
    ])
  })

  test('a department requests fifty machines a day, those of its demands and those that it withdraws included, and another one its own', async () => {
    const [machineId, second] = [await offer(), await offer()]
    const ask = (who: Person, deptId: number) =>
      who.call(contract.askTransfer, { body: { machineId, deptId, from: '2026-12-20', to: '2027-01-20' } })
    const publishWith = (...taken: number[]) =>
      publish({ internalAnswers: [machineId, second].map((id) => ({ machineId: id, take: taken.includes(id), reason: '改为外租' })) })
    const limit = (n: number) => zhCn.refusal.transfer_limit.replace('{n}', String(n))
    for (let n = 1; n < transfersADay; n++) {
      const { code, data } = await ask(cast.project, depts.projectDept)
      expect(code).toBe(200)
      if (n > 3) await cast.project.call(contract.withdrawTransfer, { params: { id: data.id } })
    }
    expect(await publishWith(machineId, second)).toMatchObject({ code: 429, msg: limit(1) })
    const { id } = (await publishWith(second)).data
    expect((await cast.project.call(cancelDemand, { params: { id }, body: { reason: '计划调整' } })).code).toBe(200)
    const { msg } = await publishWith(second)
    expect([msg, (await ask(cast.project, depts.projectDept)).msg]).toEqual([limit(0), limit(0)])
    expect((await publishWith()).code).toBe(200)
    expect((await ask(cast.lessee, depts.unit)).code).toBe(200)
    clock.set(new Date(monday.getTime() + dayMs))
    expect((await ask(cast.project, depts.projectDept)).code).toBe(200)
  })

  test('a machine that was asked for is not asked for again when a demand that was sent back is submitted anew', async () => {
    const approves = (approvesDemands: boolean) => db.updateTable('dept').set({ approvesDemands }).where('id', '=', depts.root).execute()
    await approves(true)
    const machine = await offer()
    const internalAnswers = [{ machineId: machine, take: true }]
    const { id } = (await publish({ internalAnswers })).data
    const asked = () => db.selectFrom('internalTransfer').where('demandId', '=', id).orderBy('id').select('status').execute()
    expect((await sendBack(id)).code).toBe(200)
    expect((await publish({ internalAnswers, draftId: id })).data.id).toBe(id)
    expect(await asked()).toEqual([{ status: '0' }])
    // For other days it is asked for anew, and what it does not ask for any more is withdrawn.
    expect((await sendBack(id)).code).toBe(200)
    const items = [world.demandItem({ planStart: '2026-12-15' })]
    await publish({ internalAnswers, items, draftId: id })
    expect(await asked()).toEqual([{ status: '4' }, { status: '0' }])
    expect((await sendBack(id)).code).toBe(200)
    await publish({ internalAnswers: [{ machineId: machine, reason: '改为外租' }], items, draftId: id })
    expect(await asked()).toEqual([{ status: '4' }, { status: '4' }])
    expect((await sendBack(id)).code).toBe(200)
    await db.deleteFrom('internalTransfer').execute()
    await publish({ internalAnswers, draftId: id })
    // After a refusal it may be asked for again.
    await db.updateTable('internalTransfer').set({ status: '3' }).where('demandId', '=', id).execute()
    expect((await sendBack(id)).code).toBe(200)
    await publish({ internalAnswers, draftId: id })
    expect(await asked()).toEqual([{ status: '3' }, { status: '0' }])
    // A demand that is cancelled asks for nothing.
    expect((await cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })).code).toBe(200)
    expect(await asked()).toEqual([{ status: '3' }, { status: '4' }])
    await approves(false)
  })

  test('a demand that was sent back may be dropped: its request is withdrawn, it is no task any more, and nobody outside reads it', async () => {
    const approves = (approvesDemands: boolean) => db.updateTable('dept').set({ approvesDemands }).where('id', '=', depts.root).execute()
    await approves(true)
    const internalAnswers = [{ machineId: await offer(), take: true }]
    const { id } = (await publish({ internalAnswers })).data
    expect((await sendBack(id)).code).toBe(200)
    await approves(false)
    const waiting = async () => (await cast.project.call(listOwnDemands, { query: { todo: 'rejected' } })).data.rows.map((row) => row.id)
    expect(await waiting()).toContain(id)
    const drop = () => cast.project.call(cancelDemand, { params: { id }, body: { reason: '自有设备够用' } })
    expect([(await drop()).code, (await drop()).code]).toEqual([200, 409])
    expect(await waiting()).not.toContain(id)
    const [transfer] = await db.selectFrom('internalTransfer').where('demandId', '=', id).select('status').execute()
    expect(transfer?.status).toBe('4')
    expect((await cast.visitor.call(getPublicDemand, { params: { id } })).code).toBe(404)
    expect((await publish({ draftId: id, internalAnswers })).code).toBe(409)
  })

  test('a request stays while its machine is offered to nobody else, until it is declined, its line goes or another project publishes', async () => {
    const approves = (approvesDemands: boolean) => db.updateTable('dept').set({ approvesDemands }).where('id', '=', depts.root).execute()
    await approves(true)
    const requests = () => db.selectFrom('internalTransfer').orderBy('id').select(['status', 'toDeptId']).execute()
    const given = async () => {
      await db.deleteFrom('internalTransfer').execute()
      const machineId = await offer()
      const { id } = (await publish({ internalAnswers: [{ machineId, take: true }] })).data
      const again = async (changes: object, who = cast.project) => {
        expect((await sendBack(id)).code).toBe(200)
        expect((await who.call(publishDemand, { body: world.demandBody({ draftId: id, ...changes }) })).code).toBe(200)
        return (await requests()).map(({ status }) => status)
      }
      return { machineId, again }
    }
    const takenOff = async () => {
      const one = await given()
      expect((await cast.lessee.call(contract.removeInternal, { params: { id: one.machineId } })).code).toBe(200)
      return one
    }
    const { machineId, again } = await takenOff()
    expect(await again({ internalAnswers: [{ machineId, take: true }] })).toEqual(['0'])
    // The form of what was sent back again has no question about a machine that it is not offered.
    expect(await again({})).toEqual(['0'])
    expect(await again({ internalAnswers: [{ machineId, reason: '改为外租' }] })).toEqual(['4'])
    const other = await takenOff()
    const items = [world.demandItem({ planStart: '2026-12-15' })]
    expect(await other.again({ items, internalAnswers: [{ machineId: other.machineId, take: true }] })).toEqual(['4'])
    const moved = await given()
    const answers = { internalAnswers: [{ machineId: moved.machineId, take: true }] }
    expect(await moved.again({ deptId: depts.otherDept, ...answers }, cast.lessee)).toEqual(['4', '0'])
    expect((await requests()).map(({ toDeptId }) => toDeptId)).toEqual([depts.projectDept, depts.otherDept])
    await approves(false)
  })

  test.each([
    ['cancelled by its owner', () => cast.project, cancelDemand],
    ['taken down by the platform', () => cast.operator, takeDemandDown],
  ] as const)('a demand that is %s asks for no machine any more, whichever department asked with it', async (_, who, end) => {
    const machineId = await offer()
    const { id } = (await publish({ internalAnswers: [{ machineId, take: true }] })).data
    // A demand that an earlier version let move to another project left its request behind.
    await db.updateTable('internalTransfer').set({ toDeptId: depts.unit }).where('demandId', '=', id).execute()
    expect((await who().call(end, { params: { id }, body: { reason: '方案调整' } })).code).toBe(200)
    const left = db.selectFrom('internalTransfer').where('demandId', '=', id).select(['id', 'status'])
    const transfer = await left.executeTakeFirstOrThrow()
    expect(transfer.status).toBe('4')
    const told = db.selectFrom('message').where('bizType', '=', 'transfer').where('bizId', '=', String(transfer.id))
    expect(await told.select(['accountId', 'kind']).execute()).toContainEqual({ accountId: cast.lessee.id, kind: 'transferMoved' })
  })

  test.each([
    ['agreed to', '1'],
    ['refused', '3'],
  ] as const)('a request that is %s while its demand is cancelled stays as it was answered', async (_, status) => {
    const machineId = await offer()
    const { id } = (await publish({ internalAnswers: [{ machineId, take: true }] })).data
    const { cancelling } = await inTransaction(db, async (tx) => {
      await tx.updateTable('internalTransfer').set({ status }).where('demandId', '=', id).execute()
      const waits = cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })
      await expect.poll(() => waitingForLocks(db)).toBe(1)
      return { cancelling: waits }
    })
    expect((await cancelling).code).toBe(200)
    expect(await db.selectFrom('internalTransfer').where('demandId', '=', id).select('status').execute()).toEqual([{ status }])
  })

  test('taken at publishing: a transfer that the giver agrees to and the taker receives; it is taken for nobody else then', async () => {
    const machine = await offer()
    const { data } = await publish({ internalAnswers: [{ machineId: machine, take: true }] })
    const transfers = async (who: typeof cast.project) => (await who.call(contract.listTransfers, { query: {} })).data.rows
    const [asked] = await transfers(cast.project)
    expect(asked).toMatchObject({
      status: '0',
      demandId: data.id,
      fromDeptName: '南湖安置房',
      toDeptName: '渝昌高铁5标',
      may: { agree: false, withdraw: true },
    })
    const params = { id: asked?.id ?? 0 }
    const ask = (days = { from: '2026-12-20', to: '2027-01-20' }) =>
      cast.project.call(contract.askTransfer, { body: { machineId: machine, deptId: depts.projectDept, ...days } })
    // Before the machine is given away, some of its days are asked for once more.
    const second = await ask()
    expect(second.code).toBe(200)
    expect(await transfers(cast.stranger)).toEqual([])
    expect((await cast.project.call(contract.receiveTransfer, { params })).code).toBe(409)
    const agree = { params, body: { transportBy: 'to', transport: 3000 } }
    const both = await Promise.all([1, 2].map(() => cast.lessee.call(contract.agreeTransfer, agree)))
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect((await cast.project.call(contract.receiveTransfer, { params })).code).toBe(200)
    expect((await transfers(cast.lessee)).find(({ id }) => id === params.id)).toMatchObject({ status: '2', transport: '3000.00' })
    // No longer idle for that time, so it is not asked about again, nor asked for, except for other days.
    expect((await publish()).code).toBe(200)
    expect(refusedFields((await ask()).data)).toEqual(['to'])
    expect((await ask({ from: '2027-08-01', to: '2027-09-01' })).code).toBe(200)
    const other = { id: second.data.id }
    expect((await cast.lessee.call(contract.agreeTransfer, { params: other, body: {} })).msg).toBe('所选设备在该时段已被占用')
    expect((await cast.lessee.call(contract.refuseTransfer, { params: other, body: { reason: '已调往他处' } })).code).toBe(200)
  })

  test('a machine is asked for within its group and its days, and given away by its unit alone', async () => {
    const machineId = await offer({ freeTo: '2027-01-20' })
    const body = { machineId, deptId: depts.projectDept, from: '2026-12-20', to: '2027-01-20' }
    const foreign = await cast.strangerAdmin.call(contract.askTransfer, { body: { ...body, deptId: depts.strangerDept } })
    expect(foreign.code).toBe(404)
    for (const days of [{ from: '2026-11-22' }, { to: '2027-01-21' }])
      expect(refusedFields((await cast.project.call(contract.askTransfer, { body: { ...body, ...days } })).data)).toEqual(['to'])
    const { id } = (await cast.project.call(contract.askTransfer, { body })).data
    const params = { id }
    const people = { userType: '2', deptId: depts.unit, companyId: cast.lessee.companyId } as const
    const taker = await world.givenPerson(people, 'takerofunit')
    expect((await taker.call(contract.agreeTransfer, { params, body: {} })).code).toBe(403)
    expect((await cast.otherProject.call(contract.withdrawTransfer, { params })).code).toBe(403)
    expect((await cast.strangerAdmin.call(contract.agreeTransfer, { params, body: {} })).code).toBe(404)
    expect((await db.selectFrom('internalTransfer').where('id', '=', id).select('status').executeTakeFirst())?.status).toBe('0')
  })

  test('a machine whose idle days are over is asked for no more and listed for its own unit alone', async () => {
    const machineId = await offer({ freeTo: '2026-11-25' })
    const body = { machineId, deptId: depts.projectDept, from: '2026-11-23', to: '2026-11-25' }
    const ask = () => cast.project.call(contract.askTransfer, { body })
    const listed = async (query: Record<string, unknown> = {}) =>
      (await cast.lessee.call(contract.listInternal, { query })).data.rows.map(({ id }) => id)
    clock.set(new Date(monday.getTime() + dayMs))
    expect([(await ask()).code, await listed()]).toEqual([200, [machineId]])
    clock.set(new Date(monday.getTime() + 2 * dayMs))
    expect(refusedFields((await ask()).data)).toEqual(['to'])
    expect([await listed(), await listed({ mine: '1' })]).toEqual([[], [machineId]])
  })

  test('an offer is changed by its unit only, once of two editors, and taken off', async () => {
    const id = await offer()
    const body = { ...idle(), id, version: 1 }
    expect((await cast.strangerAdmin.call(contract.saveInternal, { body: { ...body, deptId: depts.strangerDept } })).code).toBe(404)
    const both = await Promise.all(
      ['甲改', '乙改'].map((name) => cast.lessee.call(contract.saveInternal, { body: { ...body, name: `${name}装载机` } })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect((await cast.project.call(contract.listInternal, { query: {} })).data.rows.map((row) => [row.id, row.mine])).toEqual([
      [id, false],
    ])
    expect((await cast.lessee.call(contract.removeInternal, { params: { id } })).code).toBe(200)
    expect((await cast.project.call(contract.listInternal, { query: {} })).data.total).toBe(0)
    expect(refusedFields((await cast.lessee.call(contract.saveInternal, { body: idle({ freeTo: '2026-01-01' }) })).data)).toEqual([
      'freeTo',
    ])
    expect(refusedFields((await cast.lessee.call(contract.saveInternal, { body: idle({ deptId: depts.strangerDept }) })).data)).toEqual([
      'deptId',
    ])
  })

  test('every move leads to a known state and none leaves an end', () => {
    for (const { from, to } of Object.values(transferMoves)) {
      expect(transferStatuses).toContain(to)
      expect(from.every((status) => ['0', '1'].includes(status))).toBe(true)
    }
  })
})
