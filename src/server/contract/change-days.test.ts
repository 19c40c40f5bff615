import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { amountText } from '#shared/amount-text.ts'
import { dayOf } from '#shared/calendar.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContractText, printContract } from '#shared/contract/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld } from '#test/world.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('versions follow each other by day', () => {
  const price = (lineId: number | undefined, value: string, fromDay: string) =>
    [{ kind: 'price', lines: [{ lineId, value }] }, { fromDay }] as const
  const refusedFields = (raw: unknown) =>
    ((raw as { data?: { errors?: { field: string; message: string }[] } }).data?.errors ?? []).map(({ field, message }) => [field, message])

  test('a price counts from its day in the sum, the page, the text and the PDF; the text says from which day it holds', async () => {
    const { id } = await givenContract()
    const before = await read(id)
    const [line] = before.lines
    const old = Number(line?.unitPrice)
    // 90 days from 2026-12-13; the last 30 at twice the price.
    const { data } = await propose(cast.project, id, ...price(line?.id, String(old * 2), '2027-02-11'))
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    const after = await read(id)
    const rent = old * 3
    expect(Number(after.amount)).toBeCloseTo(Number(before.amount) + rent / 3, 2)
    expect(Number(after.net) + Number(after.tax)).toBeCloseTo(Number(after.amount), 2)
    expect(after.lines[0]).toMatchObject({
      amount: after.amount,
      unitPrice: (old * 2).toFixed(2),
      rates: [{ unitPrice: line?.unitPrice }, { fromDay: '2027-02-11', unitPrice: (old * 2).toFixed(2) }],
    })
    const [shown] = (await cast.project.call(changeCalls.listContractChanges, { params: { id } })).data
    expect([shown?.amountBefore, shown?.amountAfter]).toEqual([before.amount, after.amount])
    const { data: written } = await cast.project.call(getContractText, { params: { id } })
    expect(written.text).toContain('第 2 版自 2027-02-11 起适用')
    expect(written.text).toContain(`每台单价 ¥${amountText(old * 100)}/月`)
    expect(written.text).toContain(`自 2027-02-11 起：每台单价 ¥${amountText(old * 200)}/月`)
    expect(written.text).toContain(`¥${amountText(Number(after.amount) * 100)}`)
    const pages = await readPdf((await cast.lessor.call(printContract, { params: { id } })).bytes)
    expect(pages.map(({ body }) => body).join('')).toContain('自2027-02-11起')
    // A later end is counted with the price of its days.
    const { data: longer } = await propose(
      cast.project,
      id,
      { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-12' }] },
      { fromDay: '2027-02-11' },
    )
    expect((await confirm(cast.lessor, longer.id)).code).toBe(200)
    expect(Number((await read(id)).amount)).toBeCloseTo(Number(before.amount) + rent / 3 + old * 2, 2)
  })

  test('one that holds from before a version already agreed is refused beside its day, by the call and by the database', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    const { data } = await propose(cast.project, id, ...price(line?.id, '18000', '2027-02-01'))
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect((await read(id)).since).toBe('2027-02-01')
    const extend = { kind: 'extend', lines: [{ lineId: line?.id, value: '2027-04-13' }] }
    const { code, raw } = await propose(cast.project, id, extend, { fromDay: '2027-01-31' })
    expect([code, refusedFields(raw)]).toEqual([422, [['fromDay', zhCn.rule.codes.before_version]]])
    expect((await propose(cast.project, id, extend, { fromDay: '2027-02-01' })).code).toBe(200)
    const copy = (revision: number, fromDay: string) =>
      sql`insert into contract_version (contract_id, revision, from_day, clauses, lines, text, text_hash, at)
        select contract_id, ${revision}, ${fromDay}::date, clauses, lines, text, text_hash, at from contract_version where contract_id = ${id} and revision = 2`.execute(
        db,
      )
    await expect(copy(3, '2027-01-31')).rejects.toThrow(/comes before another/)
    await expect(copy(1, '2027-03-01')).rejects.toThrow()
  })

  test('one of a mistyped year is refused beside its day, and leaves the contract open to others', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    for (const fromDay of ['2072-01-01', '9999-12-31']) {
      const { code, raw } = await propose(cast.project, id, ...price(line?.id, '18000', fromDay))
      expect([code, refusedFields(raw)]).toEqual([422, [['fromDay', zhCn.rule.codes.after_hire]]])
    }
    const ended = await propose(cast.project, id, { kind: 'terminate', lastDay: '9999-12-31' }, { fromDay: '9999-12-31' })
    expect([ended.code, refusedFields(ended.raw)]).toEqual([422, [['terms.lastDay', zhCn.rule.codes.after_hire]]])
    expect((await propose(cast.project, id, ...price(line?.id, '18000', '2027-02-01'))).code).toBe(200)
  })

  test('an end that comes earlier than the day of its amendment is confirmed, before that day and after', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    const shorten = (value: string) => [{ kind: 'shorten', lines: [{ lineId: line?.id, value }] }, { fromDay: '2027-02-01' }] as const
    const { data } = await propose(cast.project, id, ...shorten('2027-01-20'))
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect((await read(id)).planEnd).toBe('2027-01-20')
    // The new end is over by now.
    const { data: earlier } = await propose(cast.project, id, ...shorten('2026-12-20'))
    clock.set(new Date('2026-12-21T10:00:00+08:00'))
    const late = await confirm(cast.lessor, earlier.id)
    expect([late.code, refusedFields(late.raw)]).toEqual([422, [['terms.lines.0.value', zhCn.rule.codes.shorten_earlier]]])
  })

  test('one whose day is long over is not confirmed any more, and the page says so; up to a week after it is', async () => {
    const { id } = await givenContract()
    const [line] = (await read(id)).lines
    const { data } = await propose(cast.project, id, ...price(line?.id, '18000', '2026-11-28'))
    const waiting = async () => (await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })).data[0]
    expect(await waiting()).toMatchObject({ confirmBy: '2026-12-05', hindrances: [], may: ['confirm', 'refuse'] })
    pass(9 * 86_400)
    expect(dayOf(clock.now())).toBe('2026-12-06')
    expect(await waiting()).toMatchObject({ hindrances: ['overdue'], may: ['refuse'] })
    const late = await confirm(cast.lessor, data.id)
    expect([late.code, late.msg]).toEqual([409, zhCn.refusal.change_overdue])
    expect((await cast.project.call(changeCalls.recallContractChange, { params: { id: data.id }, body: {} })).code).toBe(200)
    const { data: again } = await propose(cast.project, id, ...price(line?.id, '18000', '2026-12-06'))
    pass(7 * 86_400)
    expect((await confirm(cast.lessor, again.id)).code).toBe(200)
    expect((await read(id)).since).toBe('2026-12-06')
  })
})

test('a position is agreed anew on other days in the place of the one that it replaces, and not beside it', async () => {
  const { id } = await givenContract()
  const [line] = (await read(id)).lines
  const later = { equipmentId: line?.equipmentId, planStart: '2026-12-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '18000' }
  const terms = (lineIds: (number | undefined)[]) => ({ kind: 'quantity', lineIds, added: [later] })
  const beside = await propose(cast.project, id, terms([]))
  expect([beside.code, beside.msg]).toEqual([409, zhCn.refusal.contract_machine_taken.replace('{lineNo}', '2')])
  const { data, code } = await propose(cast.project, id, terms([line?.id]))
  expect(code).toBe(200)
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  const after = await read(id)
  expect([after.planStart, after.planEnd, after.lines.map(({ status }) => status)]).toEqual(['2026-12-20', '2027-03-20', ['3', '0']])
  const bookings = await db
    .selectFrom('equipmentBooking')
    .where('equipmentId', '=', line?.equipmentId ?? 0)
    .select(['contractLineId', 'period'])
    .execute()
  expect(bookings).toEqual([{ contractLineId: after.lines[1]?.id, period: '[2026-12-20,2027-03-20)' }])
})
