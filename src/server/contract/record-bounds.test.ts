import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as changes from '#shared/contract/changes.ts'
import * as contract from '#shared/contract/contract.ts'
import { createDirectContract, directADay, editDirectPositions, maxDirectDrafts, maxReasons } from '#shared/contract/direct.ts'
import { lookAtContract } from '#shared/contract/manage.ts'
import { voidContract } from '#shared/contract/moves.ts'
import { wholeRecord } from '#shared/contract/record-pages.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { linksAPage, recordLimits, shownSteps } from '#shared/contract/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, nameThem } from '#test/given-contract.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { cast, clock, db, server } = world
const { givenContract, signCode, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(async () => {
  clock.set(monday)
  await db.deleteFrom('callLimit').execute()
})

/** Names the own account of a side, which each time is a step of the chain. */
async function name(person: Person, id: number) {
  await db.deleteFrom('callLimit').execute()
  return nameThem(person, id, [{ task: 'signer', accountId: person.id }])
}

/** Steps of the lessor, two days ago unless the hours say otherwise. */
const addSteps = (id: number, count: number, hoursAgo = 48) =>
  sql`insert into contract_event (contract_id, at, account_id, side, move, note)
    select ${id}, ${new Date(clock.now().getTime() - hoursAgo * 3_600_000).toISOString()}::timestamptz, ${cast.lessor.id}, 'lessor', 'persons', '[]'
    from generate_series(1, ${count}::int)`.execute(db)

test('an operator looks at a contract so many times a day, and another one may still', async () => {
  const { id } = await givenContract()
  const look = (who: Person) => who.call(lookAtContract, { params: { id }, body: { reason: '双方申诉' } })
  expect((await look(cast.operator)).code).toBe(200)
  await sql`insert into contract_event (contract_id, at, account_id, side, move, note)
    select ${id}, ${clock.now().toISOString()}::timestamptz, ${cast.operator.id}, null, 'look', '双方申诉'
    from generate_series(2, ${recordLimits.looksADay}::int)`.execute(db)
  await db.deleteFrom('callLimit').execute()
  expect(await look(cast.operator)).toMatchObject({ code: 429, msg: zhCn.refusal.day_limit })
  const colleague = await world.givenPerson({ userType: '9', duties: ['people'] }, 'colleague')
  expect((await look(colleague)).code).toBe(200)
  pass(24 * 3600)
  expect((await look(cast.operator)).code).toBe(200)
})

describe('what one side adds to the record of a contract', () => {
  test('is bounded for a day, while the other side goes on, and for good', async () => {
    const { id } = await givenContract()
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from contract_event where contract_id = ${id} and side = 'lessor'`.execute(db)
    const left = 3
    await addSteps(id, recordLimits.stepsADay - left - (rows[0]?.n ?? 0), 1)
    for (let n = 0; n < left; n++) expect((await name(cast.lessor, id)).code).toBe(200)
    for (let n = 0; n < 2; n++) expect(await name(cast.lessor, id)).toMatchObject({ code: 429, msg: zhCn.refusal.record_day })
    expect((await name(cast.project, id)).code).toBe(200)
    pass(24 * 3600)
    expect((await name(cast.lessor, id)).code).toBe(200)
    await addSteps(id, recordLimits.steps)
    expect((await name(cast.lessor, id)).msg).toBe(zhCn.refusal.record_full)
    expect((await name(cast.project, id)).code).toBe(200)
  })

  test('does not keep it from refusing or withdrawing an amendment, nor from stopping another bank account', async () => {
    const { id } = await givenContract()
    const { lines } = await read(id)
    const price = { kind: 'price', lines: [{ lineId: lines[0]?.id, value: '19000' }] }
    const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
    const smsCode = await signCode(cast.lessor, id, account)
    const named = await propose(cast.lessor, id, account, { smsCode })
    expect((await confirm(cast.project, named.data.id)).code).toBe(200)
    const own = await propose(cast.lessor, id, price)
    await addSteps(id, recordLimits.steps)
    expect((await name(cast.lessor, id)).msg).toBe(zhCn.refusal.record_full)
    const end = async (how: typeof changes.stopContractChange | typeof changes.recallContractChange, changeId: number) =>
      (await cast.lessor.call(how, { params: { id: changeId }, body: { answer: '不是我方提出的' } })).code
    expect([await end(changes.stopContractChange, named.data.id), await end(changes.recallContractChange, own.data.id)]).toEqual([200, 200])
    const other = await propose(cast.project, id, price)
    const refused = await cast.lessor.call(changes.refuseContractChange, { params: { id: other.data.id }, body: { answer: '租金不变' } })
    expect(refused.code).toBe(200)
  })

  test('are ten amendments a day', async () => {
    const { id } = await givenContract()
    const [line] = (await cast.project.call(contract.getContract, { params: { id } })).data.lines
    const fromDay = dayOf(clock.now())
    const propose = (who: Person, value: number) =>
      who.call(changes.proposeContractChange, {
        params: { id },
        body: { fromDay, reason: '涨价', terms: { kind: 'price', lines: [{ lineId: line?.id, value }] } },
      })
    for (let n = 0; n < recordLimits.changesADay; n++) {
      const { data } = await propose(cast.lessor, 20_000 + n)
      expect((await cast.lessor.call(changes.recallContractChange, { params: { id: data.id }, body: { answer: '' } })).code).toBe(200)
    }
    expect((await propose(cast.lessor, 30_000)).msg).toBe(zhCn.refusal.change_limit)
    expect((await propose(cast.project, 30_000)).code).toBe(200)
  })
})

describe('a chain of 5,000 steps', () => {
  test('is answered in pages of a bounded size, which together are checked whole', async () => {
    const { id } = await givenContract()
    await addSteps(id, 5000)
    const sizes: number[] = []
    const readWhole = () =>
      wholeRecord(async (query) => {
        await db.deleteFrom('callLimit').execute()
        const { data, bytes } = await cast.project.call(contract.getContractChain, { params: { id }, query })
        sizes.push(bytes.length)
        expect(data.links.length).toBeLessThanOrEqual(linksAPage)
        return data
      })
    const record = await readWhole()
    expect(record.links.length).toBeGreaterThan(5000)
    expect(Math.max(...sizes)).toBeLessThan(500_000)
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
    await sql`alter table contract_event disable trigger user`.execute(db)
    await sql`update contract_event set note = '[1]' where contract_id = ${id} and seq = 3456`.execute(db)
    await sql`alter table contract_event enable trigger user`.execute(db)
    expect(await recordFault(await readWhole(), recordChecks, sha256)).toEqual({ part: 'link', at: 3456 })
    const { data } = await cast.project.call(contract.getContract, { params: { id } })
    expect(data.events).toHaveLength(shownSteps)
  }, 120_000)

  test('is asked for sixty times a minute by one account, and a later page by nobody who does not see the contract', async () => {
    const { id } = await givenContract()
    const ask = (token: string | null) =>
      server.inject({
        url: `/prod-api${contract.getContractChain.url.replace(':id', String(id))}?after=1`,
        headers: { authorization: token ?? '' },
      })
    for (let n = 0; n < 60; n++) expect((await ask(cast.lessor.token)).statusCode).toBe(200)
    expect((await ask(cast.lessor.token)).statusCode).toBe(429)
    expect((await ask(cast.lessor2.token)).json<{ code: number }>().code).toBe(404)
  })
})

describe('contracts that somebody writes down', () => {
  const today = dayOf(monday)
  const position = (equipmentId: number, ceilingReason = '') => ({
    equipmentId,
    planStart: addDays(today, 10),
    planEnd: addDays(today, 100),
    rentUnit: 'M',
    unitPrice: '15000',
    ceilingReason,
  })
  const create = (by: Person, lines: ReturnType<typeof position>[]) =>
    by.call(createDirectContract, {
      body: {
        deptId: world.depts.projectDept,
        lessorCompanyId: cast.lessor.companyId,
        title: '二工区装载机租赁',
        provinceId: 510_000,
        cityId: 510_100,
        address: '成都市双流区二工区驻地',
        lines,
      },
    })
  const giveUp = (by: Person, id: number) => by.call(voidContract, { params: { id }, body: { reason: '写错了' } })
  const columns = `dept_id, lessor_company_id, lessee_company_id, title, province_id, city_id, address, source, status, clauses, plan_start, plan_end, amount_fen, net_fen, tax_fen`
  /** The same contract so many times more, as if they had written down each. */
  const copy = (by: Person, id: number, times: number) =>
    sql`with made as (
        insert into contract (contract_code, ${sql.raw(columns)}, create_time, update_time)
        select ${`${id}-`} || n, ${sql.raw(columns)}, create_time, update_time from contract, generate_series(1, ${times}::int) n
        where id = ${id} returning id)
      insert into contract_event (contract_id, at, account_id, side, move, note)
      select id, ${clock.now()}, ${by.id}, 'lessee', 'draft', '' from made`.execute(db)

  test('are two hundred drafts at most, until one is given up', async () => {
    const line = position(await world.givenMachine(cast.lessor.companyId))
    const { data: first } = await create(cast.project, [line])
    await copy(cast.project, first.id, maxDirectDrafts - 2)
    const answers = await Promise.all([1, 2, 3].map(() => create(cast.project, [line])))
    expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 429, 429])
    expect(answers.find(({ code }) => code !== 200)?.msg).toBe(zhCn.refusal.contract_drafts_enough.replace('{n}', String(maxDirectDrafts)))
    expect((await create(cast.lessee, [line])).code).toBe(200)
    expect((await giveUp(cast.project, first.id)).code).toBe(200)
    expect((await create(cast.project, [line])).code).toBe(200)
  })

  test('are four hundred a day, those that they gave up included', async () => {
    pass(24 * 3600)
    const line = position(await world.givenMachine(cast.lessor.companyId))
    const { data: first } = await create(cast.lessee, [line])
    expect((await giveUp(cast.lessee, first.id)).code).toBe(200)
    await copy(cast.lessee, first.id, directADay - 2)
    const { data: last } = await create(cast.lessee, [line])
    expect((await giveUp(cast.lessee, last.id)).code).toBe(200)
    expect(await create(cast.lessee, [line])).toMatchObject({ code: 429, msg: zhCn.refusal.day_limit })
    pass(24 * 3600)
    expect((await create(cast.lessee, [line])).code).toBe(200)
  })

  test('have reasons above ceilings of four thousand characters in all, which stand in one step of the record', async () => {
    pass(2 * 24 * 3600)
    const machines = await Promise.all(Array.from({ length: maxReasons / 500 }, () => world.givenMachine(cast.lessor.companyId)))
    const most = machines.map((id) => position(id, '理'.repeat(500)))
    const further = position(await world.givenMachine(cast.lessor.companyId), '紧')
    const { code, data } = await create(cast.lessee, most)
    expect(code).toBe(200)
    const edit = (lines: typeof most) => cast.lessee.call(editDirectPositions, { params: { id: data.id }, body: { version: 1, lines } })
    for (const refused of [await create(cast.lessee, [...most, further]), await edit([...most, further])])
      expect([refused.code, refusedFields(refused.data)]).toEqual([422, [`lines.${most.length}.ceilingReason`]])
    expect((await edit([...most, { ...further, ceilingReason: '' }])).code).toBe(200)
  })
})
