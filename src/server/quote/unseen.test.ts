import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { proposeBlacklist, emergencyBlacklist } from '#shared/blacklist/contract.ts'
import { getLessor } from '#shared/company/contract.ts'
import { getCompany } from '#shared/company/manage.ts'
import { getOwnDemand, listPublicDemands } from '#shared/demand/contract.ts'
import { amendDemand, extendDemand, failDemand } from '#shared/demand/moves.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { exportEvidence, getChain } from '#shared/opening/contract.ts'
import { listOutbox, resendOutbox } from '#shared/outbox/contract.ts'
import { answerQuestion, askQuestion } from '#shared/question/contract.ts'
import * as quoteContract from '#shared/quote/contract.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld } from '#test/world.ts'
import { openDueDemands } from '../opening/due.ts'

const world = await openWorld({ sockets: true })
const { cast, db, services, depts } = world
afterAll(() => world.close())

type Who = keyof typeof cast
const people = Object.keys(cast) as Who[]
const owners = ['lessee', 'project', 'operator', 'auditor'] as const
const ids = { machine: 0 }
beforeAll(async () => {
  ids.machine = await world.givenMachine(cast.lessor.companyId)
})

describe('what is sent and numbered', () => {
  let demand: Awaited<ReturnType<typeof world.givenDemand>>
  beforeEach(async () => {
    demand = await world.givenDemand()
    await db.deleteFrom('messageConfig').execute()
  })

  test('a quote sends its owner a number, and nobody else anything', async () => {
    const pushed: [Who, string][] = []
    const leave = people
      .filter((who) => cast[who].token !== null)
      .map((who) =>
        services.hub.add(cast[who].id, cast[who].token ?? '', {
          bufferedAmount: 0,
          send: (text) => void pushed.push([who, text]),
          close: () => undefined,
          terminate: () => undefined,
        }),
      )
    const last = (
      await db
        .selectFrom('message')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirstOrThrow()
    ).id
    const { id } = await world.givenQuote(cast.lessor, demand, [ids.machine])
    await cast.lessor.call(quoteContract.withdrawQuote, { params: { id } })
    const sent = await db.selectFrom('message').where('id', '>', last).orderBy('id').select(['accountId', 'kind', 'params']).execute()
    const about = { title: '渝昌高铁5标 装载机两台', code: expect.stringMatching(/^XQ/) }
    expect(sent).toEqual([
      { accountId: cast.project.id, kind: 'quoteReceived', params: { ...about, count: '1', sealed: '1' } },
      { accountId: cast.project.id, kind: 'quoteWithdrawn', params: { ...about, count: '0' } },
    ])
    await expect.poll(() => pushed.length).toBe(2)
    expect(pushed.map(([who]) => who)).toEqual(['project', 'project'])
    for (const end of leave) end?.()
  })

  test('no number that anybody sees counts the quotes of others', async () => {
    const counters = async () =>
      (
        await sql<{ name: string; last: number }>`select sequencename as name, coalesce(last_value, 0) as last from pg_sequences
          union all select prefix || day, last from code_counter`.execute(db)
      ).rows
    const before = new Map((await counters()).map(({ name, last }) => [name, last]))
    const first = await world.givenQuote(cast.lessor, demand, [ids.machine])
    const moved = (await counters()).filter(({ name, last }) => before.get(name) !== last).map(({ name }) => name)
    // The stored number of an event is never shown. The other two go into ids shifted by a hash that only the database can compute.
    expect(moved.toSorted()).toEqual(['demand_event_id_seq', 'message_counter', 'quote_counter'])
    expect(first.quoteCode).toMatch(/^BJ20261123[2-9A-HJ-NP-Z]{8}$/)
    // The shift differs from one millisecond to the next, and all of these may be numbered within one.
    const { rows } = await sql<{ id: number }>`select timed_id('quote_counter') as id, pg_sleep(case when n % 100 = 0 then 0.003 else 0 end)
      from generate_series(1, 400) n`.execute(db)
    const steps = rows.slice(1).map(({ id }, at) => id - (rows[at]?.id ?? 0))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(400)
    expect(steps.every((step) => step === 1)).toBe(false)
  })

  test('an SMS to bidders is shown with the opening, so the outbox names none of them before', async () => {
    const { phonenumber } = await db.selectFrom('account').where('id', '=', cast.lessor.id).select('phonenumber').executeTakeFirstOrThrow()
    const bySms = { inApp: '1', push: '1', sms: '1', quietFrom: '', quietTo: '' }
    const body = ['需求变更通知', '答疑通知', '账号安全通知'].map((systemSubject) => ({ systemSubject, ...bySms }))
    await cast.lessor.call(saveMessageConfig, { body })
    const letters = async () => (await cast.operator.call(listOutbox, { query: { phonenumber: phonenumber ?? '' } })).data.total
    const asked = await cast.lessor.call(askQuestion, { body: { demandId: demand.id, content: '几时进场？' } })
    await world.givenQuote(cast.lessor, demand, [ids.machine])
    const later = { quoteDeadline: toMoment(new Date(monday.getTime() + 3.5 * 86_400_000)), reason: '延期半天' }
    expect((await cast.project.call(extendDemand, { params: { id: demand.id }, body: later })).code).toBe(200)
    expect((await cast.project.call(answerQuestion, { params: { id: asked.data.id }, body: { answer: '下月初' } })).code).toBe(200)
    expect(await letters()).toBe(0)
    const stored = await db.selectFrom('outbox').where('sealedBy', '=', demand.id).select('id').execute()
    expect(stored).toHaveLength(2)
    await db.updateTable('outbox').set({ status: '2' }).execute()
    expect((await cast.operator.call(resendOutbox, { params: { id: stored[0]?.id } })).code).toBe(404)
    world.passDeadline()
    await openDueDemands(services)
    expect(await letters()).toBe(2)
    world.clock.set(monday)
  })

  test('what is sealed has the same length, however little or much is written', async () => {
    const sealedOf = async (who: 'lessor' | 'lessor2', note: string) => {
      const machine = await world.givenMachine(cast[who].companyId)
      const { data } = await cast[who].call(quoteContract.submitQuote, { body: { ...world.quoteBody(demand, [machine]), note } })
      return db.selectFrom('quote').where('id', '=', data.id).select(['sealedOffer', 'sealedContact']).executeTakeFirstOrThrow()
    }
    const short = await sealedOf('lessor', '')
    const long = await sealedOf('lessor2', '含税含运，节假日不另计；'.repeat(60))
    expect(short.sealedOffer.length).toBe(long.sealedOffer.length)
    expect(short.sealedContact?.length).toBe(long.sealedContact?.length)
  })
})

describe('what others do about a demand or a lessor', () => {
  // Demands of the tests before stay as they are when the deadline of this test's own passes.
  beforeEach(async () => {
    const later = new Date(monday.getTime() + 30 * 86_400_000)
    await db.updateTable('demand').set({ quoteDeadline: later }).where('status', '=', '3').execute()
  })
  afterEach(() => world.clock.set(monday))

  const figures = async () => ({
    visitor: (await cast.visitor.call(getLessor, { params: { id: cast.lessor.companyId } })).data,
    operator: (await cast.operator.call(getCompany, { params: { id: cast.lessor.companyId } })).data,
  })
  const factsOf = async (id: number) => {
    const { quoteCount, events } = (await cast.project.call(getOwnDemand, { params: { id } })).data
    return { quoteCount, events, chain: (await cast.project.call(getChain, { params: { id } })).data }
  }

  test('an amendment moves no figure of those who have quoted', async () => {
    const demand = await world.givenDemand()
    await world.givenQuote(cast.lessor, demand, [ids.machine])
    const before = await figures()
    const { version } = (await cast.project.call(getOwnDemand, { params: { id: demand.id } })).data
    const items = demand.items.map(({ id }) => ({ ...world.demandItem({ qty: 1 }), id }))
    const body = { ...world.demandBody({ items }), id: demand.id, version, changeReason: '数量减少' }
    expect((await cast.project.call(amendDemand, { body })).code).toBe(200)
    expect((await db.selectFrom('quote').where('demandId', '=', demand.id).select('status').executeTakeFirst())?.status).toBe('3')
    expect(await figures()).toEqual(before)
  })

  test('a demand that fails unopened keeps its quotes sealed: no name, no code, no offer', async () => {
    const demand = await world.givenDemand({ minQuotes: 3 })
    const { quoteCode } = await world.givenQuote(cast.lessor, demand, [ids.machine])
    const before = await figures()
    world.passDeadline()
    await openDueDemands(services)
    expect((await cast.lessee.call(failDemand, { params: { id: demand.id }, body: { reason: '报价不足' } })).code).toBe(200)
    for (const who of owners) {
      const received = await cast[who].call(quoteContract.listReceived, { query: { demandId: demand.id } })
      expect(received.data).toEqual({ total: 1, rows: [] })
      expect((await cast[who].call(quoteContract.compareQuotes, { params: { demandId: demand.id } })).code).toBe(403)
      expect((await cast[who].call(exportEvidence, { params: { id: demand.id } })).code).toBe(403)
      const { data } = await cast[who].call(getChain, { params: { id: demand.id } })
      expect(data.links.find(({ move }) => move === 'quote')?.detail).toBeNull()
      expect(data.receipts).toMatchObject([{ quoteCode, offer: null }])
    }
    expect((await factsOf(demand.id)).events.map(({ move }) => move)).toEqual(['publish', 'fail'])
    expect(await figures()).toEqual(before)
  })

  test('an emergency restriction tells nobody whether the lessor has quoted', async () => {
    const demand = await world.givenDemand()
    const quote = await world.givenQuote(cast.lessor, demand, [ids.machine])
    const before = await factsOf(demand.id)
    const restriction = {
      companyId: cast.lessor.companyId,
      level: 2,
      scopeDeptId: depts.projectDept,
      reasonCode: 'accident',
      facts: '2026 年 10 月 8 日，该企业的两台装载机未经同意撤离工地，经三次书面催告后仍未返场，造成路基施工停工四天，有监理签认记录为证。',
      fromDay: '2026-11-23',
      toDay: '2027-11-23',
      evidenceIds: [await givenFile(world, cast.project)],
    }
    const { data } = await cast.project.call(proposeBlacklist, { body: restriction })
    expect((await cast.lessee.call(emergencyBlacklist, { params: { id: data.id }, body: { version: 1, note: '事故' } })).code).toBe(200)
    expect((await db.selectFrom('quote').where('id', '=', quote.id).select('status').executeTakeFirst())?.status).toBe('10')
    expect(await factsOf(demand.id)).toEqual(before)
    world.passDeadline()
    await openDueDemands(services)
    const opened = await factsOf(demand.id)
    expect(opened.quoteCount).toBe(0)
    expect(opened.events.map(({ move }) => move)).toEqual(['publish', 'quote', 'blacklist', 'open'])
  })

  test('visitors and lessors are never told how many have quoted', async () => {
    for (const who of ['visitor', 'newcomer', 'lessor', 'lessor2', 'stranger'] as const) {
      const { data } = await cast[who].call(listPublicDemands, { query: { pageSize: 100 } })
      expect(data.rows.length).toBeGreaterThan(0)
      expect(JSON.stringify(data)).not.toContain('quoteCount')
    }
  })
})
