import { afterAll, beforeEach, expect, test } from 'vitest'
import { toMoment } from '#shared/calendar.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { listLessors } from '#shared/company/contract.ts'
import { companyStatus } from '#shared/company/rules.ts'
import { getOwnDemand, lookAtContact, publishDemand } from '#shared/demand/contract.ts'
import { amendDemand, cancelDemand, extendDemand, failDemand, rejectDemand, takeDemandDown } from '#shared/demand/moves.ts'
import { saveMessageConfig } from '#shared/message/contract.ts'
import { listOutbox } from '#shared/outbox/contract.ts'
import { paths } from '#shared/paths.ts'
import { answerQuestion, askQuestion, listQuestions } from '#shared/question/contract.ts'
import * as quoting from '#shared/quote/contract.ts'
import { givenFile } from '#test/given-file.ts'
import { inTransaction, whileChanging } from '#test/held-rows.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import type { Tx } from '../db/connect.ts'
import { openDueDemands } from '../opening/due.ts'
import { notifyWaiting } from '../quote/notices.ts'

const world = await openWorld()
const { db, cast, clock } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const [first, second] = [cast.lessor.companyId, cast.lessor2.companyId]
const own = async (id: number) => (await cast.project.call(getOwnDemand, { params: { id } })).data

const approvesDemands = (on: boolean) => db.updateTable('dept').set({ approvesDemands: on }).where('id', '=', world.depts.root).execute()

const amendOf =
  (demandId: number) =>
  async (companyIds: number[], changes: object = {}, by = cast.project) => {
    const { version, items } = await own(demandId)
    const lines = items.map(({ id }) => ({ ...world.demandItem(), id }))
    const body = world.demandBody({ demandType: '2', invitedCompanyIds: companyIds, ...changes })
    return by.call(amendDemand, { body: { ...body, id: demandId, version, items: lines, changeReason: '范围调整' } })
  }
async function givenInvited(...invitedCompanyIds: number[]) {
  const demand = await world.givenDemand({ demandType: '2', invitedCompanyIds })
  return { demand, amend: amendOf(demand.id) }
}
const told = async (accountId: number, kind: 'demandInvited' | 'demandUninvited', demandId: number) =>
  (
    await db
      .selectFrom('message')
      .where('accountId', '=', accountId)
      .where('kind', '=', kind)
      .where('bizId', '=', String(demandId))
      .select('content')
      .execute()
  ).map(({ content }) => content)

test('whoever leaves the list of the invited is told why, whoever joins it is invited, and the timeline names both', async () => {
  const { demand, amend } = await givenInvited(first)
  expect(await told(cast.lessor.id, 'demandInvited', demand.id)).toHaveLength(1)
  expect((await amend([second])).code).toBe(200)
  expect(await told(cast.lessor.id, 'demandUninvited', demand.id)).toEqual([expect.stringContaining('范围调整')])
  expect(await told(cast.lessor2.id, 'demandInvited', demand.id)).toHaveLength(1)
  const { events } = await own(demand.id)
  expect(events.map(({ move, note }) => [move, note]).slice(1)).toEqual([
    ['uninvite', '成都恒岳机械租赁有限公司'],
    ['invite', '武汉昌磐机械租赁有限公司'],
    ['amend', '范围调整'],
  ])
  const machine = await world.givenMachine(first)
  expect((await cast.lessor.call(quoting.submitQuote, { body: world.quoteBody(demand, [machine]) })).code).toBe(404)
  expect((await amend([second])).code).toBe(200)
  expect(await told(cast.lessor2.id, 'demandInvited', demand.id)).toHaveLength(1)
})

test('while nobody was told of the demand, a change of its list tells nobody either; the notice invites each lessor of the list once', async () => {
  const body = world.demandBody({ demandType: '2', invitedCompanyIds: [first] })
  const { id } = (await cast.project.call(publishDemand, { body })).data
  expect((await amendOf(id)([second])).code).toBe(200)
  const heard = async () => [
    (await told(cast.lessor.id, 'demandInvited', id)).length + (await told(cast.lessor.id, 'demandUninvited', id)).length,
    (await told(cast.lessor2.id, 'demandInvited', id)).length,
  ]
  expect(await heard()).toEqual([0, 0])
  await notifyWaiting(world.services)
  expect(await heard()).toEqual([0, 1])
})

test('a notice that the job has taken up tells the list as it was, so a change meanwhile tells whoever joins', async () => {
  const body = world.demandBody({ demandType: '2', invitedCompanyIds: [first] })
  const { id } = (await cast.project.call(publishDemand, { body })).data
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('demandNotice').where('demandId', '=', id).execute()
    expect((await amendOf(id)([first, second])).code).toBe(200)
  })
  expect(await told(cast.lessor2.id, 'demandInvited', id)).toHaveLength(1)
})

test('an invitation to a public demand is told when it is published and when somebody joins later; whoever leaves may still quote', async () => {
  await world.givenMachine(first)
  const demand = await world.givenDemand({ invitedCompanyIds: [first] })
  const kinds = async () =>
    (
      await db.selectFrom('message').where('accountId', '=', cast.lessor.id).where('bizId', '=', String(demand.id)).select('kind').execute()
    ).map(({ kind }) => kind)
  expect(await kinds()).toEqual(['demandInvited'])
  expect((await own(demand.id)).notifiedCount).toBe(1)
  expect((await amendOf(demand.id)([second], { demandType: '1' })).code).toBe(200)
  expect(await kinds()).toEqual(['demandInvited'])
  expect(await told(cast.lessor2.id, 'demandInvited', demand.id)).toHaveLength(1)
  expect((await own(demand.id)).events.map(({ move }) => move)).toEqual(['publish', 'uninvite', 'invite', 'amend'])
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(first)])
  const { data } = await cast.lessor.call(quoting.getDemandForLessor, { params: { id: demand.id } })
  expect(data.isUninvited).toBe(false)
})

test('a quote that was submitted stays in the running when its lessor leaves the list; they may confirm it, and no number betrays it', async () => {
  const { demand, amend } = await givenInvited(first, second)
  const quote = await world.givenQuote(cast.lessor, demand, [await world.givenMachine(first)])
  const before = (await own(demand.id)).quoteCount
  await amend([second], { terms: '须配备随车工具' })
  expect((await own(demand.id)).quoteCount).toBe(before)
  const seen = (await cast.lessor.call(quoting.getDemandForLessor, { params: { id: demand.id } })).data
  expect([seen.bar, seen.quote?.status]).toEqual([null, '3'])
  // The page says before they withdraw that there is no way back, and so does the notice.
  const isUninvited = async (by: Person) => (await by.call(quoting.getDemandForLessor, { params: { id: demand.id } })).data.isUninvited
  expect([seen.isUninvited, await isUninvited(cast.lessor2)]).toEqual([true, false])
  expect(await told(cast.lessor.id, 'demandUninvited', demand.id)).toEqual([expect.stringContaining('撤回后不能再报价')])
  const body = { version: seen.quote?.version ?? 0, demandRevision: seen.revision }
  const confirmed = await cast.lessor.call(quoting.confirmQuote, { params: { id: quote.id }, body })
  expect(confirmed.code).toBe(200)
  world.passDeadline()
  await openDueDemands(world.services)
  const { data } = await cast.project.call(quoting.compareQuotes, { params: { demandId: demand.id } })
  expect(data.quotes.map(({ companyId }) => companyId)).toEqual([first])
})

test('nobody is invited whom the picker does not offer: who is not certified, is locked or on the blacklist of the platform', async () => {
  const invite = async () => {
    const answer = await cast.project.call(publishDemand, { body: world.demandBody({ demandType: '2', invitedCompanyIds: [second] }) })
    const fields = (answer.data as { errors?: { field: string }[] }).errors?.map(({ field }) => field)
    return [answer.code, fields]
  }
  const listed = { lessorAudit: certificationStatus.passed, status: companyStatus.active, blacklistedAt: null }
  const company = (values: object) => db.updateTable('company').set(values).where('id', '=', second).execute()
  for (const change of [{ lessorAudit: certificationStatus.expired }, { status: companyStatus.locked }, { blacklistedAt: monday }]) {
    await company(change)
    const { rows } = (await cast.project.call(listLessors, { query: { pageSize: 50 } })).data
    expect(rows.map(({ id }) => id)).not.toContain(second)
    expect(await invite()).toEqual([422, ['invitedCompanyIds']])
    await company(listed)
  }
  expect(await invite()).toEqual([200, undefined])
})

test('a demand is corrected though an invited lessor has lost their standing since; nobody like that joins, and they may be left out', async () => {
  const { demand, amend } = await givenInvited(first, second)
  const standing = (values: object) => db.updateTable('company').set(values).where('id', '=', second).execute()
  await standing({ lessorAudit: certificationStatus.expired })
  await approvesDemands(true)
  expect((await amend([first, second], { contactPhone: '14400000009' })).code).toBe(200)
  expect((await own(demand.id)).events.map(({ move }) => move)).toEqual(['publish', 'amend'])
  await approvesDemands(false)
  expect((await amend([first, cast.lapsed.companyId])).code).toBe(422)
  expect((await amend([first])).code).toBe(200)
  expect((await amend([first, second])).code).toBe(422)
  await standing({ lessorAudit: certificationStatus.passed })
  expect((await amend([first, second])).code).toBe(200)
})

const reads = async (who: Person, demandId: number, fileId: string) => ({
  market: (await who.call(quoting.getDemandForLessor, { params: { id: demandId } })).code,
  questions: (await who.call(listQuestions, { params: { demandId } })).code,
  contact: (await who.call(lookAtContact, { params: { id: demandId } })).code,
  // A file itself has no code.
  file: (await world.send({ method: 'GET', url: `/prod-api/file/${fileId}`, token: who.token })).code || 200,
})
const all = { market: 200, questions: 200, contact: 200, file: 200 }
const none = { market: 404, questions: 404, contact: 404, file: 404 }

test('whoever has quoted reads questions, files and contact when they have left the list, and when the demand was cancelled', async () => {
  const fileId = await givenFile(world, cast.project)
  const { demand, amend } = await givenInvited(first, second)
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(first)])
  expect((await amend([cast.lapsed.companyId], { attachmentIds: [fileId] })).code).toBe(422)
  await db.updateTable('company').set({ lessorAudit: '2' }).where('id', '=', cast.lapsed.companyId).execute()
  expect((await amend([cast.lapsed.companyId], { attachmentIds: [fileId] })).code).toBe(200)
  await db.updateTable('company').set({ lessorAudit: '4' }).where('id', '=', cast.lapsed.companyId).execute()
  expect(await reads(cast.lessor, demand.id, fileId)).toEqual(all)
  expect(await reads(cast.lessor2, demand.id, fileId)).toEqual(none)
  expect((await cast.project.call(cancelDemand, { params: { id: demand.id }, body: { reason: '方案调整' } })).code).toBe(200)
  expect(await reads(cast.lessor, demand.id, fileId)).toEqual(all)
  expect(await reads(cast.lessor2, demand.id, fileId)).toEqual(none)
})

test('an invited lessor reads nothing of a demand that waits for approval, was sent back or is deleted', async () => {
  const fileId = await givenFile(world, cast.project)
  await approvesDemands(true)
  const body = world.demandBody({ demandType: '2', invitedCompanyIds: [first], attachmentIds: [fileId] })
  const { id } = (await cast.project.call(publishDemand, { body })).data
  expect(await reads(cast.lessor, id, fileId)).toEqual(none)
  expect((await cast.lessee.call(rejectDemand, { params: { id }, body: { version: 1, reason: '先用内部设备' } })).code).toBe(200)
  expect(await reads(cast.lessor, id, fileId)).toEqual(none)
  await approvesDemands(false)
  expect((await cast.project.call(publishDemand, { body: { ...body, draftId: id } })).code).toBe(200)
  expect(await reads(cast.lessor, id, fileId)).toEqual(all)
  await db.updateTable('demand').set({ delFlag: '2' }).where('id', '=', id).execute()
  expect(await reads(cast.lessor, id, fileId)).toEqual(none)
})

test('a colleague amends a demand, and hands a returned one in again, with the files that somebody else attached', async () => {
  const attachmentIds = [await givenFile(world, cast.project), await givenFile(world, cast.project)]
  const attached = async (id: number) => (await own(id)).attachments.map(({ fileId }) => fileId)
  const { demand, amend } = await givenInvited(first)
  expect((await amend([first], { attachmentIds })).code).toBe(200)
  expect((await amend([first], { attachmentIds }, cast.lessee)).code).toBe(200)
  expect(await attached(demand.id)).toEqual(attachmentIds)
  const fewer = attachmentIds.slice(1)
  expect((await amend([first], { attachmentIds: fewer }, cast.lessee)).code).toBe(200)
  expect(await attached(demand.id)).toEqual(fewer)
  expect((await amend([first])).code).toBe(200)
  expect(await attached(demand.id)).toEqual([])

  await approvesDemands(true)
  const files = [await givenFile(world, cast.project)]
  const body = world.demandBody({ attachmentIds: files })
  const { id } = (await cast.project.call(publishDemand, { body })).data
  expect((await cast.lessee.call(rejectDemand, { params: { id }, body: { version: 1, reason: '先用内部设备' } })).code).toBe(200)
  expect((await cast.lessee.call(publishDemand, { body: { ...body, draftId: id } })).data).toMatchObject({ id, status: '3' })
  expect(await attached(id)).toEqual(files)
  await approvesDemands(false)
})

const later = toMoment(new Date(monday.getTime() + 5 * 86_400_000))
const extend = (id: number) => cast.project.call(extendDemand, { params: { id }, body: { quoteDeadline: later, reason: '再等两家' } })
const cancel = (id: number) => cast.project.call(cancelDemand, { params: { id }, body: { reason: '方案调整' } })
const newsOf = async (who: Pick<Person, 'id'>, demandId: number) =>
  (
    await db
      .selectFrom('message')
      .where('accountId', '=', who.id)
      .where('bizId', '=', String(demandId))
      .orderBy('id')
      .select(['kind', 'content', 'link'])
      .execute()
  ).map(({ kind, content, link }) => [kind, content, link] as const)

test('the invited who have not quoted hear of a later deadline, a change, an answer and the end; by SMS nobody sees it before the opening', async () => {
  const third = cast.lapsed
  const certify = (lessorAudit: '2' | '4') => db.updateTable('company').set({ lessorAudit }).where('id', '=', third.companyId).execute()
  await certify('2')
  const bySms = { inApp: '1', push: '1', sms: '1', quietFrom: '', quietTo: '' }
  const body = ['需求变更通知', '答疑通知'].map((systemSubject) => ({ systemSubject, ...bySms }))
  expect((await third.call(saveMessageConfig, { body })).code).toBe(200)
  const { demand, amend } = await givenInvited(first, second)
  await world.givenQuote(cast.lessor2, demand, [await world.givenMachine(second)])
  expect((await extend(demand.id)).code).toBe(200)
  // Whoever joins is invited to the demand as it is then, and is not told of the change as well.
  expect((await amend([first, second, third.companyId], { terms: '须配备随车工具', quoteDeadline: later })).code).toBe(200)
  const { data } = await third.call(askQuestion, { body: { demandId: demand.id, content: '夜间能进场吗？' } })
  expect((await cast.project.call(answerQuestion, { params: { id: data.id }, body: { answer: '可以' } })).code).toBe(200)
  // Whoever leaves hears of that alone.
  expect((await amend([second, third.companyId], { terms: '须配备随车工具', quoteDeadline: later })).code).toBe(200)
  expect((await cancel(demand.id)).code).toBe(200)

  const page = paths.marketDemand(demand.id)
  expect(await newsOf(cast.lessor, demand.id)).toEqual([
    ['demandInvited', expect.any(String), page],
    ['demandExtended', expect.stringMatching(/截止延至 2026-11-28 10:00，原因：再等两家$/), page],
    ['demandChanged', expect.stringContaining('范围调整。报价截止为 2026-11-28 10:00。'), page],
    ['questionAnswered', expect.stringContaining('可以'), page],
    ['demandUninvited', expect.any(String), paths.marketIn('quoted')],
  ])
  const kindsOf = async (who: Pick<Person, 'id'>) => (await newsOf(who, demand.id)).map(([kind]) => kind)
  expect(await kindsOf(third)).toEqual(['demandInvited', 'questionAnswered', 'demandChanged', 'demandCancelled'])
  // What was cancelled is shown to bidders only.
  expect((await newsOf(third, demand.id)).at(-1)?.[2]).toBe(paths.marketIn('open'))
  expect((await kindsOf(cast.lessor2)).slice(1)).toEqual([
    'demandExtended',
    'demandAmended',
    'questionAnswered',
    'demandCorrected',
    'demandCancelled',
  ])
  const notices = db.selectFrom('outbox').where('accountId', '=', third.id).select('sealedBy')
  expect((await notices.execute()).map(({ sealedBy }) => sealedBy)).toEqual([demand.id, demand.id, demand.id])
  const { phonenumber } = await db.selectFrom('account').where('id', '=', third.id).select('phonenumber').executeTakeFirstOrThrow()
  expect((await cast.operator.call(listOutbox, { query: { phonenumber: phonenumber ?? '' } })).data.total).toBe(0)
  await certify('4')
})

test('while the notice of a demand waits, the invited hear neither of its extension nor of its end', async () => {
  const body = world.demandBody({ demandType: '2', invitedCompanyIds: [first] })
  const { id } = (await cast.project.call(publishDemand, { body })).data
  expect([(await extend(id)).code, (await cancel(id)).code]).toEqual([200, 200])
  await notifyWaiting(world.services)
  expect(await newsOf(cast.lessor, id)).toEqual([])
})

const ask = async (who: Person, demandId: number) =>
  (await who.call(askQuestion, { body: { demandId, content: '夜间能进场吗？' } })).data.id
const answer = async (id: number) => (await cast.project.call(answerQuestion, { params: { id }, body: { answer: '可以' } })).code
const newsKinds = async (who: Pick<Person, 'id'>, demandId: number) => (await newsOf(who, demandId)).map(([kind]) => kind)

test.each([{ lessorAudit: certificationStatus.expired }, { lessorAudit: certificationStatus.revoked }, { status: companyStatus.locked }])(
  'neither who has left the list nor who is no lessor any more hears of a demand that they cannot open, an answer to their question included: %o',
  async (ended) => {
    const { demand, amend } = await givenInvited(first, second)
    const questions = [await ask(cast.lessor, demand.id), await ask(cast.lessor2, demand.id)]
    expect((await amend([second])).code).toBe(200)
    const company = (values: object) => db.updateTable('company').set(values).where('id', '=', second).execute()
    await company(ended)
    for (const id of questions) expect(await answer(id)).toBe(200)
    expect((await extend(demand.id)).code).toBe(200)
    await company({ lessorAudit: certificationStatus.passed, status: companyStatus.active })
    expect(await newsKinds(cast.lessor, demand.id)).toEqual(['demandInvited', 'demandUninvited'])
    expect(await newsKinds(cast.lessor2, demand.id)).toEqual(['demandInvited', 'demandChanged'])
  },
)

test('an answer waits for a quote that is under way, so that each lessor of the list hears of it once', async () => {
  const { demand } = await givenInvited(first, second)
  const question = await ask(cast.lessor2, demand.id)
  await world.givenQuote(cast.lessor, demand, [await world.givenMachine(first)])
  const begin = (tx: Tx) => tx.selectFrom('demand').where('id', '=', demand.id).forNoKeyUpdate().select('id').execute()
  expect(await whileChanging(db, { begin }, [() => answer(question)])).toEqual([200])
  for (const who of [cast.lessor, cast.lessor2]) expect(await newsKinds(who, demand.id)).toEqual(['demandInvited', 'questionAnswered'])
})

test('the invited are told when the platform takes a demand down, and when it fails for too few quotes', async () => {
  const { demand } = await givenInvited(first)
  const down = await cast.operator.call(takeDemandDown, { params: { id: demand.id }, body: { reason: '信息不实' } })
  expect(down.code).toBe(200)
  expect((await newsOf(cast.lessor, demand.id)).at(-1)).toEqual([
    'demandTakenDown',
    expect.stringContaining('信息不实'),
    paths.marketIn('open'),
  ])

  const short = await world.givenDemand({ demandType: '2', invitedCompanyIds: [first, second], minQuotes: 2 })
  await world.givenQuote(cast.lessor2, short, [await world.givenMachine(second)])
  world.passDeadline()
  await openDueDemands(world.services)
  expect((await cast.project.call(failDemand, { params: { id: short.id }, body: { reason: '改为自有设备' } })).code).toBe(200)
  const news = ['demandFailed', expect.stringContaining('改为自有设备'), paths.marketDemand(short.id)]
  expect([(await newsOf(cast.lessor, short.id)).at(-1), (await newsOf(cast.lessor2, short.id)).at(-1)]).toEqual([news, news])
  expect((await cast.lessor.call(quoting.getDemandForLessor, { params: { id: short.id } })).code).toBe(200)
})
