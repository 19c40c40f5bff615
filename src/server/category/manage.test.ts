import { afterAll, expect, test } from 'vitest'
import { getCategoryTree, getCategoryVersion, listDictionary } from '#shared/category/contract.ts'
import * as contract from '#shared/category/manage.ts'
import { lookAtContact } from '#shared/demand/contract.ts'
import { confirmTrusted, listReviews, passEquipment, restoreEquipment, takeEquipmentDown } from '#shared/equipment/manage.ts'
import { addEquipment, editEquipment, withdrawEquipment } from '#shared/equipment/own.ts'
import type { z } from 'zod'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import { setShelf } from '#shared/equipment/contract.ts'
import * as settings from '#shared/setting/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
const { cast, db } = world
afterAll(() => world.close())

const tree = async () => (await world.caller(null)(getCategoryTree, {})).data
const version = async () => (await world.caller(null)(getCategoryVersion, {})).data
const body = {
  parentId: 100,
  name: '小型装载机',
  nameEn: 'Skid steer',
  alias: ['滑移'],
  priceUnits: ['M', 'D'],
  params: [{ key: 'load', label: '载荷', labelEn: 'Load', unit: 't', main: true, type: 'number' }],
}
const managed = async (id: number) => (await cast.operator.call(contract.listManagedCategories, {})).data.find((one) => one.id === id)

test('a new category is in everybody’s tree, and the version says so', async () => {
  const before = await version()
  const { data } = await cast.operator.call(contract.addCategory, { body })
  const group = (await tree()).find(({ id }) => id === 100)
  expect(group?.children.at(-1)).toMatchObject({ id: data.id, name: '小型装载机', params: [{ key: 'load', main: true }] })
  const after = await version()
  expect(after).not.toBe(before)
  expect(await version()).toBe(after)
})

test('renamed, moved, switched off, ordered; the second editor is told', async () => {
  const { id } = (await cast.operator.call(contract.addCategory, { body: { ...body, name: '移动的类别' } })).data
  const edit = (more: object, of = 1) =>
    cast.operator.call(contract.editCategory, { body: { ...body, name: '移动的类别', id, version: of, ...more } })
  expect((await edit({ name: '改名的类别', parentId: 200 })).code).toBe(200)
  expect((await edit({})).code).toBe(409)
  expect((await tree()).find((group) => group.id === 200)?.children.at(-1)).toMatchObject({ id, name: '改名的类别' })
  const held = await managed(id)
  expect((await edit({ name: '改名的类别', parentId: 200, status: '1' }, held?.version)).code).toBe(200)
  expect((await tree()).flatMap((group) => group.children).some((one) => one.id === id)).toBe(false)
  expect(await managed(id)).toMatchObject({ status: '1' })
  const ids = (await cast.operator.call(contract.listManagedCategories, {})).data
    .filter(({ parentId }) => parentId === 200)
    .map((one) => one.id)
  expect((await cast.operator.call(contract.orderCategories, { body: { parentId: 200, ids: ids.toReversed() } })).code).toBe(200)
  expect((await tree()).find((group) => group.id === 200)?.children.map((one) => one.id)).toEqual(
    ids.toReversed().filter((one) => one !== id),
  )
  expect((await cast.operator.call(contract.orderCategories, { body: { parentId: 200, ids: ids.slice(1) } })).code).toBe(409)
})

test('machines go along with a category that is moved; one that is in use is not switched off', async () => {
  const machine = await world.givenMachine(cast.lessor.companyId)
  const { categoryId } = await db.selectFrom('equipment').where('id', '=', machine).select('categoryId').executeTakeFirstOrThrow()
  const one = await managed(categoryId)
  const edit = async (more: object) =>
    cast.operator.call(contract.editCategory, { body: { ...one, version: (await managed(categoryId))?.version, ...more } })
  expect((await edit({ status: '1' })).code).toBe(409)
  expect((await edit({ parentId: 300 })).code).toBe(200)
  expect(await db.selectFrom('equipment').where('id', '=', machine).select('fatherCategoryId').executeTakeFirst()).toEqual({
    fatherCategoryId: 300,
  })
  await edit({ parentId: one?.parentId })
})

test('the parameters by which machines and demands are measured keep their meaning; others may come', async () => {
  const { id } = (await cast.operator.call(contract.addCategory, { body: { ...body, name: '有量纲的类别' } })).data
  const edit = async (params: object[]) => {
    const { version: of } = (await managed(id)) ?? {}
    return cast.operator.call(contract.editCategory, { body: { ...body, name: '有量纲的类别', id, version: of, params } })
  }
  const [load] = body.params
  const height = { ...load, key: 'height', label: '高度', labelEn: 'Height', unit: 'm', main: false }
  const tonnes = { ...load, unit: 'kg' }
  expect((await edit([tonnes])).code).toBe(200)
  await edit([load ?? {}])
  const machine = await world.givenMachine(cast.lessor.companyId)
  await db.updateTable('equipment').set({ categoryId: id }).where('id', '=', machine).execute()
  for (const params of [[tonnes], [{ ...load, key: 'weight' }], [{ ...load, type: 'text' }], [{ ...load, main: false }], [height], []]) {
    const refused = await edit(params)
    expect([refused.code, refusedFields(refused.data)]).toEqual([422, ['params']])
  }
  expect((await edit([height, { ...load, label: '额定载荷' }])).code).toBe(200)
  expect(
    (
      await edit([
        { ...load, main: false },
        { ...height, main: true },
      ])
    ).code,
  ).toBe(422)
  expect((await managed(id))?.params.map(({ label }) => label)).toEqual(['高度', '额定载荷'])
  await db.deleteFrom('equipment').where('id', '=', machine).execute()
  expect((await edit([{ ...height, main: true }])).code).toBe(200)
})

test('under a disabled category no machine goes on the shelf, neither by its lessor nor by a review', async () => {
  const { id } = (await cast.operator.call(contract.addCategory, { body: { ...body, name: '将停用的类别' } })).data
  const [off, submitted] = [
    await world.givenMachine(cast.lessor.companyId, { categoryId: id, shelfStatus: '0' }),
    await world.givenMachine(cast.lessor.companyId, { categoryId: id, shelfStatus: '0' }),
  ]
  await db.updateTable('equipment').set({ auditStatus: '1', submitTime: world.clock.now() }).where('id', '=', submitted).execute()
  const setStatus = async (status: string) => {
    const one = await managed(id)
    return (await cast.operator.call(contract.editCategory, { body: { ...one, version: one?.version, status } })).code
  }
  const put = () => cast.lessor.call(setShelf, { params: { id: off }, body: { shelfStatus: '1' } })
  const stored = () =>
    db.selectFrom('equipment').where('id', '=', submitted).select(['auditStatus', 'shelfStatus', 'version']).executeTakeFirstOrThrow()
  expect(await setStatus('1')).toBe(200)
  expect((await put()).msg).toBe(zhCn.refusal.shelf_blocked)
  const { version: of } = await stored()
  expect((await cast.operator.call(passEquipment, { params: { id: submitted }, body: { version: of } })).code).toBe(200)
  expect(await stored()).toMatchObject({ auditStatus: '2', shelfStatus: '0' })
  expect(await setStatus('0')).toBe(200)
  expect((await put()).code).toBe(200)
})

test('a category is enabled under an enabled group only', async () => {
  const add = (more: object) => cast.operator.call(contract.addCategory, { body: { ...body, ...more } })
  const { data: group } = await add({ parentId: 0, name: '停用的大类', params: [], priceUnits: [], status: '1' })
  const refused = await add({ parentId: group.id, name: '其下的类别' })
  expect([refused.code, refusedFields(refused.data), refused.msg]).toEqual([422, ['parentId'], zhCn.rule.codes.group_disabled])
  const { data: child } = await add({ parentId: group.id, name: '其下的类别', status: '1' })
  const one = await managed(child.id)
  expect((await cast.operator.call(contract.editCategory, { body: { ...one, status: '0' } })).msg).toBe(zhCn.rule.codes.group_disabled)
})

test.each([
  ['a name that is taken', { name: '小型装载机' }, ['name']],
  ['a group that is none', { name: '别的', parentId: 101 }, ['parentId']],
  ['no unit to rent by', { name: '别的', priceUnits: [] }, ['priceUnits']],
  ['two main parameters', { name: '别的', params: ['a', 'b'].map((key) => ({ ...body.params[0], key })) }, ['params']],
  ['one key twice', { name: '别的', params: [1, 2].map((n) => ({ ...body.params[0], main: n === 1 })) }, ['params.1.key']],
  ['a key that is none', { name: '别的', params: [{ ...body.params[0], key: '载荷' }] }, ['params.0.key']],
])('%s is refused beside the field', async (_, change, wrong) => {
  const { code, data } = await cast.operator.call(contract.addCategory, { body: { ...body, ...change } })
  expect(code).toBe(422)
  expect(refusedFields(data)).toEqual(wrong)
})

test('dictionaries: changed, added, switched off, for every client at once; none out of nothing', async () => {
  const { data } = await cast.operator.call(contract.listDictionaries, {})
  const [entry] = data
  if (!entry) throw new Error('there are dictionaries')
  const save = (change: object, before: object | null = entry) =>
    cast.operator.call(contract.saveDictionary, { body: { ...entry, ...change, before } })
  const seen = async () => (await world.caller(null)(listDictionary, { params: { dictType: entry.dictType } })).data
  await save({ dictLabel: '换个叫法' })
  const added = { dictValue: 'new1', dictLabel: '新的一项', dictSort: 99 }
  await save(added, null)
  expect((await seen()).map(({ dictLabel }) => dictLabel)).toEqual(expect.arrayContaining(['换个叫法', '新的一项']))
  await save({ ...added, status: '1' }, { ...entry, ...added })
  expect((await seen()).map(({ dictLabel }) => dictLabel)).not.toContain('新的一项')
  expect((await save({ dictType: 'nothing' }, null)).code).toBe(422)
})

test('an entry of a dictionary is neither added over another one nor changed by whoever has not read its last change', async () => {
  const entry = (await cast.operator.call(contract.listDictionaries, {})).data.at(-1)
  if (!entry) throw new Error('there are dictionaries')
  const save = (change: object, before: object | null) =>
    cast.operator.call(contract.saveDictionary, { body: { ...entry, ...change, before } })
  const stored = async () =>
    (await cast.operator.call(contract.listDictionaries, {})).data.filter(({ dictType }) => dictType === entry.dictType)
  const before = await stored()
  const over = await save({ dictLabel: '盖掉' }, null)
  expect([over.code, refusedFields(over.data), await stored()]).toEqual([422, ['dictValue'], before])
  expect((await save({ dictLabel: '第一人' }, entry)).code).toBe(200)
  // It is sent again by whoever got no answer.
  expect((await save({ dictLabel: '第一人' }, entry)).code).toBe(200)
  expect([(await save({ dictLabel: '第二人' }, entry)).code, (await stored()).at(-1)?.dictLabel]).toEqual([409, '第一人'])
  expect((await save({ dictValue: 'none' }, entry)).code).toBe(409)
  const both = await Promise.all(['甲', '乙'].map((dictLabel) => save({ dictValue: 'twice', dictLabel }, null)))
  expect(both.map(({ code }) => code).toSorted()).toEqual([200, 422])
})

test('settings hold at once, are refused out of range, and keep their history', async () => {
  const save = async (key: string, value: object, reason = '业务需要') => {
    const before: Record<string, unknown> = (await cast.operator.call(settings.getSettings, {})).data
    return cast.operator.call(settings.saveSetting, { body: { key, value, before: before[key], reason } })
  }
  const { id } = await world.givenDemand()
  await save('limits', { looksPerDay: 1 })
  const look = () => cast.lessor.call(lookAtContact, { params: { id } })
  expect([(await look()).code, (await look()).code]).toEqual([200, 429])
  expect((await save('limits', { looksPerDay: 0 })).code).toBe(422)
  expect((await save('limits', { looksPerDay: 5 }, '')).code).toBe(422)
  expect((await save('nothing', {})).code).toBe(422)
  await save('limits', { looksPerDay: 60 }, '放宽')
  expect((await cast.operator.call(settings.getSettings, {})).data.limits).toEqual({ looksPerDay: 60 })
  const history = (await cast.operator.call(settings.listSettingHistory, {})).data
  expect(history).toMatchObject([
    { key: 'limits', who: 'operator', reason: '放宽', before: { looksPerDay: 1 }, after: { looksPerDay: 60 } },
    { key: 'limits', reason: '业务需要', before: { looksPerDay: 50 }, after: { looksPerDay: 1 } },
  ])
})

test('a trusted grade puts machines on the shelf first, unless the same machine is known; looked at afterwards', async () => {
  const category = (await tree())[0]?.children[0]
  await world.givenMachine(cast.lessor.companyId)
  const file = async () =>
    (
      await db
        .insertInto('file')
        .values({
          name: 'a.png',
          size: 1,
          mime: 'image/png',
          sha256: Buffer.alloc(32),
          access: 'owner',
          accountId: cast.lessor.id,
          companyId: cast.lessor.companyId,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  const kinds = ['ownership', 'conformity', 'emission'] as const
  const machine = async (factoryNo: string): Promise<z.input<typeof EquipmentInput>> => ({
    fatherCategoryId: category?.parentId ?? 0,
    categoryId: category?.id ?? 0,
    name: '卡特 320 挖掘机',
    brand: '卡特',
    model: '320',
    specs: Object.fromEntries((category?.params ?? []).map((param) => [param.key, param.type === 'number' ? 5 : '有'])),
    factoryNo,
    outFactoryDate: '2023-05-01',
    emissionStage: '4',
    envCode: 'ABC123456',
    provinceId: 510_000,
    cityId: 510_100,
    districtId: 510_107,
    prices: [{ rentUnit: 'M', price: 28_000 }],
    imageIds: [await file()],
    papers: await Promise.all(kinds.map(async (kind) => ({ kind, fileId: await file() }))),
  })
  const add = async (factoryNo: string) =>
    (await cast.lessor.call(addEquipment, { body: { ...(await machine(factoryNo)), submit: true } })).data
  const waiting = async (scope: string) => (await cast.operator.call(listReviews, { query: { scope } })).data.rows.map(({ id }) => id)
  await db.updateTable('company').set({ grade: 'A' }).where('id', '=', cast.lessor.companyId).execute()
  const first = await add('TRUST-001')
  expect(first.auditStatus).toBe('1')
  const { review } = (await cast.operator.call(settings.getSettings, {})).data
  await cast.operator.call(settings.saveSetting, {
    body: { key: 'review', value: { trustGrades: ['A'] }, before: review, reason: '先上后审' },
  })
  const second = await add('TRUST-002')
  expect(second.auditStatus).toBe('2')
  expect([await waiting('waiting'), await waiting('trusted')]).toEqual([[first.id], [second.id]])
  const shelf = async (id: number) =>
    (await db.selectFrom('equipment').where('id', '=', id).select('shelfStatus').executeTakeFirstOrThrow()).shelfStatus
  expect(await shelf(second.id)).toBe('1')
  // The same number at another company: somebody looks first.
  await db.updateTable('equipment').set({ companyId: cast.lessor2.companyId, factoryNo: 'TRUST-003' }).where('id', '=', first.id).execute()
  expect((await add('TRUST-003')).auditStatus).toBe('1')
  expect((await cast.operator.call(confirmTrusted, { params: { id: second.id } })).code).toBe(200)
  expect(await waiting('trusted')).toEqual([])

  // A draft that passes as it is submitted answers the version to change it by, which a change that is withdrawn leaves.
  const fourth = await machine('TRUST-004')
  const draft = (await cast.lessor.call(addEquipment, { body: fourth })).data
  const edit = async (changes: Partial<typeof fourth> & { version: number; submit?: boolean }) =>
    (await cast.lessor.call(editEquipment, { body: { ...fourth, id: draft.id, ...changes } })).data
  const passed = await edit({ version: 1, submit: true })
  expect(passed).toMatchObject({ auditStatus: '2', waiting: false })
  const changed = await edit({ version: passed.version, model: '958H' })
  expect(changed.waiting).toBe(true)
  expect((await cast.lessor.call(withdrawEquipment, { params: { id: draft.id } })).code).toBe(200)
  expect(await edit({ version: changed.version, prices: [{ rentUnit: 'M', price: 27_000 }] })).toMatchObject({ waiting: false })

  // Taken off by the platform it does not come back by the lessor.
  expect((await cast.operator.call(takeEquipmentDown, { params: { id: second.id }, body: { reason: '照片不符' } })).code).toBe(200)
  expect([await shelf(second.id), await waiting('off')]).toEqual(['2', [second.id]])
  const put = () => cast.lessor.call(setShelf, { params: { id: second.id }, body: { shelfStatus: '1' } })
  expect((await put()).code).toBe(409)
  expect((await cast.operator.call(restoreEquipment, { params: { id: second.id } })).code).toBe(200)
  expect((await put()).code).toBe(200)
})
