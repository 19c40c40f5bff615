import { afterAll, expect, test } from 'vitest'
import {
  answerBlacklist,
  appealBlacklist,
  decideBlacklist,
  editBlacklist,
  getBlacklist,
  listBlacklist,
  notifyBlacklist,
  proposeBlacklist,
} from '#shared/blacklist/contract.ts'
import { blacklistLevel, blacklistStatus } from '#shared/blacklist/rules.ts'
import { getOverview } from '#shared/system/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { db, cast, depts } = world
afterAll(() => world.close())

async function givenProposal(proposerId: number, deptId: number | null): Promise<number> {
  const { id } = await db
    .insertInto('blacklist')
    .values({
      subjectKind: 'company',
      companyId: cast.lessor.companyId,
      blacklistCode: `HM-${proposerId}`,
      scopeDeptId: deptId,
      proposerDeptId: deptId,
      proposerId,
      level: blacklistLevel.restricted,
      reasonCode: 'quit',
      facts: '中选后无故不进场，'.repeat(10),
      fromDay: '2026-11-23',
      toDay: '2027-11-23',
      status: blacklistStatus.proposed,
      createTime: monday,
      updateTime: monday,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
const isListed = async (decider: Person, id: number) =>
  (await decider.call(listBlacklist, { query: { todo: '1' } })).data.rows.some((row) => row.id === id)
const mayDrop = async (decider: Person, id: number) => (await decider.call(getBlacklist, { params: { id } })).data.may.drop
const drop = (decider: Person, id: number) =>
  decider.call(decideBlacklist, { params: { id }, body: { version: 1, effective: false, note: '提出人已不再负责' } })

test('what an operator proposed who lost that duty since waits for another one, who drops it', async () => {
  const former = await world.givenPerson({ userType: '9', duties: ['blacklist'] }, 'former')
  const id = await givenProposal(former.id, null)
  const onPanel = async () => (await cast.operator.call(getOverview, {})).data.waiting.find(({ kind }) => kind === 'blacklist')?.count ?? 0
  expect([await mayDrop(cast.operator, id), (await drop(cast.operator, id)).code]).toEqual([false, 409])
  expect([await isListed(cast.operator, id), await onPanel()]).toEqual([false, 0])
  await db
    .updateTable('account')
    .set({ duties: ['content'] })
    .where('id', '=', former.id)
    .execute()
  expect([await isListed(cast.operator, id), await onPanel()]).toEqual([true, 1])
  expect([await mayDrop(cast.operator, id), (await drop(cast.operator, id)).code]).toEqual([true, 200])
  expect([await isListed(cast.operator, id), await onPanel()]).toEqual([false, 0])
})

test('what somebody proposed who is an auditor of the company since is dropped by whoever decides', async () => {
  const { companyId } = cast.project
  const former = await world.givenPerson({ userType: '3', companyId, deptId: depts.projectDept, certSign: 2 }, 'formerproject')
  const id = await givenProposal(former.id, depts.projectDept)
  expect([await mayDrop(cast.lessee, id), (await drop(cast.lessee, id)).code, await isListed(cast.lessee, id)]).toEqual([false, 409, false])
  await db.updateTable('account').set({ userType: '8' }).where('id', '=', former.id).execute()
  expect(await isListed(cast.lessee, id)).toBe(true)
  expect([await mayDrop(cast.lessee, id), (await drop(cast.lessee, id)).code]).toEqual([true, 200])
})

test('rent that was not paid is proposed no more, and an entry with that reason is read and proposed anew with another one', async () => {
  const id = await givenProposal(cast.project.id, depts.projectDept)
  await db.updateTable('blacklist').set({ reasonCode: 'rent' }).where('id', '=', id).execute()
  const { data: entry } = await cast.project.call(getBlacklist, { params: { id } })
  expect(entry.reasonCode).toBe('rent')
  const { companyId, level, facts, fromDay, toDay, version } = entry
  const measure = {
    companyId,
    level,
    scopeDeptId: depts.projectDept,
    facts,
    fromDay,
    toDay,
    evidenceIds: [await givenFile(world, cast.project)],
  }
  const edit = (reasonCode: 'rent' | 'other') =>
    cast.project.call(editBlacklist, { body: { id, version, ...measure, reasonCode: reasonCode as 'other' } })
  const refused = await edit('rent')
  expect([refused.code, refused.data]).toMatchObject([422, { errors: [{ field: 'reasonCode' }] }])
  expect((await edit('other')).code).toBe(200)
})

test('nobody proposes an entry about their own company, nor changes one that its subject has been told of', async () => {
  await db.updateTable('company').set({ isLessor: true }).where('id', '=', cast.project.companyId).execute()
  const entry = {
    companyId: cast.project.companyId,
    level: blacklistLevel.restricted,
    scopeDeptId: depts.projectDept,
    reasonCode: 'quit',
    facts: '中选后无故不进场，'.repeat(10),
    fromDay: '2026-11-23',
    toDay: '2027-11-23',
    evidenceIds: [await givenFile(world, cast.project)],
  } as const
  const own = await cast.project.call(proposeBlacklist, { body: entry })
  expect([own.code, refusedFields(own.data)]).toEqual([422, ['companyId']])
  const body = { ...entry, companyId: cast.lessor.companyId }
  const { id } = (await cast.project.call(proposeBlacklist, { body })).data
  expect((await cast.project.call(notifyBlacklist, { params: { id } })).code).toBe(200)
  const { version } = (await cast.project.call(getBlacklist, { params: { id } })).data
  const edited = await cast.project.call(editBlacklist, { body: { ...body, id, version, level: blacklistLevel.barred } })
  expect([edited.code, edited.msg]).toEqual([409, zhCn.refusal.blacklist_changed])
})

test('the subject answers and appeals with files of its own alone: what is attached is read by everybody who sees the entry', async () => {
  const id = await givenProposal(cast.otherProject.id, depts.otherDept)
  const params = { id }
  expect((await cast.otherProject.call(notifyBlacklist, { params })).code).toBe(200)
  const [own, foreign] = [await givenFile(world, cast.lessor), await givenFile(world, cast.lessor2)]
  const answer = (fileIds: string[]) => cast.lessor.call(answerBlacklist, { params, body: { answer: '情况属实，已整改', fileIds } })
  const refused = await answer([own, foreign])
  expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['fileIds']])
  expect((await answer([own])).code).toBe(200)
  const { version } = (await cast.lessee.call(getBlacklist, { params })).data
  const decision = { version, effective: true, note: '证据充分' }
  const colleague = await world.givenPerson(
    { userType: '2', companyId: cast.lessee.companyId, deptId: depts.root, certSign: 2 },
    'colleague',
  )
  expect((await colleague.call(decideBlacklist, { params, body: decision })).code).toBe(403)
  expect((await cast.lessee.call(decideBlacklist, { params, body: decision })).code).toBe(200)
  const body = { content: '有维修厂出具的证明，请求复核解除限制', fileIds: [foreign] }
  const appealed = await cast.lessor.call(appealBlacklist, { params, body })
  expect([appealed.code, refusedFields(appealed.data)]).toEqual([422, ['fileIds']])
  const attached = await db.selectFrom('blacklistFile').where('blacklistId', '=', id).select('fileId').execute()
  expect(attached.map(({ fileId }) => fileId)).toEqual([own])
})
