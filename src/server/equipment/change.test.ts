import { afterAll, beforeEach, expect, test } from 'vitest'
import { cancellationStatus } from '#shared/account/rules.ts'
import { changeStatus, equipmentAudit, shelfStatus } from '#shared/equipment/rules.ts'
import { getPublicEquipment, setShelf } from '#shared/equipment/contract.ts'
import * as manage from '#shared/equipment/manage.ts'
import * as own from '#shared/equipment/own.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { getOverview } from '#shared/system/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { givenFile } from '#test/given-file.ts'
import { inTransaction } from '#test/held-rows.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { deleteAbandonedFiles, erase } from '../account/cancellation.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const { companyId } = cast.lessor
const colleague = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'colleague')

/** A machine that has passed with everything that its category needs. */
const givenPassed = async () => {
  const id = await world.givenMachine(companyId)
  await db.updateTable('equipment').set({ envCode: 'CDW-00123' }).where('id', '=', id).execute()
  const [paper, picture] = [await givenFile(world, cast.lessor), await givenFile(world, cast.lessor)]
  await db.updateTable('file').set({ purpose: 'machineDocument' }).where('id', '=', paper).execute()
  await db.updateTable('file').set({ mime: 'image/png', purpose: 'machinePicture' }).where('id', '=', picture).execute()
  await db.updateTable('equipmentDocument').set({ fileId: paper, validTo: '2027-06-30' }).where('equipmentId', '=', id).execute()
  await db.insertInto('equipmentImage').values({ equipmentId: id, fileId: picture, orderNum: 0 }).execute()
  return id
}
const whole = async (id: number) => (await cast.lessor.call(own.getOwnEquipment, { params: { id } })).data

/** Edits the machine as its form shows it. */
const edit = async (id: number, changes: (machine: Awaited<ReturnType<typeof shown>>) => object) => {
  const machine = await shown(id)
  const { code, data } = await cast.lessor.call(own.editEquipment, { body: { ...machine, ...changes(machine) } })
  return [code, data?.waiting]
}
const shown = async (id: number) => {
  const { papers, images, ...machine } = await whole(id)
  return { ...machine, imageIds: images, papers: papers.map(({ mime: _, ...paper }) => paper) }
}

/** Requests another proof of ownership and gives its file. */
const requestPaper = async (by: Person, id: number) => {
  const fileId = await givenFile(world, by)
  const { papers, images, outFactoryDate, version, ...machine } = await whole(id)
  const { code, data } = await by.call(own.editEquipment, {
    body: {
      ...machine,
      outFactoryDate,
      version,
      imageIds: images,
      papers: papers.map(({ mime: _, ...paper }) => (paper.kind === 'ownership' ? { ...paper, fileId } : paper)),
    },
  })
  expect([code, data]).toMatchObject([200, { waiting: true }])
  return fileId
}
const statusOf = async ({ call }: Pick<Person, 'call'>, id: string) => (await call(downloadFile, { params: { id } })).raw.code ?? 200
const seen = async (file: string) =>
  Promise.all([cast.operator, colleague, cast.lessor2, cast.visitor].map((person) => statusOf(person, file)))
const decide = async (endpoint: typeof manage.passEquipment | typeof manage.rejectEquipment, id: number, body: object = {}) =>
  (await cast.operator.call(endpoint, { params: { id }, body: { version: (await whole(id)).version, ...body } })).code
const changesOf = async (equipmentId: number) =>
  (await db.selectFrom('equipmentChange').where('equipmentId', '=', equipmentId).orderBy('id').select('status').execute()).map(
    ({ status }) => status,
  )

test('a document that a requested change brings is read by its reviewers and its company while it waits', async () => {
  const id = await givenPassed()
  const file = await requestPaper(cast.lessor, id)
  expect(await seen(file)).toEqual([200, 200, 404, 404])
  const { change } = (await cast.operator.call(manage.getReview, { params: { id } })).data
  expect(change?.papers).toMatchObject([{ kind: 'ownership', fileId: file, mime: 'application/pdf' }])
  // Number and date are the same, so the words say that the file is another one.
  expect(change?.fields[0]?.after).toContain(zhCn.equipment.upload.newFile)
  expect(change?.fields[0]?.before).not.toContain(zhCn.equipment.upload.newFile)
  expect(await decide(manage.rejectEquipment, id, { reason: '发票看不清' })).toBe(200)
  expect(await seen(file)).toEqual([404, 404, 404, 404])
  expect((await whole(id)).change).toMatchObject({ status: changeStatus.rejected, papers: [] })
  const other = await requestPaper(colleague, id)
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect(await seen(other)).toEqual([200, 200, 404, 404])
  expect((await whole(id)).papers.map(({ fileId }) => fileId)).toContain(other)
})

test('a requested change reads in the words of the machine, in the language of the reader', async () => {
  const id = await givenPassed()
  const { papers, images, outFactoryDate, ...machine } = await whole(id)
  const body = { ...machine, outFactoryDate, imageIds: images, papers: papers.map(({ mime: _, ...paper }) => paper) }
  const changed = { categoryId: 101, emissionStage: '2', specs: { bucket: 1, opWeight: 22 } }
  const { code, data } = await cast.lessor.call(own.editEquipment, { body: { ...body, ...changed } })
  expect([code, data]).toMatchObject([200, { waiting: true }])
  const inEnglish = world.caller(cast.operator.token, 'en-US')
  expect((await whole(id)).change?.categoryWaits).toBe(true)
  const readings = [await whole(id), (await inEnglish(manage.getReview, { params: { id } })).data]
  expect(readings.map(({ change }) => change?.fields)).toEqual([
    [
      { field: '技术参数', before: '额定载重量 5 t', after: '工作质量 22 t、斗容 1 m³' },
      { field: '设备类别', before: '轮式装载机', after: '履带式液压挖掘机' },
      { field: '排放阶段', before: '国三', after: '国二' },
    ],
    [
      { field: 'Parameters', before: 'Rated load 5 t', after: 'Operating weight 22 t, Bucket 1 m³' },
      { field: 'Category', before: 'Wheel loader', after: 'Crawler excavator' },
      { field: 'Emission stage', before: 'Stage III', after: 'Stage II' },
    ],
  ])
  await cast.lessor.call(own.withdrawEquipment, { params: { id } })
})

test('requests for different fields are one request, which holds them all', async () => {
  const id = await givenPassed()
  const file = await requestPaper(cast.lessor, id)
  for (const changes of [
    () => ({ model: '856H MAX' }),
    ({ papers }) => ({ papers: papers.map((paper) => (paper.kind === 'conformity' ? { ...paper, number: 'HG-2' } : paper)) }),
    ({ specs }) => ({ specs: { ...specs, bucket: 3 } }),
    ({ specs }) => ({ specs: { ...specs, power: 162 } }),
  ] satisfies Parameters<typeof edit>[1][])
    expect(await edit(id, changes)).toEqual([200, true])
  expect((await changesOf(id)).filter((status) => status === changeStatus.waiting)).toHaveLength(1)
  expect(await decide(manage.passEquipment, id)).toBe(200)
  const machine = await whole(id)
  expect(machine).toMatchObject({ model: '856H MAX', specs: { ratedLoad: 5, bucket: 3, power: 162 } })
  expect(machine.papers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'ownership', fileId: file }),
      expect.objectContaining({ kind: 'conformity', number: 'HG-2' }),
    ]),
  )
})

test('a category that is corrected while another one waits brings its own group', async () => {
  const id = await givenPassed()
  expect(await edit(id, () => ({ fatherCategoryId: 400, categoryId: 403, specs: { output: 60 } }))).toEqual([200, true])
  expect(await edit(id, () => ({ categoryId: 101, specs: { bucket: 1, opWeight: 22 } }))).toEqual([200, true])
  await cast.lessor.call(own.withdrawEquipment, { params: { id } })
})

test('while another category waits, parameters of the present one are neither mixed with those of the request nor lost', async () => {
  const id = await givenPassed()
  const specs = { bucket: 1, opWeight: 22 }
  expect(await edit(id, () => ({ categoryId: 101, specs }))).toEqual([200, true])
  const shownSpecs = (await whole(id)).specs
  for (const changed of [{ ...shownSpecs, ratedLoad: 6 }, { ...shownSpecs, bucket: 3 }, {}]) {
    const { code, data } = await cast.lessor.call(own.editEquipment, { body: { ...(await shown(id)), specs: changed } })
    expect([code, data]).toMatchObject([422, { errors: [{ message: zhCn.rule.codes.category_waits }] }])
  }
  expect(await edit(id, () => ({ description: '带快换' }))).toEqual([200, false])
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect(await whole(id)).toMatchObject({ categoryId: 101, specs, description: '带快换' })
})

test('a parameter that the category has no more is in no form, and counts as unchanged also while another category waits', async () => {
  const id = await givenPassed()
  const { specs } = await whole(id)
  const stored = { ...specs, opWeight: 17 }
  await db
    .updateTable('equipment')
    .set({ specs: JSON.stringify(stored) })
    .where('id', '=', id)
    .execute()
  const reprice = (price: string) => edit(id, ({ prices }) => ({ specs, prices: prices.map((one) => ({ ...one, price })) }))
  expect(await reprice('9000')).toEqual([200, false])
  expect((await whole(id)).specs).toEqual(stored)
  const wanted = { bucket: 1, opWeight: 22 }
  expect(await edit(id, () => ({ categoryId: 101, specs: wanted }))).toEqual([200, true])
  expect(await reprice('9100')).toEqual([200, false])
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect(await whole(id)).toMatchObject({ categoryId: 101, specs: wanted, prices: [{ price: '9100.00' }] })
})

test('a price is changed while the renewal of an expired document waits, and the request stays', async () => {
  const id = await givenPassed()
  await db.updateTable('equipmentDocument').set({ validTo: '2026-11-01' }).where('equipmentId', '=', id).execute()
  const reprice = () => edit(id, ({ prices }) => ({ prices: prices.map((price) => ({ ...price, price: '9000' })) }))
  expect((await reprice())[0]).toBe(422)
  expect(await edit(id, ({ papers }) => ({ papers: papers.map((paper) => ({ ...paper, validTo: '2027-06-30' })) }))).toEqual([200, true])
  expect(await reprice()).toEqual([200, false])
  expect((await whole(id)).prices).toMatchObject([{ price: '9000.00' }])
  expect(await changesOf(id)).toEqual([changeStatus.waiting])
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect((await whole(id)).papers.map(({ validTo }) => validTo)).not.toContain('2026-11-01')
})

test('the notice of a review says what was decided on, and whether the machine is on the shelf', async () => {
  const id = await givenPassed()
  await requestPaper(cast.lessor, id)
  await decide(manage.rejectEquipment, id, { reason: '发票看不清' })
  await requestPaper(cast.lessor, id)
  await decide(manage.passEquipment, id)
  const submit = () =>
    db.updateTable('equipment').set({ auditStatus: equipmentAudit.submitted, shelfStatus: shelfStatus.off }).where('id', '=', id).execute()
  await submit()
  await decide(manage.passEquipment, id)
  await submit()
  await db.updateTable('equipmentDocument').set({ validTo: '2026-11-01' }).where('equipmentId', '=', id).execute()
  await decide(manage.passEquipment, id)
  const sent = await db
    .selectFrom('message')
    .where('accountId', '=', colleague.id)
    .where('bizId', '=', String(id))
    .orderBy('id')
    .select('content')
    .execute()
  const contents = sent.map(({ content }) => content)
  for (const [at, words] of ['仍按原信息公示', '的变更已通过审核', '已通过审核并上架', '未上架'].entries())
    expect(contents[at]).toContain(words)
  const inEnglish = await world.caller(cast.lessor.token, 'en-US')(listOwnMessages, { query: { pageSize: 100 } })
  expect(inEnglish.data.rows.map(({ title }) => title)).toContain('Machine approved: LiuGong 856H Wheel loader')
})

test('a requested change is passed although whoever uploaded its document is erased meanwhile', async () => {
  const id = await givenPassed()
  const leaver = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'leaver')
  const file = await requestPaper(leaver, id)
  await inTransaction(db, (tx) => erase({ db: tx, secret: services.secret, now: monday }, leaver.id))
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect((await whole(id)).papers.map(({ fileId }) => fileId)).toContain(file)
})

test('the document of a change that is rejected after its uploader was erased is deleted', async () => {
  const id = await givenPassed()
  const leaver = await world.givenPerson({ userType: '4', companyId, certSign: 1 }, 'secondleaver')
  const file = await requestPaper(leaver, id)
  await inTransaction(db, (tx) => erase({ db: tx, secret: services.secret, now: monday }, leaver.id))
  await db
    .insertInto('cancellation')
    .values({ accountId: leaver.id, status: cancellationStatus.erased, reason: '', requestedAt: monday, dueAt: monday, doneAt: monday })
    .execute()
  expect(await deleteAbandonedFiles(services)).toBe(0)
  expect(await decide(manage.rejectEquipment, id, { reason: '发票看不清' })).toBe(200)
  expect(await deleteAbandonedFiles(services)).toBe(1)
  expect(await db.selectFrom('file').where('id', '=', file).select('id').execute()).toEqual([])
  expect(await services.storage.get(file)).toBeNull()
})

test('a machine is retired once, after its review, and its requested change waits for nobody any more', async () => {
  const id = await givenPassed()
  await requestPaper(cast.lessor, id)
  const waiting = async () => [
    (await cast.operator.call(manage.listReviews, { query: {} })).data.total,
    (await cast.operator.call(getOverview, {})).data.waiting.find(({ kind }) => kind === 'equipment')?.count ?? 0,
  ]
  expect(await waiting()).toEqual([1, 1])
  const retire = async (machine = id) => (await cast.lessor.call(own.retireEquipment, { params: { id: machine } })).code
  const rejected = await world.givenMachine(companyId, { shelfStatus: '0' })
  await db.updateTable('equipment').set({ auditStatus: '3' }).where('id', '=', rejected).execute()
  expect(await retire(rejected)).toBe(409)
  expect(await retire()).toBe(200)
  expect(await waiting()).toEqual([0, 0])
  expect(await changesOf(id)).toEqual([changeStatus.withdrawn])
  expect(await decide(manage.passEquipment, id)).toBe(409)
  expect(await retire()).toBe(409)
  expect((await whole(id)).events.map(({ move }) => move).filter((move) => move === 'retire')).toHaveLength(1)
})

test('a reviewer decides on the change that they have read, not on one that took its place', async () => {
  const id = await givenPassed()
  await requestPaper(cast.lessor, id)
  const { version } = await whole(id)
  expect((await cast.lessor.call(own.withdrawEquipment, { params: { id } })).code).toBe(200)
  await requestPaper(cast.lessor, id)
  expect([
    await decide(manage.passEquipment, id, { version }),
    await decide(manage.rejectEquipment, id, { version, reason: '发票看不清' }),
  ]).toEqual([409, 409])
  expect(await changesOf(id)).toEqual([changeStatus.withdrawn, changeStatus.waiting])
})

test('what the platform takes down its lessor does not put back: only the platform restores it, each once', async () => {
  const id = await givenPassed()
  const shelf = async () => (await db.selectFrom('equipment').where('id', '=', id).select('shelfStatus').executeTakeFirst())?.shelfStatus
  const takeDown = async () => (await cast.operator.call(manage.takeEquipmentDown, { params: { id }, body: { reason: '照片不符' } })).code
  const restore = async () => (await cast.operator.call(manage.restoreEquipment, { params: { id } })).code
  const putBack = async () => (await cast.lessor.call(setShelf, { params: { id }, body: { shelfStatus: shelfStatus.on } })).code
  expect(await restore()).toBe(409)
  expect([await takeDown(), await takeDown(), await putBack(), await shelf()]).toEqual([200, 409, 409, shelfStatus.takenDown])
  expect([await restore(), await restore(), await putBack(), await shelf()]).toEqual([200, 409, 200, shelfStatus.on])
})

/** A machine of the same brand with this number. */
const givenNumbered = async (company: number, factoryNo: string) => {
  const id = await world.givenMachine(company)
  await db.updateTable('equipment').set({ factoryNo }).where('id', '=', id).execute()
  return id
}

test('a number that another lessor has is shown to the reviewer of the change that asks for it', async () => {
  const other = await givenNumbered(cast.lessor2.companyId, 'TWIN-1')
  const id = await givenPassed()
  expect(await edit(id, () => ({ factoryNo: 'TWIN-1' }))).toEqual([200, true])
  const { rows } = (await cast.operator.call(manage.listReviews, { query: { pageSize: 100 } })).data
  expect(rows.find((row) => row.id === id)?.duplicates).toBe(1)
  const review = (await cast.operator.call(manage.getReview, { params: { id } })).data
  expect(review.duplicates.map((machine) => machine.id)).toEqual([other])
  await cast.lessor.call(own.withdrawEquipment, { params: { id } })
  expect((await cast.operator.call(manage.getReview, { params: { id } })).data.duplicates).toEqual([])
})

test('a number of the own fleet cannot be asked for, and one that was given away meanwhile stops no other of a batch', async () => {
  await givenNumbered(companyId, 'OWN-1')
  const machines = [await givenPassed(), await givenPassed(), await givenPassed()]
  const [first, second, third] = machines as [number, number, number]
  const { code, data } = await cast.lessor.call(own.editEquipment, { body: { ...(await shown(second)), factoryNo: 'OWN-1' } })
  expect([code, refusedFields(data)]).toEqual([422, ['factoryNo']])
  for (const id of machines) expect(await edit(id, () => ({ factoryNo: `OWN-${id}-2` }))).toEqual([200, true])
  await givenNumbered(companyId, `OWN-${second}-2`)
  const body = { machines: await Promise.all(machines.map(async (id) => ({ id, version: (await whole(id)).version }))) }
  const passed = await cast.operator.call(manage.passEquipmentBatch, { body })
  expect([passed.code, passed.data]).toMatchObject([200, { passed: 2, left: [{ id: second, msg: zhCn.refusal.equipment_number_taken }] }])
  expect([(await whole(first)).factoryNo, (await whole(second)).factoryNo, (await whole(third)).factoryNo]).toEqual([
    `OWN-${first}-2`,
    null,
    `OWN-${third}-2`,
  ])
  await cast.lessor.call(own.withdrawEquipment, { params: { id: second } })
})

test('the name follows brand and model that are corrected: of a draft at once, of a passed machine with the change', async () => {
  const id = await givenPassed()
  const nameOf = async () => (await cast.visitor.call(getPublicEquipment, { params: { id } })).data.name
  const before = await nameOf()
  const after = before.replace('856H', '862H')
  expect(await edit(id, () => ({ model: '862H' }))).toEqual([200, true])
  expect(await nameOf()).toBe(before)
  // The form makes the name of the new model where it is left out.
  expect(await edit(id, () => ({ model: '862H', name: after }))).toEqual([200, true])
  expect(await nameOf()).toBe(before)
  expect(await decide(manage.passEquipment, id)).toBe(200)
  expect(await nameOf()).toBe(after)

  const setDraft = () =>
    db.updateTable('equipment').set({ auditStatus: equipmentAudit.draft, shelfStatus: shelfStatus.off }).where('id', '=', id).execute()
  await setDraft()
  await edit(id, () => ({ model: '870H' }))
  expect((await whole(id)).name).toBe(before.replace('856H', '870H'))
  await edit(id, () => ({ brand: '徐工', name: '一号装载机' }))
  expect((await whole(id)).name).toBe('一号装载机')
})

test('a crane that has come of age takes a new price without its assessment, but no other key field', async () => {
  const id = await givenPassed()
  const crane = { fatherCategoryId: 200, categoryId: 201, specs: JSON.stringify({ moment: 80 }), mainValue: 80, factoryNo: 'OLD-1' }
  await db
    .updateTable('equipment')
    .set({ ...crane, registrationNo: 'R-1', filingNo: 'F-1', outFactoryDate: '2011-01-01' })
    .where('id', '=', id)
    .execute()
  const { fileId } = await db.selectFrom('equipmentDocument').where('equipmentId', '=', id).select('fileId').executeTakeFirstOrThrow()
  const kinds = ['registration', 'inspection', 'filing', 'erection', 'operator']
  await db
    .insertInto('equipmentDocument')
    .values(kinds.map((kind) => ({ equipmentId: id, kind, fileId, validTo: '2027-06-30' })))
    .execute()
  expect(await edit(id, ({ prices }) => ({ prices: prices.map((price) => ({ ...price, price: '9000' })) }))).toEqual([200, false])
  expect((await whole(id)).prices).toMatchObject([{ price: '9000.00' }])
  const { code, data } = await cast.lessor.call(own.editEquipment, { body: { ...(await shown(id)), model: 'QTZ80' } })
  expect([code, refusedFields(data)]).toEqual([422, ['papers.assessment']])
})
