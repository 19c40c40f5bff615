import { afterAll, beforeEach, expect, test } from 'vitest'
import { dayMs, toMoment } from '#shared/calendar.ts'
import * as calls from '#shared/contract/moves.ts'
import { recallContractChange, rejectContractChange } from '#shared/contract/changes.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import { contractTodos, getWorkCalendar, getWorkPanel } from '#shared/statistics/panel.ts'
import { changeSteps, contractSteps, editing, nameThem } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { monday, openWorld, type Person } from '#test/world.ts'

const world = await openWorld()
const { cast, clock, db, depts } = world
const { givenDraft, givenContract, send } = contractSteps(world)
const { propose, read } = changeSteps(world)
afterAll(() => world.close())
beforeEach(async () => {
  // The contracts of the tests before wait for nobody any more.
  await db.updateTable('contract').set({ status: '7', scanState: '0', scanBy: null, scanRevision: null }).execute()
  clock.set(monday)
})

const tasksOf = async (who: Person) =>
  (await who.call(getWorkPanel, {})).data.tasks.filter(({ kind }) => contractTodos.some((todo) => todo === kind))
const kindsOf = async (who: Person) => (await tasksOf(who)).map(({ kind, items }) => [kind, ...items.map(({ id }) => Number(id))])
const colleague = await world.givenPerson(
  { userType: '3', deptId: depts.projectDept, companyId: cast.project.companyId, certSign: 3 },
  'signer',
)
const nobody = [cast.stranger, cast.strangerAdmin, cast.otherProject, cast.lessor2, cast.driver, cast.auditor, cast.operator] as const

test('a draft waits to be sent until the award lapses, a sent one to be confirmed, a returned one to be corrected', async () => {
  const { id } = await givenDraft()
  const awarded = new Date(monday.getTime() + 4 * dayMs)
  const [task] = await tasksOf(cast.project)
  expect(task).toMatchObject({ kind: 'contractSend', count: 1, link: null })
  expect(task?.items[0]).toMatchObject({
    id: String(id),
    title: '渝昌高铁5标 铲车1台',
    due: toMoment(new Date(awarded.getTime() + 7 * dayMs)),
    link: `/workbench/contract/detail?id=${id}`,
  })
  expect(task?.items[0]?.detail).toMatch(/^成都恒岳机械租赁有限公司 HT\d+$/)
  expect(await kindsOf(cast.lessee)).toEqual([['contractSend', id]])
  for (const who of [cast.lessor, ...nobody]) expect(await kindsOf(who)).toEqual([])

  expect((await send(cast.project, id)).code).toBe(200)
  expect(await kindsOf(cast.project)).toEqual([])
  const [sent] = await tasksOf(cast.lessor)
  expect(sent).toMatchObject({ kind: 'contractConfirm', count: 1 })
  expect(sent?.items[0]).toMatchObject({
    due: toMoment(new Date(awarded.getTime() + 7 * dayMs)),
    link: `/workbench/contract/detail?id=${id}`,
  })
  for (const who of nobody) expect(await kindsOf(who)).toEqual([])

  await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '退场费由承租方承担' } })
  expect(await kindsOf(cast.lessor)).toEqual([])
  expect((await tasksOf(cast.project))[0]).toMatchObject({
    kind: 'contractReturned',
    items: [{ link: `/workbench/contract/edit?id=${id}` }],
  })
  expect((await read(id)).isReturned).toBe(true)
  // Sent again and taken back, it is the lessee's own draft once more.
  clock.set(new Date(awarded.getTime() + dayMs))
  await send(cast.project, id)
  clock.set(new Date(awarded.getTime() + dayMs + 60_000))
  await cast.project.call(calls.recallContract, { params: { id } })
  expect([await kindsOf(cast.project), (await read(id)).isReturned]).toEqual([[['contractSend', id]], false])
})

test('what only named signers may do waits for them alone', async () => {
  const { id } = await givenDraft()
  const persons = [{ task: 'signer' as const, accountId: colleague.id }]
  expect((await nameThem(cast.project, id, persons)).code).toBe(200)
  expect([await kindsOf(cast.project), await kindsOf(cast.lessee), await kindsOf(colleague)]).toEqual([[], [], [['contractSend', id]]])
})

test('a draft that was submitted waits for the unit above, and for nobody below', async () => {
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', depts.root).execute()
  const { id } = await givenDraft()
  expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
  expect([await kindsOf(cast.project), await kindsOf(cast.lessee)]).toEqual([[], [['contractApprove', id]]])
  const { version } = await read(id)
  expect((await cast.lessee.call(calls.rejectContract, { params: { id }, body: { version, reason: '缺附件' } })).code).toBe(200)
  expect(await kindsOf(cast.project)).toEqual([['contractSend', id]])
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', depts.root).execute()
})

test('a draft that waits for the unit above is its project’s to change and to send once no unit approves contracts any more', async () => {
  const approves = (approvesContracts: boolean) => db.updateTable('dept').set({ approvesContracts }).where('id', '=', depts.root).execute()
  await approves(true)
  const { id } = await givenDraft()
  expect((await cast.project.call(calls.askContractApproval, { params: { id } })).code).toBe(200)
  await approves(false)
  expect([await kindsOf(cast.project), await kindsOf(cast.lessee)]).toEqual([[['contractSend', id]], [['contractSend', id]]])
  const { version, approval, may } = await read(id)
  expect([approval, may]).toEqual(['0', expect.arrayContaining(['edit', 'send'])])
  expect((await cast.lessee.call(calls.approveContract, { params: { id }, body: { version } })).code).toBe(409)
  expect((await cast.project.call(calls.editContract, { body: editing(await read(id)) })).code).toBe(200)
})

test('a contract in force waits for the sealed scan of either side until its hire begins, where a unit asks for one or the hire is long', async () => {
  const { id } = await givenContract()
  const waiting = {
    kind: 'contractNeedsScan',
    count: 1,
    items: [{ due: '2026-12-13', link: `/workbench/contract/detail?id=${id}&tab=people` }],
  }
  for (const who of [cast.project, cast.lessee, cast.lessor]) expect(await tasksOf(who)).toMatchObject([waiting])
  for (const who of nobody) expect(await kindsOf(who)).toEqual([])
  await db.updateTable('dept').set({ needsScan: false }).where('id', '=', depts.root).execute()
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[], []])
  await db.updateTable('contract').set({ planEnd: '2027-06-12' }).where('id', '=', id).execute()
  expect(await kindsOf(cast.lessor)).toEqual([])
  await db.updateTable('contract').set({ planEnd: '2027-06-13' }).where('id', '=', id).execute()
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[['contractNeedsScan', id]], [['contractNeedsScan', id]]])
  await db.updateTable('dept').set({ needsScan: true }).where('id', '=', depts.root).execute()

  const fileIds = [await givenFile(world, cast.lessor)]
  expect((await cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds } })).code).toBe(200)
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[['contractScan', id]], []])
  // A scan that is not the same text is submitted anew.
  const body = { agrees: false, reason: '缺少第三页', fileIds }
  expect((await cast.project.call(calls.matchContractScan, { params: { id }, body })).code).toBe(200)
  expect(await kindsOf(cast.lessor)).toEqual([['contractNeedsScan', id]])
  await db.updateTable('contract').set({ planStart: '2026-11-22' }).where('id', '=', id).execute()
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[], []])
})

test('an amendment that binds the unit more waits for its administrator to approve it before anybody else', async () => {
  const { id } = await givenContract()
  await db.updateTable('contract').set({ scanState: '2' }).where('id', '=', id).execute()
  await db.updateTable('dept').set({ approvesContracts: true }).where('id', '=', depts.root).execute()
  const [line] = (await read(id)).lines
  const { data } = await propose(cast.project, id, { kind: 'price', lines: [{ lineId: line?.id ?? 0, value: '18000' }] })
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[], []])
  const [task] = await tasksOf(cast.lessee)
  expect(task).toMatchObject({
    kind: 'contractChangeApprove',
    items: [{ id: String(id), link: `/workbench/contract/detail?id=${id}&tab=changes` }],
  })
  for (const who of nobody) expect(await kindsOf(who)).toEqual([])
  await cast.lessee.call(rejectContractChange, { params: { id: data.id }, body: { reason: '涨幅过大' } })
  expect(await kindsOf(cast.lessee)).toEqual([])
  await db.updateTable('dept').set({ approvesContracts: false }).where('id', '=', depts.root).execute()
})

test('a scan waits for the other side to compare it, an amendment to be answered until its last day', async () => {
  const { id } = await givenContract()
  await db.updateTable('contract').set({ scanState: '1', scanBy: 'lessor', scanRevision: 1 }).where('id', '=', id).execute()
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[['contractScan', id]], []])
  expect((await tasksOf(cast.project))[0]?.items[0]?.link).toBe(`/workbench/contract/detail?id=${id}&tab=people`)
  await db.updateTable('contract').set({ scanBy: 'lessee' }).where('id', '=', id).execute()
  expect([await kindsOf(cast.project), await kindsOf(cast.lessor)]).toEqual([[], [['contractScan', id]]])

  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' })
  for (const who of nobody) expect(await kindsOf(who)).toEqual([])
  const change = (await tasksOf(cast.lessor)).find(({ kind }) => kind === 'contractChange')
  expect(change?.items[0]).toMatchObject({ id: String(id), due: '2026-12-17', link: `/workbench/contract/detail?id=${id}&tab=changes` })
  await cast.project.call(recallContractChange, { params: { id: data.id }, body: {} })
  expect(await kindsOf(cast.lessor)).toEqual([['contractScan', id]])
})

test('the calendar has the days of the contract once it binds, of both sides, and those of a contract without a demand', async () => {
  /** The awards until now stand for no hire any more. */
  const endAwards = async () => {
    await db.updateTable('demand').set({ status: demandStatus.cancelled }).execute()
    await db.updateTable('quote').set({ status: quoteStatus.lapsed }).execute()
  }
  await endAwards()
  const { id, demand } = await givenContract()
  const datesOf = async (who: Person) =>
    (await who.call(getWorkCalendar, {})).data.dates.flatMap(({ day, kind, link }) => (kind === 'papers' ? [] : [[day, kind, link]]))
  const link = `/workbench/contract/detail?id=${id}`
  clock.set(new Date(monday.getTime() + 15 * dayMs))
  // The other lessor of the award has no contract yet, so the line of the demand still stands for their hire.
  expect((await datesOf(cast.project)).toSorted()).toEqual([
    ['2026-12-13', 'entry', link],
    ['2026-12-13', 'entry', paths.ownDemand(demand.id)],
  ])
  expect(await datesOf(cast.lessor)).toEqual([['2026-12-13', 'entry', link]])
  // Both sides have agreed on other days since; one position is cancelled.
  await db.updateTable('contractLine').set({ planStart: '2026-12-15', planEnd: '2026-12-20' }).where('contractId', '=', id).execute()
  expect(await datesOf(cast.lessor)).toEqual([
    ['2026-12-15', 'entry', link],
    ['2026-12-20', 'exit', link],
  ])
  for (const who of [cast.stranger, cast.otherProject]) expect(await datesOf(who)).toEqual([])
  await db.updateTable('contract').set({ source: 'direct', awardId: null, demandId: null }).where('id', '=', id).execute()
  await db.updateTable('contractLine').set({ awardLineId: null }).where('contractId', '=', id).execute()
  await endAwards()
  expect(await datesOf(cast.lessee)).toEqual(await datesOf(cast.lessor))
  await db.updateTable('contractLine').set({ status: '3' }).where('contractId', '=', id).execute()
  expect(await datesOf(cast.project)).toEqual([])
})
