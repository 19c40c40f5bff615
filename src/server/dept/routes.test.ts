import { afterAll, beforeEach, expect, test } from 'vitest'
import { passCertification, rejectCertification, submitDept } from '#shared/certification/contract.ts'
import { acceptAward } from '#shared/contract/moves.ts'
import { createDirectContract } from '#shared/contract/direct.ts'
import { listOwnDemands, publishDemand, saveDraft } from '#shared/demand/contract.ts'
import { cancelDemand } from '#shared/demand/moves.ts'
import * as contract from '#shared/dept/contract.ts'
import { saveInternal } from '#shared/internal/contract.ts'
import { addPerson, listPeople } from '#shared/person/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { applicants } from '#test/applicants.ts'
import { contractSteps, nameThem } from '#test/given-contract.ts'
import { inTransaction, waitingForLocks, whileChanging } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import type { Tx } from '../db/connect.ts'
import { lockTree } from './tree.ts'

const world = await openWorld()
const { db, cast, depts } = world
afterAll(() => world.close())
beforeEach(() => world.clock.set(monday))
const { newcomer, papers, project: form, review } = applicants(world)

const unit = (deptName: string, parentId: number, by = cast.lessee) => by.call(contract.addLease, { body: { deptName, parentId } })
const project = (deptName: string, parentId: number, more: object = {}) =>
  cast.lessee.call(contract.addDept, {
    body: {
      deptName,
      parentId,
      projectName: deptName,
      projectType: 'highway',
      provinceId: 510_000,
      cityId: 510_100,
      address: '驻地',
      ...more,
    },
  })
const list = async (by = cast.lessee) => (await by.call(contract.listDepts, {})).data
const find = async (id: number) => (await list()).find(({ deptId }) => deptId === id)
const edit = async (id: number, change: object) => {
  const found = await find(id)
  return cast.lessee.call(contract.editDept, { body: { ...found, ...change } })
}
const errorsOf = (answer: { raw: Record<string, unknown> }) =>
  (answer.raw.data as { errors: { field: string; message: string }[] }).errors.map(({ field, message }) => `${field} ${message}`)

test('[S2.23][S7.6] units and project departments are added below the own node, with their counts', async () => {
  const { data: made } = await unit('第五工程公司', depts.root)
  const { data: dept } = await project('锦江隧道', made.deptId)
  expect(await find(made.deptId)).toMatchObject({ deptType: '2', parentId: depts.root, ancestors: [depts.root], status: '0', people: 0 })
  expect(await find(dept.deptId)).toMatchObject({ deptType: '3', projectType: 'highway', ancestors: [depts.root, made.deptId] })
  expect(await find(depts.projectDept)).toMatchObject({ people: 1, openDemands: 0 })
  expect(errorsOf(await unit('第五工程公司', depts.root))).toEqual(['deptName 已被使用'])
  expect(errorsOf(await unit('挂错地方', dept.deptId))).toEqual(['parentId 部门不存在、已停用或不在您的管辖范围内'])
  expect(errorsOf(await unit('别人家的', depts.strangerDept))).toEqual(['parentId 部门不存在、已停用或不在您的管辖范围内'])
  expect(errorsOf(await project('地区不对', made.deptId, { cityId: 110_100 }))).toEqual(['cityId 地区不存在或省市不对应'])
})

test('at most eight levels', async () => {
  let parent = depts.root
  for (let level = 2; level <= 8; level++) {
    const { data, code } = await unit(`第 ${level} 级`, parent)
    expect(code, String(level)).toBe(200)
    parent = data.deptId
  }
  expect(errorsOf(await unit('第 9 级', parent))).toEqual(['parentId 组织层级最多 8 级'])
})

test('a unit counts the people and the open demands that its links list, somebody of two projects once in each of them and above', async () => {
  const { id } = await world.givenDemand()
  const counts = async () => {
    const units = [depts.root, depts.unit, depts.projectDept, depts.otherDept]
    const counted = await Promise.all(units.map(async (dept) => (await find(dept))?.people ?? 0))
    const listed = await Promise.all(units.map(async (deptId) => (await cast.lessee.call(listPeople, { query: { deptId } })).data.total))
    expect(counted).toEqual(listed)
    return counted
  }
  const [root = 0, above = 0, own = 0, other = 0] = await counts()
  expect(root).toBeGreaterThan(own)
  const deptIds = [depts.otherDept, depts.projectDept]
  await db
    .insertInto('accountDept')
    .values(deptIds.map((deptId) => ({ accountId: cast.otherProject.id, deptId })))
    .execute()
  expect(await counts()).toEqual([root, above + 1, own + 1, other])
  await db.deleteFrom('accountDept').where('accountId', '=', cast.otherProject.id).execute()
  await cast.project.call(cancelDemand, { params: { id }, body: { reason: '工程停工' } })
  await world.givenDemand()
  const ofProject = { deptId: depts.projectDept }
  const openOf = async (deptId: number) => (await cast.lessee.call(listOwnDemands, { query: { deptId, open: '1' } })).data
  const { rows } = await openOf(depts.projectDept)
  expect(rows.map(({ status }) => status)).toEqual(['3'])
  // The demand of a project counts in each unit above it.
  for (const dept of [depts.projectDept, depts.unit, depts.root])
    expect([(await find(dept))?.openDemands, (await openOf(dept)).total]).toEqual([1, 1])
  expect((await find(depts.otherDept))?.openDemands).toBe(0)
  expect((await cast.lessee.call(listOwnDemands, { query: ofProject })).data.total).toBe(2)
  await cast.project.call(cancelDemand, { params: { id: rows[0]?.id ?? 0 }, body: { reason: '工程停工' } })
})

test('moving takes everything below along, and never makes a ring', async () => {
  const top = (await unit('搬家的', depts.root)).data.deptId
  const middle = (await unit('中间的', top)).data.deptId
  const leaf = (await project('最下面的', middle)).data.deptId
  const target = (await unit('新家', depts.root)).data.deptId
  expect((await edit(top, { parentId: target })).code).toBe(200)
  expect(await find(leaf)).toMatchObject({ ancestors: [depts.root, target, top, middle] })
  expect(errorsOf(await edit(top, { parentId: middle }))).toEqual(['parentId 不能移动到自己或自己的下级'])
  expect(errorsOf(await edit(top, { parentId: top }))).toEqual(['parentId 不能移动到自己或自己的下级'])
  expect(errorsOf(await edit(depts.root, { parentId: target }))).toEqual(['parentId 不能移动自己所在的单位'])
  // Two that move under each other at once: one is refused.
  const a = (await unit('甲单位', depts.root)).data.deptId
  const b = (await unit('乙单位', depts.root)).data.deptId
  const both = await Promise.all([edit(a, { parentId: b }), edit(b, { parentId: a })])
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 422])
})

test('whatever is added below a unit while it moves goes with it', async () => {
  const top = (await unit('将搬家的', depts.root)).data.deptId
  const target = (await unit('搬到的', depts.root)).data.deptId
  const applicant = await newcomer()
  const body = { form: form({ parentDeptId: top, projectName: '随迁的项目' }), documents: await papers(applicant, ['appointment']) }
  await db.updateTable('company').set({ lesseeAudit: '2', isLessee: true }).where('id', '=', cast.lessee.companyId).execute()
  const { data } = await applicant.call(submitDept, { body })
  const { version } = await review(cast.lessee, data.id)
  const [moved, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const moving = inTransaction(db, async (tx) => {
    await lockTree(tx, cast.lessee.companyId)
    await tx
      .updateTable('dept')
      .set({ parentId: target, ancestors: [depts.root, target] })
      .where('id', '=', top)
      .execute()
    moved.resolve()
    await released.promise
  })
  await moved.promise
  const adding = Promise.all([unit('随迁的单位', top), cast.lessee.call(passCertification, { params: { id: data.id }, body: { version } })])
  try {
    await expect.poll(() => waitingForLocks(db)).toBe(2)
  } finally {
    released.resolve()
    await moving
  }
  expect((await adding).map(({ code }) => code)).toEqual([200, 200])
  for (const name of ['随迁的单位', '随迁的项目'])
    expect((await list()).find(({ deptName }) => deptName === name)?.ancestors).toEqual([depts.root, target, top])
})

test('a department is not moved to where somebody no longer sees a live contract that they are named in', async () => {
  const { companyId } = cast.lessee
  const head = await world.givenPerson({ userType: '2', certSign: 2, deptId: depts.unit, companyId }, 'unithead')
  const { id } = await contractSteps(world).givenDraft({ alone: true })
  const nameSigner = (accountId: number) => nameThem(cast.lessee, id, [{ task: 'signer', accountId }])
  const moveProject = (parentId: number) => edit(depts.projectDept, { parentId, address: '工地驻地' })
  expect((await nameSigner(head.id)).code).toBe(200)
  expect((await moveProject(depts.root)).msg).toBe(zhCn.refusal.dept_named)
  expect(await find(depts.projectDept)).toMatchObject({ parentId: depts.unit })
  // The whole unit may move: its head goes along.
  const target = (await unit('合并后的公司', depts.root)).data.deptId
  expect((await edit(depts.unit, { parentId: target })).code).toBe(200)
  expect((await nameSigner(cast.project.id)).code).toBe(200)
  expect((await moveProject(depts.root)).code).toBe(200)
  expect((await moveProject(depts.unit)).code).toBe(200)
  expect((await edit(depts.unit, { parentId: depts.root })).code).toBe(200)
  await db.deleteFrom('contractPerson').where('contractId', '=', id).execute()
  await db.updateTable('contract').set({ status: '7' }).where('id', '=', id).execute()
  await db.updateTable('quote').set({ status: '9' }).where('status', '=', '6').execute()
})

test('switched off only with nothing running; deleted only when never used', async () => {
  const { id } = await world.givenDemand()
  const off = (dept: number, status = '1') => cast.lessee.call(contract.switchDept, { params: { id: dept }, body: { status } })
  expect((await off(depts.projectDept)).msg).toBe('该单位还有进行中的需求，不能停用')
  expect((await off(depts.unit)).msg).toBe('该单位包含未停用的下级，请先停用下级')
  expect((await off(depts.root)).msg).toBe('不能停用或删除自己所在的单位')
  await db.updateTable('demand').set({ status: '8' }).where('id', '=', id).execute()
  expect((await off(depts.projectDept)).code).toBe(200)
  expect((await off(depts.unit)).code).toBe(200)
  expect((await off(depts.projectDept, '0')).msg).toBe('上级单位已停用，请先启用上级')
  expect((await off(depts.unit, '0')).code).toBe(200)
  expect((await off(depts.projectDept, '0')).code).toBe(200)
  const remove = (dept: number) => cast.lessee.call(contract.deleteDept, { params: { id: dept } })
  expect((await remove(depts.projectDept)).msg).toBe('该单位有下级、人员、需求、合同或闲置设备记录，只能停用')
  const empty = (await unit('空的', depts.root)).data.deptId
  expect((await remove(empty)).code).toBe(200)
  expect(await find(empty)).toBeUndefined()
  expect((await remove(empty)).code).toBe(404)
  expect((await unit('空的', depts.root)).code).toBe(200)
})

test('a unit that offers an idle machine, or gave or took one, is not deleted', async () => {
  const offering = (await unit('有闲置设备的', depts.root)).data.deptId
  const taking = (await unit('调入设备的', depts.root)).data.deptId
  const machine = {
    deptId: offering,
    fatherCategoryId: 100,
    categoryId: 106,
    name: '856H 装载机',
    mainValue: 5,
    emissionStage: '3',
    provinceId: 510_000,
    cityId: 510_700,
    innerPrice: 9000,
    freeFrom: '2026-11-23',
    freeTo: '2027-12-31',
  } as const
  const { data } = await cast.lessee.call(saveInternal, { body: machine })
  const internalMachineId = data.id
  const messageOf = async (id: number) => (await cast.lessee.call(contract.deleteDept, { params: { id } })).msg
  expect(await messageOf(offering)).toBe(zhCn.refusal.dept_in_use)
  await db.updateTable('internalMachine').set({ delFlag: '2' }).where('id', '=', internalMachineId).execute()
  const { id } = await db
    .insertInto('internalTransfer')
    .values({
      transferCode: 'DB0001',
      internalMachineId,
      fromDeptId: offering,
      toDeptId: taking,
      period: '[2026-12-01,2026-12-31)',
      accountId: cast.lessee.id,
      createTime: monday,
      updateTime: monday,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const side of [offering, taking]) expect(await messageOf(side)).toBe(zhCn.refusal.dept_in_use)
  await db.deleteFrom('internalTransfer').where('id', '=', id).execute()
  for (const side of [offering, taking]) expect(await messageOf(side)).toBe('操作成功')
})

test('a unit that an application names is deleted only after the answer, and no application names one that is being deleted', async () => {
  await db.updateTable('company').set({ lesseeAudit: '2', isLessee: true }).where('id', '=', cast.lessee.companyId).execute()
  const applicant = await newcomer()
  const named = (await unit('被申请的单位', depts.root)).data.deptId
  const remove = () => cast.lessee.call(contract.deleteDept, { params: { id: named } })
  const handIn = async () =>
    applicant.call(submitDept, {
      body: { form: form({ parentDeptId: named, projectName: '待审的项目' }), documents: await papers(applicant, ['appointment']) },
    })
  const { data } = await handIn()
  expect((await remove()).msg).toBe(zhCn.refusal.dept_has_applications)
  expect(await find(named)).toBeDefined()
  const answer = { version: (await review(cast.lessee, data.id)).version, reason: '资料不足', fields: [], documents: [] }
  expect((await cast.lessee.call(rejectCertification, { params: { id: data.id }, body: answer })).code).toBe(200)
  // One that is being handed in at this moment.
  const waits = (tx: Tx) => tx.updateTable('certification').set({ status: '1', parentDeptId: named }).where('id', '=', data.id).execute()
  await db.updateTable('certification').set({ parentDeptId: null }).where('id', '=', data.id).execute()
  const [refused] = await whileChanging(db, { begin: waits }, [remove])
  expect(refused?.msg).toBe(zhCn.refusal.dept_has_applications)
  await db.updateTable('certification').set({ status: '3', parentDeptId: null }).where('id', '=', data.id).execute()
  const deletion = {
    begin: (tx: Tx) => tx.selectFrom('dept').where('id', '=', named).forUpdate().select('id').execute(),
    end: (tx: Tx) => tx.updateTable('dept').set({ delFlag: '2' }).where('id', '=', named).execute(),
  }
  const [late] = await whileChanging(db, deletion, [handIn])
  expect([late?.code, JSON.stringify(late?.raw.data)]).toEqual([422, expect.stringContaining('form.parentDeptId')])
})

test('nobody is put into a department that is being deleted', async () => {
  const empty = (await unit('将删除的单位', depts.root)).data.deptId
  const deletion = {
    begin: (tx: Tx) => tx.selectFrom('dept').where('id', '=', empty).forUpdate().select('id').execute(),
    end: (tx: Tx) => tx.updateTable('dept').set({ delFlag: '2' }).where('id', '=', empty).execute(),
  }
  const body = { name: '新同事', phonenumber: '14455550021', deptIds: [empty] }
  const [late] = await whileChanging(db, deletion, [() => cast.lessee.call(addPerson, { body })])
  expect([late?.code, refusedFields(late?.data)]).toEqual([422, ['deptIds']])
  expect(await db.selectFrom('account').where('deptId', '=', empty).select('id').execute()).toEqual([])
})

test('nothing is stored for a project that is being deleted, and a project is not switched off while something is stored for it', async () => {
  const { data: made } = await project('将删除的项目', depts.root)
  const { deptId } = made
  const deletion = {
    begin: (tx: Tx) => tx.selectFrom('dept').where('id', '=', deptId).forUpdate().select('id').execute(),
    end: (tx: Tx) => tx.updateTable('dept').set({ delFlag: '2' }).where('id', '=', deptId).execute(),
  }
  const place = { provinceId: 510_000, cityId: 510_100 }
  const line = { equipmentId: await world.givenMachine(cast.lessor.companyId), planStart: '2026-12-20', planEnd: '2027-03-20' }
  const direct = {
    ...place,
    deptId,
    lessorCompanyId: cast.lessor.companyId,
    title: '装载机租赁',
    address: '项目驻地',
    lines: [{ ...line, rentUnit: 'M', unitPrice: '15000' }],
  }
  const idle = {
    categoryId: 106,
    fatherCategoryId: 100,
    name: '闲置的装载机',
    innerPrice: 8000,
    freeFrom: '2026-12-01',
    freeTo: '2027-06-01',
  }
  const present = () => db.updateTable('dept').set({ delFlag: '0' }).where('id', '=', deptId).execute()
  // Two at a time: each that waits has a connection of its own.
  const demands = await whileChanging<{ msg: string }>(db, deletion, [
    () => cast.lessee.call(publishDemand, { body: world.demandBody({ deptId }) }),
    () => cast.lessee.call(saveDraft, { body: { deptId, form: {} } }),
  ])
  expect(demands.map(({ msg }) => msg)).toEqual([zhCn.refusal.dept_not_yours, zhCn.refusal.dept_not_yours])
  await present()
  const others = await whileChanging<{ msg: string }>(db, deletion, [
    () => cast.lessee.call(createDirectContract, { body: direct }),
    () => cast.lessee.call(saveInternal, { body: { ...place, ...idle, deptId } }),
  ])
  expect(others.map(({ msg }) => msg)).toEqual([zhCn.rule.codes.dept_unknown, zhCn.rule.codes.dept_unknown])
  await present()
  const { id } = await world.givenDemand()
  const publishing = { begin: (tx: Tx) => tx.updateTable('demand').set({ deptId }).where('id', '=', id).execute() }
  const off = () => cast.lessee.call(contract.switchDept, { params: { id: deptId }, body: { status: '1' } })
  const [refused] = await whileChanging(db, publishing, [off])
  expect(refused?.msg).toBe(zhCn.refusal.dept_has_demands)
  await db.updateTable('demand').set({ deptId: depts.projectDept, delFlag: '2' }).where('id', '=', id).execute()
})

test('a department is not switched off between an award and its contract', async () => {
  const steps = contractSteps(world)
  const { demand, quoteOf } = await steps.givenAwarded({ alone: true })
  const off = async () => (await cast.lessee.call(contract.switchDept, { params: { id: depts.projectDept }, body: { status: '1' } })).msg
  expect(await off()).toBe(zhCn.refusal.dept_has_demands)
  expect((await cast.lessor.call(acceptAward, { params: { id: quoteOf(cast.lessor) } })).code).toBe(200)
  expect(await off()).toBe(zhCn.refusal.dept_has_contracts)
  await db.updateTable('contract').set({ status: '7' }).where('demandId', '=', demand.id).execute()
  await db.updateTable('quote').set({ status: '9' }).where('demandId', '=', demand.id).execute()
  expect(await off()).toBe('操作成功')
  await db.updateTable('dept').set({ status: '0' }).where('id', '=', depts.projectDept).execute()
})

test('[S6.2] an administrator of a unit sees and changes their branch only', async () => {
  const { id } = await db
    .insertInto('account')
    .values({
      userName: 'branch',
      passwordHash: 'none',
      userType: '2',
      auditStatus: '2',
      isAdmin: true,
      deptId: depts.unit,
      companyId: cast.lessee.companyId,
      createTime: monday,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const branch = { ...cast.lessee, call: world.caller(await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: id })) }
  expect((await list(branch)).map(({ deptId }) => deptId).slice(0, 2)).toEqual([depts.unit, depts.projectDept])
  expect(errorsOf(await unit('越级', depts.root, branch))).toEqual(['parentId 部门不存在、已停用或不在您的管辖范围内'])
  expect((await branch.call(contract.deleteDept, { params: { id: depts.otherDept } })).code).toBe(404)
  await db.updateTable('account').set({ isAdmin: false }).where('id', '=', id).execute()
  expect((await unit('不行', depts.unit, branch)).code).toBe(403)
})
