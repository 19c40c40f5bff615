import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { getPublicEquipment, listOwnEquipment, setShelf } from '#shared/equipment/contract.ts'
import * as manage from '#shared/equipment/manage.ts'
import * as own from '#shared/equipment/own.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { getDemandForLessor } from '#shared/quote/contract.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertFile } from '../file/queries.ts'
import { remindOfEquipmentDocuments, takeExpiredOff } from './expiry.ts'
import { notifyOfPapers } from './notices.ts'

const world = await openWorld()
const { db, cast, clock, services } = world
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#caa' } })
  .png()
  .toBuffer()
const givenPicture = async ({ id, companyId }: { id: number; companyId: number } = cast.lessor) => {
  const actor = { accountId: id, companyId, deptId: null }
  return (await insertFile({ db, storage: services.storage, actor, now: monday }, { name: 'a.png', content: picture })).fileId
}

/** The papers that a loader needs, all of them this file. */
const papersOf = (fileId: string) =>
  ['ownership', 'conformity', 'emission'].map((kind) => ({ kind, number: 'A-1', fileId, validTo: '2027-06-30' }))

let numbers = 0
/** A loader with everything a submission needs. */
const machineBody = async (changes: Record<string, unknown> = {}) => ({
  fatherCategoryId: 100,
  categoryId: 106,
  name: '柳工 856H 装载机',
  brand: '柳工',
  model: '856H',
  specs: { ratedLoad: 5 },
  factoryNo: `LG-${String(++numbers).padStart(5, '0')}`,
  outFactoryDate: '2022-03-05',
  emissionStage: '3',
  envCode: 'CDW-00123',
  provinceId: 510_000,
  cityId: 510_100,
  prices: [{ rentUnit: 'S', price: 800, withOperator: true, taxRate: 9 }],
  // An account may hand in so many files a day that none is given needlessly.
  papers: 'papers' in changes ? [] : papersOf(await givenPicture()),
  imageIds: 'imageIds' in changes ? [] : [await givenPicture()],
  ...changes,
})
const add = async (changes: Record<string, unknown> = {}, by = cast.lessor) =>
  by.call(own.addEquipment, { body: await machineBody(changes) })
const whole = async (id: number) => (await cast.lessor.call(own.getOwnEquipment, { params: { id } })).data
/** A machine that has passed. */
const givenPassed = async (changes: Record<string, unknown> = {}) => {
  const { data, msg } = await add({ submit: true, ...changes })
  if (!data?.id) throw new Error(`${msg} ${JSON.stringify(data)}`)
  const { version } = await whole(data.id)
  const passed = await cast.operator.call(manage.passEquipment, { params: { id: data.id }, body: { version } })
  if (passed.code !== 200) throw new Error(passed.msg)
  return data.id
}

describe('[S2.21][S7.6] a lessor writes machines down', () => {
  test('a draft, submitted, sent back with a reason, mended, passed: on the shelf with its photo, price and papers', async () => {
    const draft = await add({ papers: [], imageIds: [] })
    expect(draft.data).toMatchObject({ auditStatus: '0' })
    const { id } = draft.data
    const submit = async (changes: Record<string, unknown>) =>
      cast.lessor.call(own.editEquipment, {
        body: { ...(await machineBody(changes)), id, version: (await whole(id)).version, submit: true },
      })
    expect(refusedFields((await submit({ papers: [], imageIds: [] })).data)).toEqual(
      expect.arrayContaining(['imageIds', 'papers.ownership', 'papers.conformity', 'papers.emission']),
    )
    expect((await submit({})).data).toMatchObject({ auditStatus: '1', waiting: false })
    expect((await cast.visitor.call(getPublicEquipment, { params: { id } })).code).toBe(404)
    expect((await cast.operator.call(manage.listReviews, { query: { pageSize: 100 } })).data.rows.map((row) => row.id)).toContain(id)
    const judge = async (endpoint: typeof manage.rejectEquipment | typeof manage.passEquipment, body: object = {}) =>
      cast.operator.call(endpoint, { params: { id }, body: { version: (await whole(id)).version, ...body } })
    expect((await judge(manage.rejectEquipment, { reason: '照片看不清铭牌' })).code).toBe(200)
    expect(await whole(id)).toMatchObject({ auditStatus: '3', auditReason: '照片看不清铭牌' })
    await submit({})
    expect((await judge(manage.passEquipment)).code).toBe(200)
    expect((await judge(manage.passEquipment)).code).toBe(409)
    const shown = (await cast.visitor.call(getPublicEquipment, { params: { id } })).data
    expect(shown).toMatchObject({ monthPrice: '20800.00', images: [expect.stringContaining('/prod-api/file/')] })
    expect(JSON.stringify(shown)).not.toContain('LG-')
    expect((await whole(id)).events.map(({ move }) => move)).toEqual(['pass', 'submit', 'reject', 'submit', 'draft'])
  })

  test('a draft needs no more than what names it; its submission says at once all that is missing', async () => {
    const bare = {
      specs: {},
      factoryNo: null,
      outFactoryDate: null,
      emissionStage: 'none',
      envCode: null,
      prices: [],
      papers: [],
      imageIds: [],
    }
    const draft = await add(bare)
    expect([draft.code, await whole(draft.data.id)]).toMatchObject([200, { auditStatus: '0', outFactoryDate: '', prices: [] }])
    const submitted = await cast.lessor.call(own.editEquipment, {
      body: { ...(await machineBody(bare)), id: draft.data.id, version: 1, submit: true },
    })
    expect(refusedFields(submitted.data).toSorted()).toEqual([
      'emissionStage',
      'envCode',
      'imageIds',
      'outFactoryDate',
      'papers.conformity',
      'papers.emission',
      'papers.ownership',
      'prices',
      'specs.ratedLoad',
    ])
    expect((await cast.lessor.call(own.deleteEquipment, { params: { id: draft.data.id } })).code).toBe(200)
  })

  let refused: Promise<[paper: string, image: string]> | undefined
  test.each([
    ['outFactoryDate', { outFactoryDate: '2030-01-01' }],
    ['specs.ratedLoad', { submit: true, specs: {} }],
    ['outFactoryDate', { submit: true, outFactoryDate: null }],
    ['specs.ratedLoad', { specs: { ratedLoad: -1 } }],
    ['specs.nonsense', { specs: { ratedLoad: 5, nonsense: 1 } }],
    ['factoryNo', { factoryNo: '有汉字' }],
    ['envCode', { submit: true, envCode: null }],
    ['emissionStage', { submit: true, emissionStage: 'none' }],
    ['cityId', { cityId: 440_100 }],
    ['categoryId', { categoryId: 201 }],
    ['prices', { submit: true, prices: [] }],
    [
      'prices',
      {
        prices: [
          { rentUnit: 'M', price: 1 },
          { rentUnit: 'M', price: 2 },
        ],
      },
    ],
    ['prices.0.price', { prices: [{ rentUnit: 'M', price: 0 }] }],
    ['totalQty', { totalQty: 3 }],
    ['plateNo', { plateNo: '不是车牌' }],
    ['vin', { vin: 'I2345678901234567' }],
    ['imageIds', { imageIds: ['00000000-0000-4000-8000-000000000000'] }],
    ['papers', { papers: [{ kind: 'ownership', fileId: '00000000-0000-4000-8000-000000000000' }] }],
    ['papers.inspection', { submit: true, papers: [{ kind: 'inspection', number: '1' }] }],
    ['papers.ownership', { submit: true, papers: [{ kind: 'ownership', validTo: '2026-01-01' }] }],
  ])('%s is refused beside its field: %j', async (field, changes) => {
    // What is refused takes no file, so the same do for all.
    const [paper, image] = await (refused ??= Promise.all([givenPicture(), givenPicture()]))
    const { code, data } = await add({ papers: papersOf(paper), imageIds: [image], ...changes })
    expect(code).toBe(422)
    expect(refusedFields(data)).toContain(field)
  })

  test('a tower crane needs its registration, filing, inspection with a date and, when old, an assessment', async () => {
    const crane = { fatherCategoryId: 200, categoryId: 201, specs: { moment: 80 }, submit: true, papers: [] }
    const young = refusedFields((await add({ ...crane, factoryNo: null })).data)
    expect(young).toEqual(
      expect.arrayContaining([
        'factoryNo',
        'registrationNo',
        'filingNo',
        'papers.registration',
        'papers.inspection',
        'papers.filing',
        'papers.erection',
      ]),
    )
    expect(young).not.toContain('papers.assessment')
    expect(refusedFields((await add({ ...crane, outFactoryDate: '2010-01-01' })).data)).toContain('papers.assessment')
  })

  test('the same number twice in a company is refused; from another company it is shown to the reviewer', async () => {
    const number = { factoryNo: 'TWICE-1' }
    const first = await add(number)
    expect(refusedFields((await add(number)).data)).toEqual(['factoryNo'])
    const paper = await givenPicture(cast.lessor2)
    const papers = ['ownership', 'conformity', 'emission'].map((kind) => ({ kind, fileId: paper }))
    const other = await add({ ...number, submit: true, imageIds: [await givenPicture(cast.lessor2)], papers }, cast.lessor2)
    expect(other.data.auditStatus).toBe('1')
    const review = await cast.operator.call(manage.getReview, { params: { id: other.data.id } })
    expect(review.data.duplicates.map(({ id }) => id)).toEqual([first.data.id])
    expect((await cast.lessor2.call(own.getOwnEquipment, { params: { id: other.data.id } })).data.duplicates).toEqual([])
  })

  test('of a passed machine price and place hold at once; key facts wait, the old stay public, and can be sent back or passed', async () => {
    const id = await givenPassed()
    const before = await whole(id)
    const edit = async (changes: Record<string, unknown>) => {
      const now = await whole(id)
      return cast.lessor.call(own.editEquipment, {
        body: {
          ...(await machineBody({
            factoryNo: now.factoryNo,
            imageIds: now.images,
            papers: now.papers.map(({ mime: _, ...paper }) => paper),
            ...changes,
          })),
          id,
          version: now.version,
        },
      })
    }
    expect((await edit({ prices: [{ rentUnit: 'M', price: 19_000 }] })).data).toMatchObject({ auditStatus: '2', waiting: false })
    expect((await cast.visitor.call(getPublicEquipment, { params: { id } })).data.monthPrice).toBe('19000.00')
    // A price that has ended gives no month price.
    const ended = { rentUnit: 'M', price: 19_000, validTo: '2020-01-31' }
    expect((await edit({ prices: [ended, { rentUnit: 'S', price: 800 }] })).code).toBe(200)
    expect((await cast.visitor.call(getPublicEquipment, { params: { id } })).data.monthPrice).toBe('20800.00')
    expect((await edit({ model: '862H', specs: { ratedLoad: 6 } })).data.waiting).toBe(true)
    expect((await cast.visitor.call(getPublicEquipment, { params: { id } })).data).toMatchObject({ model: '856H', specs: { ratedLoad: 5 } })
    const waiting = await whole(id)
    expect(waiting.change?.fields).toEqual([
      { field: '型号', before: '856H', after: '862H' },
      { field: '技术参数', before: '额定载重量 5 t', after: '额定载重量 6 t' },
    ])
    expect((await cast.lessor.call(listOwnEquipment, { query: { pageSize: 100 } })).data.rows.find((row) => row.id === id)?.changing).toBe(
      true,
    )
    const reject = { version: waiting.version, reason: '铭牌与型号不符' }
    expect((await cast.operator.call(manage.rejectEquipment, { params: { id }, body: reject })).code).toBe(200)
    expect((await whole(id)).change).toMatchObject({ status: '3', reason: '铭牌与型号不符' })
    await edit({ model: '862H', specs: { ratedLoad: 6 } })
    await cast.operator.call(manage.passEquipment, { params: { id }, body: { version: (await whole(id)).version } })
    expect((await cast.visitor.call(getPublicEquipment, { params: { id } })).data).toMatchObject({ model: '862H', specs: { ratedLoad: 6 } })
    expect(before.version).toBeLessThan((await whole(id)).version)
  })

  test('two editors: the second is told', async () => {
    const { id } = (await add()).data
    const body = { ...(await machineBody()), id, version: (await whole(id)).version }
    const both = await Promise.all(
      ['甲改', '乙改'].map((name) => cast.lessor.call(own.editEquipment, { body: { ...body, name: `${name} 装载机` } })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual([200, 409])
  })

  test('what is in review cannot be changed until it is withdrawn; drafts are deleted, machines retired', async () => {
    const { id } = (await add({ submit: true })).data
    const body = { ...(await machineBody()), id, version: (await whole(id)).version }
    expect((await cast.lessor.call(own.editEquipment, { body })).code).toBe(409)
    expect((await cast.lessor.call(own.withdrawEquipment, { params: { id } })).code).toBe(200)
    expect((await cast.lessor.call(own.deleteEquipment, { params: { id } })).code).toBe(200)
    expect((await cast.lessor.call(own.getOwnEquipment, { params: { id } })).code).toBe(404)
    const passed = await givenPassed()
    expect((await cast.lessor.call(own.deleteEquipment, { params: { id: passed } })).code).toBe(409)
    expect((await cast.lessor.call(own.retireEquipment, { params: { id: passed } })).code).toBe(200)
    expect((await cast.lessor.call(setShelf, { params: { id: passed }, body: { shelfStatus: '1' } })).code).toBe(409)
  })

  test('days kept by hand take a machine out of hire, and only free days can be kept', async () => {
    const id = await givenPassed()
    const block = (from: string, to: string) =>
      cast.lessor.call(own.addBlock, { params: { id }, body: { from, to, reason: 'repair', note: '大修' } })
    const kept = await block('2026-12-20', '2027-01-10')
    expect(kept.code).toBe(200)
    expect((await block('2027-01-09', '2027-01-20')).code).toBe(409)
    expect((await block('2027-01-10', '2027-01-20')).code).toBe(200)
    expect(refusedFields((await block('2027-02-02', '2027-02-01')).data)).toEqual(['to'])
    const demand = await world.givenDemand()
    const candidates = (await cast.lessor.call(getDemandForLessor, { params: { id: demand.id } })).data.candidates[
      String(demand.items[0]?.id)
    ]
    expect(candidates?.find((machine) => machine.id === id)?.misses.map(({ kind }) => kind)).toContain('taken')
    const params = { id, blockId: kept.data.blockId }
    expect((await cast.lessor2.call(own.removeBlock, { params })).code).toBe(404)
    expect((await cast.lessor.call(own.removeBlock, { params })).code).toBe(200)
    expect((await whole(id)).blocks.map(({ from }) => from)).toEqual(['2027-01-10'])
  })

  test('a picture is turned, papers are seen by their company and the reviewer only, pictures by everybody', async () => {
    const id = await givenPassed()
    const { images, papers } = await whole(id)
    const turned = await cast.lessor.call(own.turnImage, { params: { id: images[0] ?? '' } })
    const file = await cast.lessor.call(downloadFile, { params: { id: turned.data.fileId }, query: {} })
    expect(await sharp(file.bytes).metadata()).toMatchObject({ width: 20, height: 40 })
    const paper = papers[0]?.fileId ?? ''
    for (const [who, code] of [
      [cast.lessor, 200],
      [cast.operator, 200],
      [cast.lessor2, 404],
      [cast.project, 404],
      [cast.visitor, 404],
    ] as const) {
      const answer = await who.call(downloadFile, { params: { id: paper }, query: {} })
      expect(answer.code || 200).toBe(code)
    }
    expect((await cast.visitor.call(downloadFile, { params: { id: images[0] ?? '' }, query: {} })).bytes.length).toBeGreaterThan(50)
  })

  test('an expired paper takes a machine off the shelf, after reminders 45 and 7 days ahead, each once', async () => {
    const id = await givenPassed()
    const told = async () => {
      await notifyOfPapers(services)
      const own = db.selectFrom('message').where('accountId', '=', cast.lessor.id)
      const kinds = await own.where('kind', 'in', ['paperExpiring', 'equipmentOff']).orderBy('id').select('kind').execute()
      return kinds.map(({ kind }) => kind)
    }
    clock.set(new Date('2027-05-20T02:00:00Z'))
    await remindOfEquipmentDocuments(services)
    await remindOfEquipmentDocuments(services)
    expect(await told()).toEqual(['paperExpiring'])
    clock.set(new Date('2027-06-25T02:00:00Z'))
    await remindOfEquipmentDocuments(services)
    expect(await told()).toEqual(['paperExpiring', 'paperExpiring'])
    await takeExpiredOff(services)
    const shelf = async () => (await db.selectFrom('equipment').where('id', '=', id).select('shelfStatus').executeTakeFirst())?.shelfStatus
    expect(await shelf()).toBe('1')
    clock.set(new Date('2027-07-01T02:00:00Z'))
    await takeExpiredOff(services)
    expect(await shelf()).toBe('0')
    expect((await told()).at(-1)).toBe('equipmentOff')
  })

  test('still available: a click for many', async () => {
    const id = await givenPassed()
    clock.set(new Date(monday.getTime() + 86_400_000))
    expect((await cast.lessor2.call(own.confirmEquipment, { body: { ids: [id] } })).data.confirmed).toBe(0)
    expect((await cast.lessor.call(own.confirmEquipment, { body: { ids: [id] } })).data.confirmed).toBe(1)
    expect((await whole(id)).confirmedAt).toBe('2026-11-24 10:00:00')
  })
})

describe('files of machines', () => {
  /** A file has no envelope, a refusal has one with its code. */
  const codeOf = async (by: { call: typeof cast.lessor.call }, id: string) =>
    (await by.call(downloadFile, { params: { id } })).raw.code ?? 200

  test('pictures are public only while their machine is on the shelf; its company and the reviewers see them before', async () => {
    const picture = await givenPicture()
    const seen = async () => ({
      visitor: await codeOf(cast.visitor, picture),
      stranger: await codeOf(cast.lessor2, picture),
      owner: await codeOf(cast.lessor, picture),
      reviewer: await codeOf(cast.operator, picture),
    })
    const nobodyElse = { visitor: 404, stranger: 404, owner: 200, reviewer: 404 }
    expect(await seen()).toEqual(nobodyElse)
    const draft = (await add({ imageIds: [picture] })).data
    expect(await seen()).toEqual(nobodyElse)
    const edit = async (changes: object) =>
      cast.lessor.call(own.editEquipment, {
        body: { ...(await machineBody({ imageIds: [picture], ...changes })), id: draft.id, version: (await whole(draft.id)).version },
      })
    expect((await edit({ submit: true })).data.auditStatus).toBe('1')
    expect(await seen()).toEqual({ ...nobodyElse, reviewer: 200 })
    await cast.operator.call(manage.passEquipment, { params: { id: draft.id }, body: { version: (await whole(draft.id)).version } })
    expect(await seen()).toEqual({ visitor: 200, stranger: 200, owner: 200, reviewer: 200 })
    await cast.operator.call(manage.takeEquipmentDown, { params: { id: draft.id }, body: { reason: '照片与机器不符' } })
    expect(await seen()).toEqual({ ...nobodyElse, reviewer: 200 })
  })

  test('a colleague’s identity paper, an unused upload of theirs and an own paper cannot be named as a picture', async () => {
    const colleague = { ...cast.lapsed, companyId: cast.lessor.companyId }
    await db.updateTable('account').set({ companyId: colleague.companyId }).where('id', '=', colleague.id).execute()
    const { id: certificationId } = await db
      .insertInto('certification')
      .values({ accountId: colleague.id, kind: 'rentout', form: '{}', name: '', createTime: monday, updateTime: monday })
      .returning('id')
      .executeTakeFirstOrThrow()
    const identity = await givenPicture(colleague)
    await db.insertInto('certificationDocument').values({ certificationId, kind: 'legalIdFront', fileId: identity }).execute()
    const unused = await givenPicture(colleague)
    const paper = await givenPicture()
    const [first, ...others] = (await machineBody()).papers
    const id = await givenPassed({ papers: [{ ...first, fileId: paper }, ...others] })
    for (const fileId of [identity, unused, paper]) {
      const { code, data } = await add({ imageIds: [fileId] })
      expect([code, refusedFields(data)]).toEqual([422, ['imageIds']])
      expect(await codeOf(cast.visitor, fileId)).toBe(404)
    }
    expect((await cast.lessor.call(own.turnImage, { params: { id: identity } })).code).toBe(404)
    expect((await cast.lessor.call(own.turnImage, { params: { id: paper } })).code).toBe(404)
    // What is a picture of the company's machine already, a colleague may attach again: a machine is copied with its pictures.
    const { images } = await whole(id)
    expect((await add({ imageIds: images, papers: [] }, colleague)).code).toBe(200)
  })
})
