import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import readSheets from 'read-excel-file/node'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { exportContractEvidence, exportContracts, getContract, listContracts } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { lapseOf } from '#shared/contract/rules.ts'
import { getOwnDemand } from '#shared/demand/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getDemandForLessor, giveUpQuote } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { waitingForLocks } from '#test/held-rows.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { findActor } from '../actor/actor.ts'
import { transact } from '../deed.ts'
import { draftDueContracts } from './draft.ts'
import { lapseDueAwards, lapsesAt, remindOfDrafts, undecided } from './lapse.ts'
import { freezeAndSend } from './moves.ts'
import { frozenText } from './text.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
const { givenAwarded, givenDraft, send, confirm, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const hours = (n: number) => pass(n * 3600)
const days = (n: number) => hours(n * 24)
const read = async (person: Person, id: number) => (await person.call(getContract, { params: { id } })).data
const statusOf = async (id: number) =>
  (await db.selectFrom('contract').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status
const blames = async (demandId: number) =>
  (await db.selectFrom('awardLapse').where('demandId', '=', demandId).orderBy('id').select('blame').execute()).map(({ blame }) => blame)
const recall = (id: number) => cast.project.call(calls.recallContract, { params: { id } })

test('a contract that is recalled after the due moment may be sent again for a day, of which the lessee is warned; then the award lapses', async () => {
  const { id, demand } = await givenDraft({ alone: true })
  days(6)
  expect((await send(cast.project, id)).code).toBe(200)
  days(3)
  const sent = await read(cast.project, id)
  const dayLater = toMoment(new Date(clock.now().getTime() + 86_400_000))
  expect([sent.may.includes('recall'), sent.lapsesAfterRecall]).toEqual([true, dayLater])
  expect((await recall(id)).code).toBe(200)
  expect((await read(cast.project, id)).lapsesAt).toBe(dayLater)
  hours(23)
  await lapseDueAwards(services)
  expect(await statusOf(id)).toBe('0')
  hours(1)
  await lapseDueAwards(services)
  expect([await statusOf(id), await blames(demand.id)]).toEqual(['7', ['lessee']])
})

test('what would be held beyond the last moment of its award is not recalled', async () => {
  const { id } = await givenDraft({ alone: true })
  for (const wait of [6, 6, 6]) {
    expect((await send(cast.project, id)).code).toBe(200)
    days(wait)
    expect((await recall(id)).code).toBe(200)
  }
  expect((await send(cast.project, id)).code).toBe(200)
  days(2)
  hours(1)
  expect((await recall(id)).msg).toBe(zhCn.refusal.contract_recall_late)
  expect((await read(cast.project, id)).may).not.toContain('recall')
  expect((await confirm(cast.lessor, id)).code).toBe(200)
})

test('a draft that was returned lapses no sooner than an extended due moment', async () => {
  const { id, demand } = await givenDraft({ alone: true })
  await cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body: { days: 10, reason: '等待总部用印' } })
  days(1)
  await send(cast.project, id)
  await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '还要改' } })
  const { data } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
  expect((await read(cast.project, id)).lapsesAt).toBe(data.contracts?.due)
  days(15)
  await lapseDueAwards(services)
  expect(await statusOf(id)).toBe('0')
  days(1)
  await lapseDueAwards(services)
  expect(await blames(demand.id)).toEqual(['lessee'])
})

test('who let an award lapse stands in the void contract, in the list and in its workbook', async () => {
  const { id } = await givenDraft({ alone: true })
  await send(cast.project, id)
  days(7)
  await lapseDueAwards(services)
  for (const person of [cast.project, cast.lessor]) {
    expect((await read(person, id)).lapseBlame).toBe('lessor')
    const { data } = await person.call(listContracts, { query: { status: '7', pageSize: 1 } })
    expect(data.rows).toMatchObject([{ id, lapseBlame: 'lessor', lapsesAt: null }])
  }
  const [sheet] = await readSheets((await cast.project.call(exportContracts, { query: { status: '7' } })).bytes)
  const [head = [], first = []] = sheet?.data ?? []
  expect(first[head.indexOf(zhCn.contract.pages.lapseBlame)]).toBe(zhCn.contract.blame.lessor)
  // A contract that ended without a lapse blames nobody.
  const given = await givenAwarded({ alone: true })
  const { ids } = (await cast.project.call(calls.draftContracts, { params: { id: given.demand.id } })).data
  await cast.lessor.call(giveUpQuote, { params: { id: given.quoteOf(cast.lessor) }, body: { reason: '设备故障' } })
  expect((await read(cast.project, ids[0] ?? 0)).lapseBlame).toBeNull()
})

test('the chain of a contract says who ended it: the lessee, the lessor, or the clock', async () => {
  const ending = async (person: Person, id: number) => {
    const [event] = (await read(person, id)).events
    return [event?.move, event?.side, event?.who, event?.note]
  }
  const given = await givenDraft({ alone: true })
  await cast.project.call(calls.voidContract, { params: { id: given.id }, body: { reason: '工程取消' } })
  expect(await ending(cast.project, given.id)).toEqual(['void', 'lessee', 'project甲', '工程取消'])

  const left = await givenAwarded({ alone: true })
  const [draft = 0] = (await cast.project.call(calls.draftContracts, { params: { id: left.demand.id } })).data.ids
  await cast.lessor.call(giveUpQuote, { params: { id: left.quoteOf(cast.lessor) }, body: { reason: '设备故障' } })
  expect(await ending(cast.project, draft)).toEqual(['void', 'lessor', '成都恒岳机械租赁有限公司', '设备故障'])

  // After more time was asked for the same step takes another way.
  const waiting = await givenDraft({ alone: true })
  await cast.project.call(calls.moveContractDue, { params: { id: waiting.demand.id }, body: { days: 15, reason: '等待总部用印' } })
  await cast.lessor.call(giveUpQuote, { params: { id: waiting.quoteOf(cast.lessor) }, body: { reason: '设备另有安排' } })
  expect(await ending(cast.project, waiting.id)).toEqual(['void', 'lessor', '成都恒岳机械租赁有限公司', '设备另有安排'])

  const { id } = await givenDraft({ alone: true })
  days(9)
  await lapseDueAwards(services)
  expect(await ending(cast.project, id)).toEqual(['void', null, '', ''])
  const stored = await db.selectFrom('contractEvent').where('contractId', '=', id).where('move', '=', 'void').select('accountId').execute()
  expect(stored).toEqual([{ accountId: null }])
})

test('what the clock ends is worded in the language of the reader: in the message, on the print and in the evidence pack', async () => {
  const { id } = await givenDraft({ alone: true })
  await send(cast.project, id)
  days(7)
  await lapseDueAwards(services)
  expect((await read(cast.lessor, id)).endReason).toBe('')
  for (const [language, told] of [
    ['zh-CN', '未在期限内签订，已作废'],
    ['en-US', 'was not signed in time and is void'],
  ] as const) {
    const { rows } = (await world.caller(cast.lessor.token, language)(listOwnMessages, { query: { pageSize: 100 } })).data
    expect(rows.filter(({ bizId }) => bizId === String(id)).map(({ content }) => content)).toContainEqual(expect.stringContaining(told))
  }
  const partOf = async (language: 'zh-CN' | 'en-US', name: string) => {
    const pack = unzipSync((await world.caller(cast.lessor.token, language)(exportContractEvidence, { params: { id } })).bytes)
    return Object.entries(pack).find(([path]) => path.endsWith(`/${name}`))?.[1] ?? new Uint8Array()
  }
  const pages = await readPdf(await partOf('en-US', 'contract.pdf'))
  expect(pages.map(({ body }) => body).join('')).toContain('Theawardlapsed.Responsible:Lessor')
  expect(new TextDecoder().decode(await partOf('zh-CN', 'index.html'))).toContain('定标失效，责任方：出租方')
})

test('the lessor is shown that it may leave without blame once the contract is to come later', async () => {
  const { demand } = await givenDraft({ alone: true })
  const won = async () => (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data.quote?.won
  expect((await won())?.isDueMoved).toBe(false)
  await cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body: { days: 10, reason: '等待总部用印' } })
  expect((await won())?.isDueMoved).toBe(true)
})

test('more time to send is told to lessors who were sent no contract, moves no answer of a sent one, and is refused where all are sent', async () => {
  const { id, demand } = await givenDraft()
  expect((await send(cast.project, id)).code).toBe(200)
  const { lapsesAt: before } = await read(cast.lessor, id)
  const extend = () => cast.project.call(calls.moveContractDue, { params: { id: demand.id }, body: { days: 10, reason: '等待总部用印' } })
  const [other = 0] = (await cast.project.call(calls.draftContracts, { params: { id: demand.id } })).data.ids
  expect((await send(cast.project, other)).code).toBe(200)
  expect((await extend()).msg).toBe(zhCn.refusal.contract_due_idle)
  await recall(other)
  expect([(await extend()).code, (await read(cast.lessor, id)).lapsesAt]).toEqual([200, before])
  const moved = db.selectFrom('message').where('kind', '=', 'contractDueMoved').where('bizId', '=', String(demand.id))
  expect(await moved.select('accountId').execute()).toEqual([{ accountId: cast.lessor2.id }])
})

test('an award from before there were contracts has one at a press, which never lapses and is confirmed like any other', async () => {
  const { demand } = await givenAwarded({ alone: true })
  await db.updateTable('award').set({ contractDue: null }).where('demandId', '=', demand.id).execute()
  days(20)
  await draftDueContracts(services)
  const { data } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
  expect(data.contracts).toMatchObject({ due: null, lessors: [{ contract: null }] })
  const drafted = await cast.project.call(calls.draftContracts, { params: { id: demand.id } })
  expect(drafted.data.ids).toHaveLength(1)
  const [id = 0] = drafted.data.ids
  const message = await db
    .selectFrom('message')
    .where('kind', '=', 'contractDrafted')
    .where('bizId', '=', String(id))
    .select('content')
    .executeTakeFirst()
  expect(message?.content).toContain('请完善并发送。')
  days(5)
  await lapseDueAwards(services)
  expect((await read(cast.project, id)).lapsesAt).toBeNull()
  expect((await send(cast.project, id)).code).toBe(200)
  expect((await recall(id)).code).toBe(200)
  expect((await send(cast.project, id)).code).toBe(200)
  expect((await confirm(cast.lessor, id)).code).toBe(200)
})

test('a contract that is sent while the clock is about to end its award is waited for and stays', async () => {
  const { id, demand } = await givenDraft({ alone: true })
  const actor = await findActor({ db, now: clock.now(), isDemo: false }, cast.project.token ?? '')
  if (!actor) throw new Error('signed out')
  days(7)
  const [isSent, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sending = transact(services, { actor, now: clock.now() }, async (deed) => {
    await freezeAndSend(deed, { id, textHash: (await frozenText(deed.db, id)).textHash })
    isSent.resolve()
    await mayCommit.promise
  })
  await isSent.promise
  const lapsing = lapseDueAwards(services)
  await expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0)
  mayCommit.resolve()
  await Promise.all([sending, lapsing])
  expect([await statusOf(id), await blames(demand.id)]).toEqual(['1', []])
})

test('the clock finds what is over by the moment that the rule gives', async () => {
  const { id } = await givenDraft({ alone: true })
  const { awardId } = await db.selectFrom('contract').where('id', '=', id).select('awardId').executeTakeFirstOrThrow()
  const moment = fc.integer({ min: 0, max: 40 * 24 }).map((after) => new Date(monday.getTime() + after * 3_600_000))
  const orNone = fc.option(moment)
  await fc.assert(
    fc.asyncProperty(
      fc.record({ status: fc.constantFrom('0', '1'), contractDue: moment, sentAt: orNone, returnedAt: orNone, recalledAt: orNone }),
      async ({ contractDue, ...facts }) => {
        const sentAt = facts.status === '1' ? (facts.sentAt ?? monday) : facts.sentAt
        await db
          .updateTable('contract')
          .set({ ...facts, sentAt, textHash: '0'.repeat(64) })
          .where('id', '=', id)
          .execute()
        await db
          .updateTable('award')
          .set({ contractDue })
          .where('id', '=', awardId ?? 0)
          .execute()
        const row = await undecided(db).where('contract.id', '=', id).select(lapsesAt.as('lapsesAt')).executeTakeFirstOrThrow()
        expect(row.lapsesAt.slice(0, 19)).toBe(toMoment(lapseOf(row)?.at ?? monday))
      },
    ),
    { numRuns: 100 },
  )
})

type Copied = { contractDue: Date; status: '0' | '1'; sentAt: Date | null; remindedOn: string | null }

/** Copies a contract with its demand, award and quote beyond the size of a batch. */
async function multiply(contractId: number, firstId: number, { contractDue, ...contract }: Copied): Promise<void> {
  const { demandId, awardId, lessorCompanyId } = await db
    .selectFrom('contract')
    .where('id', '=', contractId)
    .select(['demandId', 'awardId', 'lessorCompanyId'])
    .executeTakeFirstOrThrow()
  const quote = await db
    .selectFrom('quote')
    .where('demandId', '=', demandId ?? 0)
    .where('companyId', '=', lessorCompanyId)
    .select('id')
    .executeTakeFirstOrThrow()
  const copy = async (table: string, id: number | null, changes: object) => {
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
    const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
    const links = { award: ['demand_id'], quote: ['demand_id'], contract: ['demand_id', 'award_id'] }[table] ?? []
    const numbered = sql.join([...['id', ...links].map((name) => sql`${name}::text, n`), sql`${`${table}_code`}::text, 'XX' || n`])
    await sql`insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from (select (jsonb_populate_record(t, ${JSON.stringify(changes)}::jsonb || jsonb_build_object(${numbered}))).*
        from ${sql.table(table)} t, generate_series(${firstId}::int, ${firstId + 520}::int) n where t.id = ${id}) copied`.execute(db)
  }
  await copy('demand', demandId, {})
  await copy('award', awardId, { contract_due: contractDue })
  await copy('quote', quote.id, {})
  const { status, sentAt, remindedOn } = contract
  await copy('contract', contractId, { status, sent_at: sentAt, reminded_on: remindedOn, text_hash: '0'.repeat(64) })
}

describe('time', () => {
  test('the clock drafts once the lessor may no longer step back; an award from before never lapses', async () => {
    const { demand } = await givenAwarded()
    const count = async () =>
      (await db.selectFrom('contract').where('demandId', '=', demand.id).where('status', '<>', '7').select('id').execute()).length
    await draftDueContracts(services)
    expect(await count()).toBe(0)
    days(2)
    pass(60)
    await draftDueContracts(services)
    await draftDueContracts(services)
    expect(await count()).toBe(2)
    await db.updateTable('award').set({ contractDue: null }).where('demandId', '=', demand.id).execute()
    days(100)
    await lapseDueAwards(services)
    expect(await count()).toBe(2)
    await db.deleteFrom('contractPerson').execute()
  })

  test('unsent for seven days the award lapses by the lessee’s fault, the machine is free and the rest is asked for again', async () => {
    const { demand, id, quoteOf } = await givenDraft()
    days(4)
    await remindOfDrafts(services)
    await remindOfDrafts(services)
    const due = await db.selectFrom('message').where('kind', '=', 'contractDue').where('bizId', '=', String(id)).select('content').execute()
    expect(due).toEqual([{ content: expect.stringMatching(/^合同 HT\S+（.+）尚未发送，请在 .+ 前发送，逾期定标失效，责任记在承租方。$/) }])
    days(4)
    await draftDueContracts(services)
    await lapseDueAwards(services)
    expect(await blames(demand.id)).toEqual(['lessee', 'lessee'])
    // They are not told that what has lapsed is theirs.
    const late = await cast.lessor.call(calls.acceptAward, { params: { id: quoteOf(cast.lessor) } })
    expect(late.msg).toBe(zhCn.refusal.quote_changed)
    expect(await statusOf(id)).toBe('7')
    const quote = await db.selectFrom('quote').where('id', '=', quoteOf(cast.lessor)).select('status').executeTakeFirstOrThrow()
    expect(quote.status).toBe('9')
    const { data } = await cast.project.call(getOwnDemand, { params: { id: demand.id } })
    expect([data.status, data.winners]).toEqual(['6', []])
    const lines = db.selectFrom('contractLine').where('contractId', '=', id).select('id')
    expect(await db.selectFrom('equipmentBooking').where('contractLineId', 'in', lines).select('id').execute()).toEqual([])
  })

  test('unanswered for seven days it lapses by the lessor’s fault; returned and resent too long, by nobody’s', async () => {
    const silent = await givenDraft({ alone: true })
    await send(cast.project, silent.id)
    days(6)
    await lapseDueAwards(services)
    expect(await statusOf(silent.id)).toBe('1')
    days(2)
    await lapseDueAwards(services)
    expect(await blames(silent.demand.id)).toEqual(['lessor'])

    const returned = await givenDraft({ alone: true })
    for (const wait of [5, 5, 5]) {
      await send(cast.project, returned.id)
      days(wait)
      await cast.lessor.call(calls.returnContract, { params: { id: returned.id }, body: { comment: '还要改' } })
    }
    days(5)
    await lapseDueAwards(services)
    expect(await statusOf(returned.id)).toBe('0')
    days(2)
    await lapseDueAwards(services)
    expect(await blames(returned.demand.id)).toEqual(['none'])
  })

  test('more time is given once; whoever steps back or gives the draft up ends it', async () => {
    const { demand, id } = await givenDraft({ alone: true })
    const more = { params: { id: demand.id }, body: { days: 10, reason: '等待总部用印' } }
    expect((await cast.lessor.call(calls.moveContractDue, more)).code).toBe(404)
    expect((await cast.project.call(calls.moveContractDue, more)).code).toBe(200)
    expect((await cast.project.call(calls.moveContractDue, more)).msg).toBe(zhCn.refusal.contract_due_moved)
    days(15)
    await lapseDueAwards(services)
    expect(await statusOf(id)).toBe('0')
    expect((await cast.project.call(calls.voidContract, { params: { id }, body: { reason: '工程取消' } })).code).toBe(200)
    expect([await statusOf(id), await blames(demand.id)]).toEqual(['7', ['lessee']])

    const other = await givenAwarded({ alone: true })
    await cast.project.call(calls.draftContracts, { params: { id: other.demand.id } })
    const leaving = { params: { id: other.quoteOf(cast.lessor) }, body: { reason: '设备故障' } }
    expect((await cast.lessor.call(giveUpQuote, leaving)).code).toBe(200)
    const drafts = await db.selectFrom('contract').where('demandId', '=', other.demand.id).select('status').execute()
    expect(drafts.map(({ status }) => status)).toEqual(['7'])

    const waiting = await givenDraft({ alone: true })
    await cast.project.call(calls.moveContractDue, { params: { id: waiting.demand.id }, body: { days: 15, reason: '等待总部用印' } })
    days(10)
    const blameless = { params: { id: waiting.quoteOf(cast.lessor) }, body: { reason: '设备另有安排' } }
    expect((await cast.lessor.call(giveUpQuote, blameless)).code).toBe(200)
    expect([await statusOf(waiting.id), await blames(waiting.demand.id)]).toEqual(['7', ['none']])

    const accepted = await givenDraft({ alone: true })
    const late = { params: { id: accepted.quoteOf(cast.lessor) }, body: { reason: '设备故障' } }
    expect((await cast.lessor.call(giveUpQuote, late)).msg).toBe('已接受中选，不能再放弃')
    expect((await cast.lessor.call(calls.acceptAward, { params: { id: accepted.quoteOf(cast.lessor) } })).code).toBe(409)
  })
})

// The last test: its copies would keep the clock of the others busy.
test('more than a batch of awards that wait hides none whose time is over, and no reminder that is due', async () => {
  const over = await givenDraft({ alone: true })
  const soon = await givenDraft({ alone: true })
  await cast.project.call(calls.moveContractDue, { params: { id: soon.demand.id }, body: { days: 2, reason: '等待总部用印' } })
  const waiting = await givenDraft({ alone: true })
  days(7)
  // Due long ago, sent since, and the lessor has time to answer.
  await multiply(waiting.id, 10_000, { contractDue: monday, status: '1', sentAt: clock.now(), remindedOn: null })
  // Due before the other, and reminded of already.
  const inADay = new Date(clock.now().getTime() + 86_400_000)
  await multiply(waiting.id, 20_000, { contractDue: inADay, status: '0', sentAt: null, remindedOn: '2026-12-30' })
  const told = await remindOfDrafts(services)
  await lapseDueAwards(services)
  expect([told, await statusOf(over.id), await statusOf(soon.id)]).toEqual([1, '7', '0'])
})
