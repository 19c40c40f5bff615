import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getContract, getContractText } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { canonicalText } from '#shared/contract/text.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { compareQuotes } from '#shared/quote/contract.ts'
import { clauseWordsOf } from '#shared/text/clause-words.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps, editing } from '#test/given-contract.ts'
import { runMigration } from '#test/run-migration.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenAwarded, givenContract, givenDraft, send } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const [chinese, english] = ['zh-CN', 'en-US'] as const
const textFor = async (who: Person, id: number, language: 'zh-CN' | 'en-US' = chinese) =>
  (await world.caller(who.token, language)(getContractText, { params: { id } })).data

/** Renames both companies and changes a position, as nobody can through the product, and puts everything back. */
async function renamed<T>(id: number, look: () => Promise<T>): Promise<T> {
  const companies = [cast.project.companyId, cast.lessor.companyId]
  const before = await db.selectFrom('company').where('id', 'in', companies).select(['id', 'enterpriseName']).execute()
  const line = await db
    .selectFrom('contractLine')
    .where('contractId', '=', id)
    .select(['id', 'unitPriceFen'])
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('company').set({ enterpriseName: '改名之后有限公司' }).where('id', 'in', companies).execute()
  await db.updateTable('contractLine').set({ unitPriceFen: 1 }).where('id', '=', line.id).execute()
  try {
    return await look()
  } finally {
    for (const { id: company, enterpriseName } of before)
      await db.updateTable('company').set({ enterpriseName }).where('id', '=', company).execute()
    await db.updateTable('contractLine').set({ unitPriceFen: line.unitPriceFen }).where('id', '=', line.id).execute()
  }
}

describe('the text beside a hash', () => {
  test('is the one that was frozen, in both languages, whatever was renamed or changed since; a draft follows its data', async () => {
    const { id } = await givenContract()
    const draft = await givenDraft()
    const before = await Promise.all([textFor(cast.lessor, id), textFor(cast.lessor, id, english)])
    const [draftBefore] = [await textFor(cast.project, draft.id)]
    await renamed(id, async () => {
      expect(await Promise.all([textFor(cast.lessor, id), textFor(cast.lessor, id, english)])).toEqual(before)
      expect(canonicalText((await textFor(cast.project, draft.id)).sections)).toContain('改名之后有限公司')
    })
    const [zh, inEnglish] = before
    expect(sha256(canonicalText(zh.sections))).toBe(zh.textHash)
    expect([zh.language, inEnglish.language, inEnglish.textHash]).toEqual([chinese, english, zh.textHash])
    expect(canonicalText(inEnglish.sections)).toContain('Equipment hire contract')
    expect(draftBefore.textHash).toBe(sha256(draftBefore.text))
  })

  test('is named by the hash that the page has of it, also of a draft, so that another text is told from the one that was read', async () => {
    const { id } = await givenDraft()
    const read = async (who: Person) => (await who.call(getContract, { params: { id } })).data
    const hashes = async (who: Person) => [(await read(who)).textHash, (await textFor(who, id)).textHash]
    const [first, ...others] = await hashes(cast.project)
    expect([first, others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), [first]])
    const seen = await read(cast.project)
    const edit = { body: { ...editing(seen), clauses: { ...seen.clauses, payDays: seen.clauses.payDays + 1 } } }
    expect((await cast.project.call(calls.editContract, edit)).code).toBe(200)
    const [second, written] = await hashes(cast.project)
    expect([second === first, second === written]).toEqual([false, true])
    expect((await send(cast.project, id)).code).toBe(200)
    expect(await hashes(cast.lessor)).toEqual([second, second])
  })

  test('says who confirmed which version with a code, and which amendment made a later one; each version stays readable for those who see it', async () => {
    const { id } = await givenContract()
    const first = await textFor(cast.project, id)
    const { lines } = await read(id)
    const { data } = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: lines[0]?.id ?? 0, value: '2027-04-13' }] })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    const { changeCode } = await db.selectFrom('contractChange').where('id', '=', data.id).select('changeCode').executeTakeFirstOrThrow()
    const second = await textFor(cast.project, id)
    const inEnglish = await textFor(cast.project, id, english)
    expect([first.text, second.text].map((text) => text.includes('双方在平台以短信验证码确认本文本'))).toEqual([true, false])
    expect(second.text).toContain(`第 1 版由双方以短信验证码确认；本版由补充协议 ${changeCode} 形成，双方已在平台确认该补充协议。`)
    expect(canonicalText(inEnglish.sections)).toContain(`this version was made by amendment ${changeCode}`)
    const version = async (who: Person, revision: number) => who.call(getContractText, { params: { id }, query: { revision } })
    for (const who of [cast.project, cast.lessor, cast.auditor]) expect((await version(who, 1)).data).toEqual(first)
    expect((await version(cast.lessor, 2)).data).toEqual(second)
    expect([(await version(cast.lessor, 3)).code, (await version(cast.stranger, 1)).code]).toEqual([404, 404])
  })

  test('of a draft by month names no quantity that an earlier version left there', async () => {
    const { id } = await givenDraft()
    await db.updateTable('contractLine').set({ estQuantity: 20 }).where('contractId', '=', id).execute()
    const text = async () => canonicalText((await textFor(cast.project, id)).sections)
    expect(await text()).toContain('20 月')
    await runMigration(world, '0120_hire_by_time.sql')
    expect(await text()).not.toContain('20 月')
  })

  test('says in how many shifts a machine works and how much is estimated, for the sum is reckoned by both', async () => {
    const { id } = await givenDraft()
    const line = await db.selectFrom('contractLine').where('contractId', '=', id).select('id').executeTakeFirstOrThrow()
    await db.updateTable('contractLine').set({ rentUnit: 'S', shiftMode: 'double', estQuantity: 120 }).where('id', '=', line.id).execute()
    const [zh, inEnglish] = [await textFor(cast.project, id), await textFor(cast.project, id, english)]
    expect(zh.text).toContain('双班作业，预计工作量每台 120 台班')
    expect(canonicalText(inEnglish.sections)).toContain('Double shift, estimated 120 shifts for each machine')
  })

  test('names a machine in English as its quote does, also once its record has changed; any other name stays as it was entered', async () => {
    const { id, demand } = await givenDraft()
    const { quotes } = (await cast.project.call(compareQuotes, { params: { demandId: demand.id } })).data
    const own = quotes.find(({ companyId }) => companyId === cast.lessor.companyId)?.lines.flatMap((line) => line.machines) ?? []
    const quoted = own.map((machine) => machineNameEn(machine))
    expect(quoted).toEqual(['LiuGong 856H Wheel loader'])
    const named = async () => (await cast.project.call(getContract, { params: { id } })).data.lines.map(({ nameEn }) => nameEn)
    const machines = db.updateTable('equipment').where('id', '=', own[0]?.equipmentId ?? 0)
    await machines.set({ name: '徐工 856N 装载机', brand: '徐工', model: '856N' }).execute()
    expect(await named()).toEqual(quoted)
    expect(canonicalText((await textFor(cast.project, id, english)).sections)).toContain(`Position 1: ${quoted[0]},`)
    await machines.set({ name: '柳工 装载机', model: '' }).execute()
    await db.updateTable('contractLine').set({ name: '柳工 装载机', spec: '柳工' }).where('contractId', '=', id).execute()
    expect(await named()).toEqual(['柳工 装载机'])
  })

  test('says that a price and what is charged once are for each machine', async () => {
    const { id } = await givenDraft({ lots: 2 })
    await db.updateTable('contractLine').set({ unitPriceFen: 1_500_000, entryFeeFen: 80_000 }).where('contractId', '=', id).execute()
    const [zh, inEnglish] = [await textFor(cast.project, id), await textFor(cast.project, id, english)]
    for (const part of ['数量 2', '每台单价 ¥15,000.00/月', '一次性费用（每台）：进场费 ¥800.00']) expect(zh.text).toContain(part)
    for (const part of ['Price for each machine CNY 15,000.00 per month', 'Charged once for each machine: transport in ¥800.00'])
      expect(canonicalText(inEnglish.sections)).toContain(part)
  })

  test('says no quantity of a hire by the month, though one was left in the demand', async () => {
    const { demand, quoteOf } = await givenAwarded()
    await db.updateTable('demandItem').set({ estQuantity: 60 }).where('demandId', '=', demand.id).execute()
    expect((await cast.lessor.call(calls.acceptAward, { params: { id: quoteOf(cast.lessor) } })).code).toBe(200)
    const { id } = await db.selectFrom('contract').where('demandId', '=', demand.id).select('id').executeTakeFirstOrThrow()
    const { text } = await textFor(cast.project, id)
    expect([text.includes('单班作业'), text.includes('预计工作量')]).toEqual([true, false])
  })

  test('names for a lifting machine all that its lessor hands over by article 6 of Order 166', async () => {
    const { id } = await givenDraft()
    const lifting = await db
      .selectFrom('category')
      .where(sql<boolean>`flags ->> 'buildingLifting' = 'true'`)
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await db.updateTable('contractLine').set({ categoryId: lifting.id }).where('contractId', '=', id).execute()
    const { text } = await textFor(cast.project, id)
    const papers = ['特种设备制造许可证', '产品合格证', '制造监督检验证明', '备案证明', '自检合格证明', '安装使用说明书']
    for (const paper of papers) expect(text).toContain(paper)
  })

  test('says how a hire shorter than the minimum of a position is charged, where a position has a minimum', async () => {
    const { id } = await givenDraft()
    const words = [zhCn, en].map((text) => clauseWordsOf(text).document.minTerm)
    const saidOf = async (minRentDays: number) => {
      await db.updateTable('contractLine').set({ minRentDays }).where('contractId', '=', id).execute()
      const texts = await Promise.all([textFor(cast.project, id), textFor(cast.project, id, english)])
      return texts.map(({ sections }, at) => canonicalText(sections).includes(words[at] ?? '-'))
    }
    expect([await saidOf(0), await saidOf(60)]).toEqual([
      [false, false],
      [true, true],
    ])
  })

  test('is read in English as it was sent, before the lessor has confirmed', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    const before = await textFor(cast.lessor, id, english)
    await renamed(id, async () => expect(await textFor(cast.lessor, id, english)).toEqual(before))
  })

  test('of a contract that was given up is that of its clauses, unless it was given up as it was sent', async () => {
    const { id } = await givenDraft()
    await send(cast.project, id)
    expect((await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '地址有误' } })).code).toBe(200)
    const body = { ...editing((await cast.project.call(getContract, { params: { id } })).data), address: '双流区新的工地' }
    expect((await cast.project.call(calls.editContract, { body })).code).toBe(200)
    const giveUp = (contractId: number) =>
      cast.project.call(calls.voidContract, { params: { id: contractId }, body: { reason: '工程取消' } })
    expect((await giveUp(id)).code).toBe(200)
    expect((await textFor(cast.project, id)).text).toContain('双流区新的工地')
    expect((await cast.project.call(getContract, { params: { id } })).data.textHash).toBeNull()
    const sent = await givenDraft()
    await send(cast.project, sent.id)
    const before = await textFor(cast.lessor, sent.id)
    expect((await giveUp(sent.id)).code).toBe(200)
    await renamed(sent.id, async () => expect(await textFor(cast.lessor, sent.id)).toEqual(before))
  })

  test('is the Chinese one, and said to be, where an older version has no English text', async () => {
    const { id } = await givenContract()
    await db.updateTable('contract').set({ textEn: '' }).where('id', '=', id).execute()
    const { sections, language, textHash } = await textFor(cast.lessor, id, english)
    expect([language, sha256(canonicalText(sections))]).toEqual([chinese, textHash])
  })
})
