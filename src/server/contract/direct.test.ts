import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import { saveCeiling } from '#shared/ceiling/contract.ts'
import * as contract from '#shared/contract/contract.ts'
import { createDirectContract, editDirectPositions, listDirectMachines } from '#shared/contract/direct.ts'
import { lookAtContract } from '#shared/contract/manage.ts'
import * as calls from '#shared/contract/moves.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { retireEquipment } from '#shared/equipment/own.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { lapseDueAwards } from './lapse.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock, depts, letters } = world
const { send, confirm, givenDraft, textHash, account, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const today = dayOf(monday)
const line = (equipmentId: number, changes: Record<string, unknown> = {}) => ({
  equipmentId,
  planStart: addDays(today, 10),
  planEnd: addDays(today, 100),
  rentUnit: 'M',
  unitPrice: '15000.50',
  ...changes,
})
const body = (lines: object[], changes: Record<string, unknown> = {}) => ({
  deptId: depts.projectDept,
  lessorCompanyId: cast.lessor.companyId,
  title: '二工区装载机租赁',
  externalNo: '华拓-租-2026-018',
  provinceId: 510_000,
  cityId: 510_100,
  address: '成都市双流区二工区驻地',
  lines,
  ...changes,
})
const create = (lines: object[], changes: Record<string, unknown> = {}, who: Person = cast.project) =>
  who.call(createDirectContract, { body: body(lines, changes) })
const read = async (person: Person, id: number) => (await person.call(contract.getContract, { params: { id } })).data
const bookingsOf = (equipmentId: number) =>
  db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', equipmentId)
    .orderBy('slot')
    .select(['slot', 'reason', 'contractLineId'])
    .execute()
const errorsOf = (answer: { data: unknown }) => (answer.data as { errors: { field: string; message: string }[] }).errors
const { codes } = zhCn.rule

describe('a contract that a unit writes down itself', () => {
  test('goes from draft to in force like any other, is booked when the lessor confirms, and never lapses', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const lot = await world.givenMachine(cast.lessor.companyId, { qty: 5 })
    const made = await create([line(machine), line(lot, { qty: 2, entryFee: '800', includesOperator: true })], {
      externalNo: '华拓-租\n-2026-018',
    })
    expect([made.code, made.msg]).toEqual([200, expect.any(String)])
    const { id } = made.data
    const draft = await read(cast.project, id)
    expect(draft).toMatchObject({
      source: 'direct',
      status: '0',
      contractCode: expect.stringMatching(/^HT\d{12}$/),
      externalNo: '华拓-租 -2026-018',
      demand: null,
      lapsesAt: null,
      problems: [],
      clauses: { payRatio: 70, payDays: 30 },
      lines: [
        { lineNo: 1, qty: 1, unitPrice: '15000.50' },
        { lineNo: 2, qty: 2, entryFee: '800.00', includesOperator: true },
      ],
    })
    expect(Number(draft.amount)).toBeCloseTo(
      draft.lines.reduce((sum, { amount }) => sum + Number(amount), 0),
      2,
    )
    expect(draft.may).toEqual(expect.arrayContaining(['edit', 'send', 'void']))
    // The lessor has agreed to nothing yet: it sees nothing, and its machines are free.
    expect((await cast.lessor.call(contract.getContract, { params: { id } })).code).toBe(404)
    expect(await bookingsOf(machine)).toEqual([])
    expect((await send(cast.project, id)).code).toBe(200)
    const [message] = (await cast.lessor.call(listOwnMessages, { query: {} })).data.rows
    expect(message).toMatchObject({ title: expect.stringContaining('二工区装载机租赁') })
    expect(await bookingsOf(lot)).toEqual([])

    pass(40 * 86_400)
    await lapseDueAwards(world.services)
    clock.set(monday)
    expect((await read(cast.lessor, id)).status).toBe('1')
    expect((await confirm(cast.lessor, id)).code).toBe(200)
    const [first, second] = (await read(cast.project, id)).lines
    expect(await bookingsOf(machine)).toEqual([{ slot: 1, reason: 'contract', contractLineId: first?.id }])
    expect(await bookingsOf(lot)).toEqual([1, 2].map((slot) => ({ slot, reason: 'contract', contractLineId: second?.id })))
    expect((await cast.lessor.call(retireEquipment, { params: { id: machine } })).code).toBe(409)
  })

  test('has a chain of its own, which begins with what was written down', async () => {
    const { data } = await create([line(await world.givenMachine(cast.lessor.companyId))])
    await send(cast.project, data.id)
    const chain = (await cast.project.call(contract.getContractChain, { params: { id: data.id } })).data
    expect(chain.demandHash).toBeNull()
    expect(chain.links.map(({ seq, move }) => [seq, move])).toEqual([
      [1, 'draft'],
      [2, 'send'],
    ])
    expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
    const pack = await cast.lessor.call(contract.exportContractEvidence, { params: { id: data.id } })
    expect(Buffer.from(pack.bytes).subarray(0, 2).toString()).toBe('PK')
    expect(JSON.parse(chain.links[0]?.text ?? '[]')[6]).toMatch(/^[0-9a-f]{64}$/)
  })

  test('can be given up, which frees nothing, as nothing was booked, and tells the lessor who has seen it', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { data } = await create([line(machine)])
    await send(cast.project, data.id)
    const before = (await cast.lessor.call(listOwnMessages, { query: {} })).data.total
    expect((await cast.project.call(calls.voidContract, { params: { id: data.id }, body: { reason: '改签框架协议' } })).code).toBe(200)
    expect((await cast.lessor.call(listOwnMessages, { query: {} })).data.total).toBe(before + 1)
    expect((await read(cast.lessor, data.id)).status).toBe('7')
  })
})

describe('the days of a machine', () => {
  test('that another hire has are refused with the first day from which it is free for as long', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const first = await create([line(machine)])
    const second = await create([line(machine)], { title: '三工区装载机租赁', deptId: depts.otherDept }, cast.otherProject)
    expect([first.code, second.code]).toEqual([200, 200])
    const third = await create([line(machine)])
    for (const { data } of [first, second])
      expect((await send(data === first.data ? cast.project : cast.otherProject, data.id)).code).toBe(200)
    expect((await confirm(cast.lessor, first.data.id)).code).toBe(200)
    // The second was free when it was sent, and the third when it was written.
    const late = await confirm(cast.lessor, second.data.id)
    const taken = { lineNo: 1, freeFrom: addDays(today, 100) }
    expect([late.code, late.raw.data]).toEqual([409, taken])
    expect(late.msg).toMatch(/^机位 1 的设备.*已发送的，先退回、拒绝或撤回再修改$/)
    const unsent = await send(cast.project, third.data.id)
    expect([unsent.code, unsent.raw.data]).toEqual([409, taken])
    const fourth = await create([line(await world.givenMachine(cast.lessor.companyId)), line(machine)])
    expect([fourth.code, fourth.raw.data]).toEqual([409, { index: 1, lineNo: 2, freeFrom: addDays(today, 100) }])
    expect(fourth.msg).toContain('机位 2 ')
    expect((await create([line(machine, { planStart: addDays(today, 100), planEnd: addDays(today, 130) })])).code).toBe(200)
    expect(await bookingsOf(machine)).toHaveLength(1)
  })

  test('are neither sent nor confirmed once their hire is over', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const soon = line(machine, { planStart: addDays(today, -10), planEnd: addDays(today, 5) })
    const [sent, draft] = [await create([soon]), await create([soon])]
    expect((await send(cast.project, sent.data.id)).code).toBe(200)
    pass(5 * 86_400)
    const over = zhCn.refusal.contract_hire_over.replace('{lineNo}', '1')
    expect(over).toMatch(/^机位 1 .*退回/)
    expect((await confirm(cast.lessor, sent.data.id)).msg).toBe(over)
    expect((await send(cast.project, draft.data.id)).msg).toBe(over)
    expect(await bookingsOf(machine)).toEqual([])
  })

  test('are let once, however many lessor’s people confirm at the same moment', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const people = await Promise.all(
      ['a', 'b', 'c'].map((name) => world.givenPerson({ userType: '4', companyId: cast.lessor.companyId, certSign: 1 }, `lessor-${name}`)),
    )
    const ids: number[] = []
    for (const _ of people) {
      const { id } = (await create([line(machine)])).data
      await send(cast.project, id)
      ids.push(id)
    }
    const rivals: { who: Person; id: number; smsCode: string; textHash: string }[] = []
    for (const [index, who] of people.entries()) {
      const id = ids[index] ?? 0
      await db.deleteFrom('callLimit').execute()
      const hash = await textHash(who, id)
      const asked = await who.call(calls.sendSignCode, { params: { id }, body: { purpose: 'confirm', textHash: hash, ...account } })
      if (asked.code !== 200) throw new Error(asked.msg)
      const smsCode = letters.findLast(({ template }) => template === 'signCode')?.params[0]?.[1] ?? ''
      rivals.push({ who, id, smsCode, textHash: hash })
    }
    const outcomes = await Promise.all(
      rivals.map(({ who, id, ...signed }) => who.call(calls.confirmContract, { params: { id }, body: { ...signed, ...account } })),
    )
    expect(outcomes.map(({ code }) => code).toSorted()).toEqual([200, 409, 409])
    expect(await bookingsOf(machine)).toHaveLength(1)
  })

  test('may have begun, but not be over or longer than twenty years', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const over = await create([line(machine, { planStart: addDays(today, -60), planEnd: today })])
    expect(errorsOf(over)).toEqual([{ field: 'lines.0.planEnd', message: codes.hire_over }])
    const long = await create([line(machine, { planEnd: '2099-01-01' })])
    expect(errorsOf(long)).toEqual([{ field: 'lines.0.planEnd', message: codes.lease_too_long }])
    const backwards = await create([line(machine, { planEnd: addDays(today, 10) })])
    expect(errorsOf(backwards)).toEqual([{ field: 'lines.0.planEnd', message: codes.ends_before_start }])
    expect((await create([line(machine, { planStart: addDays(today, -60) })])).code).toBe(200)
  })
})

describe('the positions of a draft', () => {
  const edit = (id: number, version: number, lines: object[], who: Person = cast.project) =>
    who.call(editDirectPositions, { params: { id }, body: { version, lines } })

  test('are changed, added and removed, with the sum and the days; the approval is asked for again, and the chain holds it', async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => world.givenMachine(cast.lessor.companyId)))
    const { data } = await create([line(first ?? 0), line(second ?? 0)])
    await db.updateTable('contract').set({ approval: '2' }).where('id', '=', data.id).execute()
    const before = await read(cast.project, data.id)
    const longer = { planStart: addDays(today, 20), planEnd: addDays(today, 200), unitPrice: '12000', rentUnit: 'S', estQuantity: 80 }
    const saved = await edit(data.id, before.version, [line(third ?? 0, longer)])
    expect([saved.code, saved.data]).toEqual([200, { version: before.version + 1 }])
    const after = await read(cast.project, data.id)
    expect(after).toMatchObject({
      version: before.version + 1,
      approval: '0',
      planStart: longer.planStart,
      planEnd: longer.planEnd,
      // Work that is counted needs a log.
      clauses: { ...before.clauses, logRule: 'needed' },
      lines: [{ lineNo: 1, equipmentId: third, unitPrice: '12000.00', planEnd: longer.planEnd }],
    })
    expect([after.lines.length, after.amount]).toEqual([1, after.lines[0]?.amount])
    const chain = (await cast.project.call(contract.getContractChain, { params: { id: data.id } })).data
    expect(chain.links.map(({ move }) => move)).toEqual(['draft', 'positions'])
    expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
    // The lessor confirms and books what the draft holds now.
    expect((await send(cast.project, data.id)).code).toBe(200)
    expect((await edit(data.id, after.version + 1, [line(first ?? 0)])).msg).toBe(zhCn.refusal.contract_changed)
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect((await Promise.all([first, second, third].map((id) => bookingsOf(id ?? 0)))).map(({ length }) => length)).toEqual([0, 0, 1])
  })

  test('are refused where somebody else was faster, by the rules of the creation, and for anybody but the unit', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const foreign = await world.givenMachine(cast.lessor2.companyId)
    const { id } = (await create([line(machine)])).data
    const { version } = await read(cast.project, id)
    const both = await Promise.all(['11000', '12000'].map((unitPrice) => edit(id, version, [line(machine, { unitPrice })])))
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
    expect(both.find(({ code }) => code === 409)?.msg).toBe(zhCn.refusal.changed)
    const next = version + 1
    expect(errorsOf(await edit(id, next, [line(foreign)]))).toEqual([{ field: 'lines.0.equipmentId', message: codes.machine_gone }])
    expect(errorsOf(await edit(id, next, [line(machine), line(machine)]))).toEqual([
      { field: 'lines.1.equipmentId', message: codes.machine_twice },
    ])
    expect((await edit(id, next, [])).code).toBe(422)
    await db
      .insertInto('equipmentBooking')
      .values({ equipmentId: machine, slot: 1, period: `[${addDays(today, 5)},${addDays(today, 30)})`, reason: 'own' })
      .execute()
    const taken = await edit(id, next, [line(machine)])
    expect([taken.code, taken.raw.data]).toEqual([409, { index: 0, lineNo: 1, freeFrom: addDays(today, 30) }])
    const free = [line(machine, { planStart: addDays(today, 30) })]
    expect((await edit(id, next, free, cast.otherProject)).code).toBe(404)
    expect((await edit(id, next, free, cast.lessor)).code).toBe(404)
    expect((await edit(id, next, free, cast.auditor)).code).toBe(403)
    expect((await read(cast.project, id)).version).toBe(next)
    expect((await edit(id, next, free)).code).toBe(200)
  })

  test('of a contract from an award are those of the award', async () => {
    const { id } = await givenDraft()
    const { version } = await read(cast.project, id)
    const refused = await edit(id, version, [line(await world.givenMachine(cast.lessor.companyId))])
    expect([refused.code, refused.msg]).toEqual([409, zhCn.refusal.contract_changed])
  })

  test('above the ceiling need a reason, which stays with the own side', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const { id } = (await create([line(machine)])).data
    const ceiling = { deptId: depts.root, categoryId: 106, rentUnit: 'M', price: 14_000, fromDay: '2026-01-01', withOperator: false }
    expect((await cast.lessee.call(saveCeiling, { body: ceiling })).code).toBe(200)
    const { version } = await read(cast.project, id)
    expect(errorsOf(await edit(id, version, [line(machine)]))).toEqual([{ field: 'lines.0.ceilingReason', message: codes.ceiling_reason }])
    expect((await edit(id, version, [line(machine, { ceilingReason: '春节前设备紧缺' })])).code).toBe(200)
    await send(cast.project, id)
    const noteFor = async (who: Person) => (await read(who, id)).events.find(({ move }) => move === 'positions')?.note
    expect([await noteFor(cast.project), await noteFor(cast.lessor)]).toEqual(['1：春节前设备紧缺', ''])
    const { data: theirs } = await cast.lessor.call(contract.getContractChain, { params: { id } })
    expect(JSON.stringify(theirs)).not.toContain('春节前')
    expect(await recordFault(theirs, recordChecks, sha256)).toBeNull()
    await db.deleteFrom('priceCeiling').execute()
  })
})

describe('what cannot be written down', () => {
  const refusedAt = async (answer: Awaited<ReturnType<typeof create>>) => errorsOf(answer).map(({ field, message }) => [field, message])

  test('machines of somebody else, off the shelf, without valid papers, twice, more than a lot has, work without a quantity', async () => {
    const own = await world.givenMachine(cast.lessor.companyId)
    const foreign = await world.givenMachine(cast.lessor2.companyId)
    const hidden = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    const expired = await world.givenMachine(cast.lessor.companyId, { paperTo: addDays(today, -1) })
    const lot = await world.givenMachine(cast.lessor.companyId, { qty: 3 })
    expect(await refusedAt(await create([line(foreign), line(hidden), line(expired), line(lot, { qty: 4 })]))).toEqual([
      ['lines.0.equipmentId', codes.machine_gone],
      ['lines.1.equipmentId', codes.machine_gone],
      ['lines.2.equipmentId', codes.machine_papers],
      ['lines.3.qty', codes.lot_smaller],
    ])
    expect(await refusedAt(await create([line(own), line(own)]))).toEqual([['lines.1.equipmentId', codes.machine_twice]])
    expect(await refusedAt(await create([line(own, { rentUnit: 'S' })]))).toEqual([['lines.0.estQuantity', codes.quantity_needed]])
    expect(await refusedAt(await create([line(own, { unitPrice: '0' })]))).toEqual([['lines.0.unitPrice', codes.money_min]])
  })

  test('more than can be counted to the fen and worded, in one line or in all of them; and a quantity that is not stored as it is typed', async () => {
    const [first, second] = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor.companyId)]
    const work = (equipmentId: number, estQuantity: number) =>
      line(equipmentId, { rentUnit: 'V', unitPrice: '9999999.99', estQuantity, ceilingReason: '测试' })
    expect(await refusedAt(await create([work(first, 9_999_999)]))).toEqual([['lines.0.unitPrice', codes.sum_large]])
    expect(await refusedAt(await create([work(first, 6_000_000), work(second, 6_000_000)]))).toEqual([
      ['lines.1.unitPrice', codes.sum_large],
    ])
    expect(await refusedAt(await create([work(first, 33.3333)]))).toEqual([['lines.0.estQuantity', codes.quantity_places]])
    const { code, data } = await create([work(first, 6_000_000), work(second, 3_000_000)])
    expect(code).toBe(200)
    const { data: written } = await cast.project.call(contract.getContractText, { params: { id: data.id } })
    expect(written.text).toContain('¥89,999,999,910,000.00')
  })

  test('a lessor who is not certified, is the own company or is restricted, and a machine that is restricted', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const with_ = (lessorCompanyId: number) => create([line(machine)], { lessorCompanyId })
    expect(await refusedAt(await with_(cast.lapsed.companyId))).toEqual([['lessorCompanyId', codes.company_unknown]])
    expect(await refusedAt(await with_(cast.stranger.companyId))).toEqual([['lessorCompanyId', codes.company_unknown]])
    await db.updateTable('company').set({ isLessor: true, lessorAudit: '2' }).where('id', '=', cast.project.companyId).execute()
    expect(await refusedAt(await with_(cast.project.companyId))).toEqual([['lessorCompanyId', codes.company_own]])
    const sent = await create([line(machine)])
    await send(cast.project, sent.data.id)
    const entry = {
      level: 2,
      scopeDeptId: depts.root,
      reasonCode: 'quit',
      facts: '合同生效后未按约定进场，'.repeat(6),
      fromDay: today,
      toDay: addDays(today, 300),
      status: '2',
      proposerId: cast.lessee.id,
      createTime: monday,
      updateTime: monday,
    } as const
    const restrict = (values: { blacklistCode: string; subjectKind: 'company' | 'machine'; companyId: number; equipmentId?: number }) =>
      db
        .insertInto('blacklist')
        .values({ ...entry, ...values })
        .execute()
    await restrict({ blacklistCode: 'HM1', subjectKind: 'machine', companyId: cast.lessor.companyId, equipmentId: machine })
    expect(await refusedAt(await create([line(machine)]))).toEqual([['lines.0.equipmentId', codes.machine_blocked]])
    // It was sent before, and is not confirmed any more.
    expect((await confirm(cast.lessor, sent.data.id)).msg).toBe(zhCn.refusal.contract_barred)
    const other = await world.givenMachine(cast.lessor2.companyId)
    await restrict({ blacklistCode: 'HM2', subjectKind: 'company', companyId: cast.lessor2.companyId })
    const barred = await create([line(other)], { lessorCompanyId: cast.lessor2.companyId })
    expect(await refusedAt(barred)).toEqual([['lessorCompanyId', codes.company_restricted]])
    const listed = await cast.project.call(listDirectMachines, {
      params: { companyId: cast.lessor.companyId },
      query: { deptId: depts.projectDept },
    })
    expect(listed.data.find(({ id }) => id === machine)?.bar).toBe('blocked')
    expect(listed.data.every(({ id }) => id !== other)).toBe(true)
  })

  test('a price above the ceiling without a reason; the reason stays with the own side', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    const ceiling = { deptId: depts.root, categoryId: 106, rentUnit: 'M', price: 14_000, fromDay: '2026-01-01', withOperator: false }
    expect((await cast.lessee.call(saveCeiling, { body: ceiling })).code).toBe(200)
    expect(await refusedAt(await create([line(machine)]))).toEqual([['lines.0.ceilingReason', codes.ceiling_reason]])
    const { data } = await create([line(machine, { ceilingReason: '春节前设备紧缺' })])
    await send(cast.project, data.id)
    const noteFor = async (who: Person) => (await read(who, data.id)).events.find(({ move }) => move === 'draft')?.note
    expect((await cast.operator.call(lookAtContract, { params: { id: data.id }, body: { reason: '双方申诉' } })).code).toBe(200)
    for (const who of [cast.project, cast.lessee, cast.auditor]) expect(await noteFor(who)).toBe('1：春节前设备紧缺')
    for (const who of [cast.lessor, cast.operator]) expect(await noteFor(who)).toBe('')
    await db.deleteFrom('priceCeiling').execute()
  })

  test('for a department of somebody else, or by anybody but the unit', async () => {
    const machine = await world.givenMachine(cast.lessor.companyId)
    for (const who of [cast.otherProject, cast.stranger, cast.strangerAdmin])
      expect(await refusedAt(await create([line(machine)], {}, who))).toEqual([['deptId', codes.dept_unknown]])
    for (const who of [cast.lessor, cast.operator, cast.auditor, cast.newcomer])
      expect((await create([line(machine)], {}, who)).code).toBe(403)
    expect((await create([line(machine)], {}, cast.visitor)).code).toBe(401)
    expect((await create([line(machine)], {}, cast.lessee)).code).toBe(200)
    const list = (who: Person, deptId = depts.projectDept) =>
      who.call(listDirectMachines, { params: { companyId: cast.lessor.companyId }, query: { deptId } })
    expect((await list(cast.otherProject)).code).toBe(404)
    expect((await list(cast.lessor)).code).toBe(404)
    expect((await list(cast.otherProject, depts.otherDept)).data.some(({ id }) => id === machine)).toBe(true)
  })
})
