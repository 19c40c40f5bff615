import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { dayOf } from '#shared/calendar.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContractChain, getContractText } from '#shared/contract/contract.ts'
import { listAddableMachines } from '#shared/contract/direct.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { brokenLink } from '#shared/opening/chain.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, nameThem } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { applyDueAccounts } from './account.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenContract, signCode, pass } = contractSteps(world)
const { read, propose, confirm, bookingsOf } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('an amendment', () => {
  test('extends the hire with its bookings, raises the sum and makes a version; the chain holds it', async () => {
    const { id } = await givenContract()
    const before = await read(id)
    const [line] = before.lines
    const { data, code } = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] })
    expect(code).toBe(200)
    const second = await propose(cast.lessor, id, { kind: 'price', lines: [{ lineId: line?.id, value: '1' }] })
    expect(second.msg).toBe('已有一份补充协议待处理，请先办结')
    const waiting = await read(id)
    expect([waiting.openChange, waiting.may.includes('change')]).toMatchObject([
      { id: data.id, changeCode: expect.stringMatching(/^BC/), kind: 'extend', side: 'lessee', isSent: true, hindrances: [] },
      false,
    ])
    expect((await confirm(cast.project, data.id)).code).toBe(403)
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect((await confirm(cast.lessor, data.id)).code).toBe(409)
    const after = await read(id)
    expect([after.openChange, after.may.includes('change')]).toEqual([null, true])
    expect([after.planEnd, after.revision, after.lines[0]?.planEnd]).toEqual(['2027-04-13', 2, '2027-04-13'])
    expect(Number(after.amount)).toBeGreaterThan(Number(before.amount))
    expect(await bookingsOf(line?.id ?? 0)).toEqual([{ period: '[2026-12-13,2027-04-13)' }])
    const versions = await db.selectFrom('contractVersion').where('contractId', '=', id).orderBy('revision').selectAll().execute()
    expect(versions.map(({ revision, fromDay }) => [revision, fromDay])).toEqual([
      [1, '2026-11-27'],
      [2, '2026-12-10'],
    ])
    expect(sha256(versions[1]?.text ?? '')).toBe(after.textHash)
    const list = await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })
    expect(list.data).toMatchObject([
      {
        kind: 'extend',
        status: '2',
        lines: [{ before: '2027-03-13', after: '2027-04-13' }],
        amountBefore: before.amount,
        amountAfter: after.amount,
      },
    ])
    const { data: chain } = await cast.project.call(getContractChain, { params: { id } })
    expect(await brokenLink(chain.links, sha256)).toBeNull()
    expect(chain.links.slice(-3).map(({ move }) => move)).toEqual(['change', 'changeConfirm', 'version'])
  })

  test('of price, tax, clauses and positions changes what it says and nothing else', async () => {
    const { id } = await givenContract({ alone: true })
    const { lines, clauses } = await read(id)
    const [first, second] = lines
    const agree = async (terms: object) => {
      const { data, msg } = await propose(cast.project, id, terms)
      expect([(await confirm(cast.lessor, data?.id)).code, msg]).toEqual([200, expect.any(String)])
      return read(id)
    }
    expect(
      (await agree({ kind: 'price', lines: [{ lineId: first?.id, value: '18000' }] })).lines.map(({ unitPrice }) => unitPrice),
    ).toEqual(['18000.00', second?.unitPrice])
    expect((await agree({ kind: 'tax', lines: [{ lineId: first?.id, value: 6 }] })).lines[0]).toMatchObject({
      taxRate: 6,
      unitPrice: '17504.59',
    })
    expect((await agree({ kind: 'clause', clauses: { ...clauses, noticeDays: 9 } })).clauses.noticeDays).toBe(9)
    const fewer = await agree({ kind: 'quantity', lineIds: [second?.id] })
    expect(fewer.lines.map(({ status }) => status)).toEqual(['0', '3'])
    expect(await bookingsOf(second?.id ?? 0)).toEqual([])
    expect(fewer.lines.map(({ amount }) => amount)).toEqual([fewer.amount, '0.00'])
    const { data: written } = await cast.project.call(getContractText, { params: { id } })
    expect(written.text.match(/已按补充协议取消/g)).toHaveLength(1)
    const shorter = await agree({ kind: 'shorten', lines: [{ lineId: first?.id, value: '2027-01-13' }] })
    const { data: shown } = await cast.project.call(changeCalls.listContractChanges, { params: { id } })
    expect(
      shown
        .slice(1, 3)
        .map(({ lines: changed, clauses: next, clausesBefore }) => [changed.length, next?.noticeDays, clausesBefore?.noticeDays]),
    ).toEqual([
      [1, undefined, undefined],
      [0, 9, clauses.noticeDays],
    ])
    expect(shown[1]?.lines).toEqual([{ lineNo: 2, name: second?.name, before: '0', after: '3', quantity: null, price: null }])
    expect([shorter.revision, await bookingsOf(first?.id ?? 0)]).toEqual([6, [{ period: '[2026-12-13,2027-01-13)' }]])
  })

  test('is refused beside its field where it is about the past, another contract or an impossible day', async () => {
    const { id } = await givenContract()
    const other = await givenContract()
    const [line] = (await read(id)).lines
    const [strange] = (await read(other.id)).lines
    const fieldsOf = async (terms: object, more: object = {}) => {
      const { code, raw } = await propose(cast.project, id, terms, more)
      return [code, ((raw.data as { errors?: { field: string }[] } | null)?.errors ?? []).map(({ field }) => field)]
    }
    const lines = (value: string, lineId = line?.id) => [{ lineId, value }]
    expect(await fieldsOf({ kind: 'extend', lines: lines('2027-03-13') })).toEqual([422, ['terms.lines.0.value']])
    expect(await fieldsOf({ kind: 'extend', lines: lines('2027-04-13', strange?.id) })).toEqual([422, ['terms.lines.0']])
    expect(await fieldsOf({ kind: 'shorten', lines: lines('2026-12-13') })).toEqual([422, ['terms.lines.0.value']])
    expect(await fieldsOf({ kind: 'price', lines: lines(line?.unitPrice ?? '') })).toEqual([422, ['terms.lines.0.value']])
    const { clauses } = await read(id)
    expect(await fieldsOf({ kind: 'clause', clauses })).toEqual([422, ['terms.clauses']])
    expect(await fieldsOf({ kind: 'extend', lines: lines('2027-04-13') }, { fromDay: '2026-11-20' })).toEqual([422, ['fromDay']])
    expect(
      (await propose(cast.project, id, { kind: 'account', bankName: '甲银行', bankAccount: '12345678' }, { smsCode: '000000' })).code,
    ).toBe(500)
    expect(await db.selectFrom('contractChange').where('contractId', '=', id).select('id').execute()).toEqual([])
  })

  test('may be refused with a reason or withdrawn, and then another one written', async () => {
    const { id } = await givenContract()
    const terms = { kind: 'terminate', lastDay: '2026-12-20' }
    const { data: first } = await propose(cast.lessor, id, terms)
    expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: first.id }, body: {} })).code).toBe(403)
    expect(
      (await cast.project.call(changeCalls.refuseContractChange, { params: { id: first.id }, body: { answer: '工程未完' } })).code,
    ).toBe(200)
    const { data: second } = await propose(cast.lessor, id, terms)
    expect((await cast.lessor.call(changeCalls.recallContractChange, { params: { id: second.id }, body: {} })).code).toBe(200)
    const { data } = await cast.project.call(changeCalls.listContractChanges, { params: { id } })
    expect(data.map(({ status, answer }) => [status, answer])).toEqual([
      ['4', ''],
      ['3', '工程未完'],
    ])
  })
})

describe('where a side has named who signs', () => {
  test('only they propose and confirm an amendment, and the page offers it to nobody else; anybody of the side refuses or withdraws', async () => {
    const { id } = await givenContract()
    const { lines } = await read(id)
    const terms = { kind: 'extend', lines: [{ lineId: lines[0]?.id, value: '2027-04-13' }] }
    expect((await nameThem(cast.lessee, id, [{ task: 'signer', accountId: cast.lessee.id }])).code).toBe(200)
    const asProject = await read(id)
    expect([asProject.may.includes('change'), asProject.signs]).toEqual([false, false])
    const refused = await propose(cast.project, id, terms)
    expect([refused.code, refused.msg]).toEqual([403, zhCn.refusal.contract_not_signer])
    const { data: own } = await propose(cast.lessee, id, terms)
    expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: own.id }, body: {} })).code).toBe(200)
    const { data } = await propose(cast.lessor, id, terms)
    const mayOf = async (who: Person) => (await who.call(changeCalls.listContractChanges, { params: { id } })).data[0]?.may
    expect([await mayOf(cast.project), await mayOf(cast.lessee)]).toEqual([['refuse'], ['confirm', 'refuse']])
    const before = (await read(id)).revision
    expect((await confirm(cast.project, data.id)).msg).toBe(zhCn.refusal.contract_not_signer)
    expect((await read(id)).revision).toBe(before)
    expect((await confirm(cast.lessee, data.id)).code).toBe(200)
    expect((await read(id)).revision).toBe(before + 1)
  })
})

describe('a further position', () => {
  const further = (equipmentId: number, more: object = {}) => ({
    equipmentId,
    planStart: '2026-12-20',
    planEnd: '2027-03-20',
    rentUnit: 'M',
    unitPrice: '21000',
    entryFee: '800',
    ...more,
  })
  const adding = (...added: object[]) => ({ kind: 'quantity', lineIds: [], added })

  test('is agreed with its price and unit, raises the sum, is booked and stands in the text, the version and the chain', async () => {
    const { id } = await givenContract()
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { equipmentCode } = await db.selectFrom('equipment').where('id', '=', machine).select('equipmentCode').executeTakeFirstOrThrow()
    const before = await read(id)
    const choices = await Promise.all(
      [cast.project, cast.lessor].map(async (who) => (await who.call(listAddableMachines, { params: { id } })).data),
    )
    expect(choices.map((machines) => machines.find((one) => one.id === machine)?.bar)).toEqual([null, null])
    const { data, code } = await propose(
      cast.lessor,
      id,
      adding(further(machine, { invoiceKind: 'plain', minRentDays: 60, exitFee: '300' })),
    )
    expect(code).toBe(200)
    const bookedFor = () =>
      db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select(['period', 'contractLineId']).execute()
    expect([await bookedFor(), (await read(id)).amount]).toEqual([[], before.amount])
    const [shown] = (await cast.project.call(changeCalls.listContractChanges, { params: { id } })).data
    expect([shown?.lines, shown?.amountBefore, shown?.added[0]?.nameEn]).toEqual([[], before.amount, 'LiuGong 856H Wheel loader'])
    expect(shown).toMatchObject({
      added: [{ lineNo: 2, equipmentCode, qty: 1, rentUnit: 'M', unitPrice: '21000.00', planStart: '2026-12-20', planEnd: '2027-03-20' }],
    })
    // Whoever confirms it sees all that it binds to.
    expect(shown?.added[0]).toMatchObject({
      invoiceKind: 'plain',
      minRentDays: 60,
      entryFee: '800.00',
      exitFee: '300.00',
      otherFee: '0.00',
    })
    expect(Number(shown?.amountAfter)).toBeCloseTo(Number(before.amount) + Number(shown?.added[0]?.amount), 2)
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    const after = await read(id)
    expect(
      after.lines.map(({ lineNo, equipmentId, unitPrice, entryFee, status }) => [lineNo, equipmentId, unitPrice, entryFee, status]),
    ).toEqual([
      [1, before.lines[0]?.equipmentId, before.lines[0]?.unitPrice, before.lines[0]?.entryFee, '0'],
      [2, machine, '21000.00', '800.00', '0'],
    ])
    expect([after.amount, after.planStart, after.planEnd, after.revision]).toEqual([shown?.amountAfter, before.planStart, '2027-03-20', 2])
    expect(await bookedFor()).toEqual([{ period: '[2026-12-20,2027-03-20)', contractLineId: after.lines[1]?.id }])
    const { data: written } = await cast.project.call(getContractText, { params: { id } })
    expect(written.text).toContain(equipmentCode)
    const version = await db
      .selectFrom('contractVersion')
      .where('contractId', '=', id)
      .where('revision', '=', 2)
      .select(['textHash', 'lines'])
      .executeTakeFirstOrThrow()
    expect([version.textHash, (version.lines as object[]).length]).toEqual([after.textHash, 2])
    const { data: chain } = await cast.project.call(getContractChain, { params: { id } })
    expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
    // It is cancelled like any other before its machine enters.
    const { data: fewer } = await propose(cast.project, id, { kind: 'quantity', lineIds: [after.lines[1]?.id] })
    expect((await confirm(cast.lessor, fewer.id)).code).toBe(200)
    expect([await bookedFor(), (await read(id)).amount]).toEqual([[], before.amount])
  })

  test('that begins later holds from the day on which it is agreed: what holds from an earlier day than its hire is agreed afterwards', async () => {
    const { id } = await givenContract()
    const before = await read(id)
    const today = { fromDay: dayOf(clock.now()) }
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { data } = await propose(cast.lessor, id, adding(further(machine)), today)
    const [shown] = (await cast.project.call(changeCalls.listContractChanges, { params: { id } })).data
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    const after = await read(id)
    expect([after.since, after.lines[1]?.planStart, after.planStart]).toEqual([today.fromDay, '2026-12-20', before.planStart])
    // Three months of rent and the way in: the days before the hire count for nothing.
    expect(shown?.amountAfter).toBe(after.amount)
    expect(Number(after.amount)).toBeCloseTo(Number(before.amount) + 3 * 21_000 + 800, 2)
    const { data: written } = await cast.project.call(getContractText, { params: { id } })
    expect(written.text).toContain(`第 2 版自 ${today.fromDay} 起适用`)
    expect(written.text).not.toContain(`自 ${today.fromDay} 起：`)
    const lineId = after.lines[1]?.id
    const price = await propose(cast.lessor, id, { kind: 'price', lines: [{ lineId, value: '42000' }] }, { fromDay: '2026-12-12' })
    expect((await confirm(cast.project, price.data.id)).code).toBe(200)
    expect(Number((await read(id)).amount)).toBeCloseTo(Number(before.amount) + 6 * 21_000 + 800, 2)
    const other = await world.givenMachine(cast.lessor.companyId)
    const added = adding(further(other, { planStart: '2026-12-15' }))
    expect((await propose(cast.project, id, added, { fromDay: '2026-12-12' })).code).toBe(200)
  })

  test('is refused with the first free day where another hire has the machine, also when it is confirmed', async () => {
    const { id } = await givenContract()
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { data } = await propose(cast.project, id, adding(further(machine)))
    await db
      .insertInto('equipmentBooking')
      .values({ equipmentId: machine, slot: 1, period: '[2026-12-01,2027-01-10)', reason: 'own' })
      .execute()
    const before = await read(id)
    const late = await confirm(cast.lessor, data.id)
    expect([late.code, late.data]).toEqual([409, { index: 0, lineNo: 2, freeFrom: '2027-01-10' }])
    expect((await read(id)).lines).toEqual(before.lines)
    expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: data.id }, body: {} })).code).toBe(200)
    const again = await propose(cast.project, id, adding(further(machine)))
    expect([again.code, again.data]).toEqual([409, { index: 0, lineNo: 2, freeFrom: '2027-01-10' }])
    expect((await propose(cast.project, id, adding(further(machine, { planStart: '2027-01-10' })))).code).toBe(200)
  })

  test('of two contracts that want the same machine at the same moment, one gets it', async () => {
    const [first, second] = [await givenContract(), await givenContract()]
    const machine = await world.givenMachine(cast.lessor.companyId)
    const changes: number[] = []
    for (const { id } of [first, second]) changes.push((await propose(cast.project, id, adding(further(machine)))).data.id)
    const outcomes = await Promise.all(changes.map((change) => confirm(cast.lessor, change)))
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect(await db.selectFrom('equipmentBooking').where('equipmentId', '=', machine).select('id').execute()).toHaveLength(1)
  })

  test('is refused beside its field where the machine is another lessor’s, named twice, without papers or wanted before the amendment', async () => {
    const { id } = await givenContract()
    const machine = await world.givenMachine(cast.lessor.companyId)
    const foreign = await world.givenMachine(cast.lessor2.companyId)
    const expired = await world.givenMachine(cast.lessor.companyId, { paperTo: '2026-11-01' })
    const fieldsOf = async (terms: object) => {
      const { code, raw } = await propose(cast.project, id, terms)
      return [
        code,
        ((raw.data as { errors?: { field: string; message: string }[] } | null)?.errors ?? []).map((one) => [one.field, one.message]),
      ]
    }
    const { codes } = zhCn.rule
    expect(await fieldsOf(adding(further(foreign), further(expired)))).toEqual([
      422,
      [
        ['terms.added.0.equipmentId', codes.machine_gone],
        ['terms.added.1.equipmentId', codes.machine_papers],
      ],
    ])
    expect(await fieldsOf(adding(further(machine), further(machine)))).toEqual([422, [['terms.added.1.equipmentId', codes.machine_twice]]])
    expect(await fieldsOf(adding(further(machine, { planStart: '2026-12-09' })))).toEqual([
      422,
      [['terms.added.0.planStart', codes.starts_before_change]],
    ])
    expect(await fieldsOf(adding(further(machine, { rentUnit: 'S' })))).toEqual([
      422,
      [['terms.added.0.estQuantity', codes.quantity_needed]],
    ])
    expect((await fieldsOf({ kind: 'quantity', lineIds: [] }))[0]).toBe(422)
    const { code } = await cast.otherProject.call(listAddableMachines, { params: { id } })
    expect(code).toBe(404)
    expect(await db.selectFrom('contractChange').where('contractId', '=', id).select('id').execute()).toEqual([])
  })
})

describe('the end and the account', () => {
  test('a contract that both terminate ends its bookings with the last day, and its demand is completed', async () => {
    const { id, demand } = await givenContract({ alone: true })
    const { lines } = await read(id)
    const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    const ended = await read(id)
    expect([ended.status, ended.lines.map(({ status }) => status)]).toEqual(['6', ['3', '3']])
    expect(await bookingsOf(lines[0]?.id ?? 0)).toEqual([{ period: '[2026-12-13,2026-12-21)' }])
    expect((await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data.status).toBe('9')
    expect((await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })).code).toBe(409)
  })

  test('another account is the lessor’s to name, needs a code, and holds a day after the lessee was told', async () => {
    const { id } = await givenContract()
    const terms = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    expect((await propose(cast.project, id, terms, { smsCode: await signCode(cast.project, id, terms) })).code).toBe(409)
    const { data } = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
    const readers = ['project', 'auditor'] as const
    const shown = readers.map(
      async (who) => (await cast[who].call(changeCalls.listContractChanges, { params: { id } })).data[0]?.bankAccount,
    )
    expect(await Promise.all(shown)).toEqual([terms.bankAccount, '***************0001'])
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    await applyDueAccounts(services)
    expect((await read(id)).bankName).toBe('中国工商银行成都分行')
    // Nobody is told that it is in force a day before it is.
    const told = db.selectFrom('message').where('bizType', '=', 'contract').where('bizId', '=', String(id))
    const kinds = (await told.select('kind').distinct().execute()).map(({ kind }) => kind)
    expect([kinds.includes('contractAccountChanged'), kinds.includes('contractChangeDone')]).toEqual([true, false])
    pass(24 * 3600 + 1)
    await applyDueAccounts(services)
    await applyDueAccounts(services)
    const after = await read(id)
    expect([after.bankName, after.bankAccount]).toEqual([terms.bankName, terms.bankAccount])
  })

  test('each step of another account reaches the lessee by SMS at once, whatever they have chosen, and a signer of the unit above', async () => {
    const { id } = await givenContract()
    const persons = [cast.project, cast.lessee].map((who) => ({ task: 'signer' as const, accountId: who.id }))
    expect((await nameThem(cast.lessee, id, persons)).code).toBe(200)
    const systemSubject = '账号安全通知'
    const choice = { systemSubject, inApp: '0', push: '0', sms: '0', quietFrom: '00:00', quietTo: '23:59' } as const
    expect((await cast.project.call(saveMessageConfig, { body: [choice] })).code).toBe(200)
    await db.deleteFrom('outbox').execute()
    const sent = async () =>
      (
        await db
          .selectFrom('outbox')
          .where('template', '=', 'notice')
          .orderBy('id')
          .select(['accountId', 'content', 'notBefore', 'createTime'])
          .execute()
      ).filter(({ accountId, content }) => accountId !== cast.lessor.id && content.includes('收款账户'))
    const terms = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const { data } = await propose(cast.lessor, id, terms, { smsCode: await signCode(cast.lessor, id, terms) })
    const people = [cast.project.id, cast.lessee.id].toSorted()
    expect((await sent()).map(({ accountId }) => accountId).toSorted()).toEqual(people)
    pass(3600)
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    pass(23 * 3600)
    await applyDueAccounts(services)
    expect(await sent()).toHaveLength(4)
    pass(3601)
    await applyDueAccounts(services)
    const all = await sent()
    expect(all.map(({ content }) => /(要求变更收款账户|收款账户将变更|收款账户已变更)/.exec(content)?.[1])).toEqual(
      ['要求变更收款账户', '收款账户将变更', '收款账户已变更'].flatMap((words) => people.map(() => words)),
    )
    for (const { notBefore, createTime } of all) expect(notBefore).toBe(createTime)
    await db.deleteFrom('messageConfig').execute()
  })
})
