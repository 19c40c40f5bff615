import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { zipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { dayMs } from '#shared/calendar.ts'
import { getOwnDemand, saveDraft } from '#shared/demand/contract.ts'
import { addEquipment } from '#shared/equipment/own.ts'
import { addFeedback } from '#shared/feedback/contract.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { zip } from '#test/hostile/archives.ts'
import { refusedFields } from '#test/refused-fields.ts'
import { monday, openWorld } from '#test/world.ts'
import type { Purpose } from '../upload/claim.ts'
import { deleteUnusedFiles } from './unused.ts'

const world = await openWorld()
const { cast, server } = world
afterAll(() => world.close())

const png = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#1453d1' } })
  .png()
  .toBuffer()
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF')

async function send(content: Buffer, name: string, token: string | null = cast.project.token) {
  const boundary = 'x'.repeat(20)
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`
  const answer = await server.inject({
    method: 'POST',
    url: '/prod-api/file/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...(token && { authorization: token }) },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return {
    http: answer.statusCode,
    ...answer.json<{ code: number; msg: string; data: { fileId: string; name: string; mime: string; url: string; size: number } }>(),
  }
}
const ago = (days: number) => new Date(monday.getTime() - days * dayMs)
const get = (id: string, token: string | null, thumb = '0') =>
  server.inject({ url: `/prod-api/file/${id}?thumb=${thumb}`, headers: token ? { authorization: token } : {} })

test('a picture is known by its bytes, loses its metadata and gets a thumbnail', async () => {
  const tagged = await sharp(png)
    .withExif({ IFD3: { GPSLatitude: '31/1 0/1 0/1' } })
    .jpeg()
    .toBuffer()
  const { code, data } = await send(tagged, '现场 照片.png')
  expect([code, data.mime]).toEqual([200, 'image/jpeg'])
  const whole = await get(data.fileId, cast.project.token)
  expect((await sharp(whole.rawPayload).metadata()).exif).toBeUndefined()
  const thumb = await get(data.fileId, cast.project.token, '1')
  expect(await sharp(thumb.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 480, height: 360 })
})

test('names do not decide, and what only looks like a picture is refused', async () => {
  for (const content of [
    Buffer.from('<svg onload="alert(1)"/>'),
    Buffer.from('<html><script>1</script>'),
    Buffer.from('MZ executable'),
    png.subarray(0, 60),
    Buffer.alloc(0),
  ])
    expect((await send(content, 'a.png')).code).toBe(422)
  expect((await send(pdf, 'a.png')).data.mime).toBe('application/pdf')
  expect((await send(pdf, '../../etc/passwd')).data.name).not.toMatch(/[\\/]/)
})

test('a picture that is something else behind is written anew; one that would fill the memory is refused', async () => {
  const script = '<script>alert(1)</script>'
  const { code, data } = await send(Buffer.concat([png, Buffer.from(script), Buffer.from('PK\u0003\u0004')]), 'a.png')
  expect(code).toBe(200)
  const { rawPayload, headers } = await get(data.fileId, cast.project.token)
  expect(rawPayload.includes(script)).toBe(false)
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' })
  // 30,000 × 30,000 pixels in a few bytes: the header says so, and nothing behind it is read.
  const huge = Buffer.from(png)
  huge.writeUInt32BE(30_000, 16)
  huge.writeUInt32BE(30_000, 20)
  huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
  expect(await send(huge, 'a.png')).toMatchObject({ code: 422, msg: zhCn.refusal.picture_pixels })
})

test('size limits: 20 MB for anything', async () => {
  const big = Buffer.concat([pdf, Buffer.alloc(21 * 1024 * 1024)])
  expect((await send(big, 'a.pdf')).http).toBe(413)
})

test('visitors cannot upload; people on their way to a certification can', async () => {
  expect((await send(pdf, 'a.pdf', null)).code).toBe(401)
  expect((await send(pdf, 'a.pdf', cast.newcomer.token)).code).toBe(200)
})

test('a private file is its owner’s; attached to a demand it is for those who see the demand', async () => {
  const { data } = await send(pdf, '工地平面图.pdf')
  const seen = async (token: string | null) => (await get(data.fileId, token)).headers['content-type'] === 'application/pdf'
  expect([await seen(cast.project.token), await seen(cast.lessor.token), await seen(null)]).toEqual([true, false, false])
  const { id } = await world.givenDemand({ demandType: '2', invitedCompanyIds: [cast.lessor.companyId], attachmentIds: [data.fileId] })
  expect([
    await seen(cast.lessor.token),
    await seen(cast.lessor2.token),
    await seen(cast.stranger.token),
    await seen(cast.lessee.token),
    await seen(null),
  ]).toEqual([true, false, false, true, false])
  // Nothing of a private file stays in a browser that the next person uses.
  expect((await get(data.fileId, cast.project.token)).headers['cache-control']).toBe('no-store')
  expect((await cast.project.call(getOwnDemand, { params: { id } })).data.attachments).toEqual([
    { fileId: data.fileId, name: '工地平面图.pdf', size: pdf.length },
  ])
})

test('somebody else’s file cannot be attached', async () => {
  const { data } = await send(pdf, 'a.pdf', cast.stranger.token)
  await expect(world.givenDemand({ attachmentIds: [data.fileId] })).rejects.toThrow('attachmentIds')
})

test('an attachment cannot be attached as something else, nor by the people of another project', async () => {
  const { data } = await send(pdf, 'a.pdf')
  await world.givenDemand({ attachmentIds: [data.fileId] })
  await world.givenDemand({ attachmentIds: [data.fileId] })
  await expect(world.givenDemand({ deptId: cast.otherProject.deptId, attachmentIds: [data.fileId] }, cast.otherProject)).rejects.toThrow(
    'attachmentIds',
  )
  const picture = await send(png, 'a.png')
  await world.givenDemand({ attachmentIds: [picture.data.fileId] })
  const feedback = {
    type: 'fault',
    title: '附件用作截图',
    content: '把需求的附件当作截图再用一次。',
    contact: '',
    images: [picture.data.fileId],
  }
  expect((await cast.project.call(addFeedback, { body: feedback })).code).toBe(422)
})

test('archives are known by their parts; an archive that is none, or whose entries overlap, is refused', async () => {
  const archive = (parts: Record<string, Uint8Array>) => Buffer.from(zipSync(parts))
  const one = new Uint8Array([1])
  expect((await send(archive({ 'xl/workbook.xml': one }), 'a')).data.mime).toContain('spreadsheetml')
  expect((await send(archive({ 'word/document.xml': one }), 'a')).data.mime).toContain('wordprocessingml')
  expect((await send(archive({ 'a.txt': one }), 'a')).data.mime).toBe('application/zip')
  expect(
    (
      await send(
        zip([
          { name: 'a', content: Buffer.from('a') },
          { name: 'b', content: Buffer.from('a'), overlapping: true },
        ]),
        'a',
      )
    ).code,
  ).toBe(422)
  expect((await send(Buffer.from('PK\u0003\u0004 and no more'), 'a')).code).toBe(422)
})

test('forms that break off, have no file or no boundary are bad requests, and leave no file behind', async () => {
  // A folder of its own, because others upload at the same time.
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-forms-'))
  process.env.TMPDIR = folder
  const post = (type: string, payload: string) =>
    server.inject({
      method: 'POST',
      url: '/prod-api/file/upload',
      headers: { 'content-type': type, authorization: cast.project.token ?? '' },
      payload,
    })
  for (const [type, payload] of [
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=a', ''],
    ['multipart/form-data; boundary=a', '--a\r\n'],
    ['multipart/form-data; boundary=a', '--a--\r\n'],
    ['multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of a fi'],
    ['multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="__proto__"; filename="a"\r\n\r\nb\r\n--a--\r\n'],
    ['multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="text"\r\n\r\nb\r\n--a--\r\n'],
    ['application/json', '{}'],
  ])
    expect((await post(type ?? '', payload ?? '')).statusCode, payload).toBe(400)
  expect(readdirSync(folder)).toEqual([])
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  rmSync(folder, { recursive: true })
})

test('of uploads that arrive together no more are stored than the day allows', async () => {
  const { id } = cast.stranger
  const stored = (n: number) => ({
    name: `${n}.pdf`,
    size: 1,
    mime: 'application/pdf',
    sha256: Buffer.alloc(32),
    accountId: id,
    createTime: monday,
  })
  await world.db
    .insertInto('file')
    .values(Array.from({ length: fileLimits.perDay - 3 }, (_, n) => stored(n)))
    .execute()
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(pdf, 'a.pdf', cast.stranger.token)))
  expect(answers.map(({ code }) => code).toSorted()).toEqual([200, 200, 429, 429, 429, 429, 429, 429].toSorted())
})

test('an account that has stored 1 GB in 90 days without using it uploads nothing more; what is attached does not count', async () => {
  const [{ id }, person] = [await world.givenDemand(), await world.givenPerson({ userType: '1', auditStatus: '0' }, 'hoarder')]
  const large = { name: 'a.pdf', size: fileLimits.unusedBytes - 1, mime: 'application/pdf', sha256: Buffer.alloc(32) }
  const given = (size: number, createTime = monday) =>
    world.db
      .insertInto('file')
      .values({ ...large, size, accountId: person.id, createTime })
      .returning('id')
      .executeTakeFirstOrThrow()
  const ask = async () => (await send(pdf, 'a.pdf', person.token)).code
  await given(large.size, ago(91))
  const { id: fileId } = await given(large.size, ago(2))
  expect(await ask()).toBe(200)
  const msg = zhCn.refusal.uploads_unused.replace('{gb}', '1').replace('{days}', '90')
  expect(await send(pdf, 'a.pdf', person.token)).toMatchObject({ code: 429, msg })
  await world.db.insertInto('demandAttachment').values({ demandId: id, fileId, orderNum: 0 }).execute()
  expect(await ask()).toBe(200)
})

test('an account that has uploaded 20 GB in 90 days uploads nothing more, whatever it has attached', async () => {
  const [{ id }, person] = [await world.givenDemand(), await world.givenPerson({ userType: '1', auditStatus: '0' }, 'filler')]
  const size = fileLimits.recentBytes / 20
  const large = { name: 'a.pdf', size, mime: 'application/pdf', sha256: Buffer.alloc(32), accountId: person.id }
  const files = await world.db
    .insertInto('file')
    .values(Array.from({ length: 20 }, (_, n) => ({ ...large, createTime: ago(n === 0 ? 91 : 2) })))
    .returning('id')
    .execute()
  await world.db
    .insertInto('demandAttachment')
    .values(files.map(({ id: fileId }, orderNum) => ({ demandId: id, fileId, orderNum })))
    .execute()
  const ask = () => send(pdf, 'a.pdf', person.token)
  expect((await ask()).code).toBe(200)
  await world.db
    .updateTable('file')
    .set({ createTime: ago(2) })
    .where('id', '=', files[0]?.id ?? '')
    .execute()
  const msg = zhCn.refusal.uploads_recent.replace('{gb}', '20').replaceAll('{days}', '90')
  expect(await ask()).toMatchObject({ code: 429, msg })
})

test('what nobody has attached for 90 days is deleted, but for a scan and for what a draft of a demand names', async () => {
  const { db, services } = world
  const given = async (days: number, purpose: Purpose | null = null) => {
    const fileId = await givenFile(world, cast.project)
    await db
      .updateTable('file')
      .set({ createTime: ago(days), purpose })
      .where('id', '=', fileId)
      .execute()
    return fileId
  }
  const [unused, younger, attached, inDraft] = [await given(91), await given(89), await given(91, 'demandAttachment'), await given(91)]
  const [picture, scan] = [await given(91, 'article'), await given(91, 'contract')]
  // As our own form stores it, which is not as the demand is published.
  const form = { attachments: [{ fileId: inDraft, name: 'a.pdf', size: 8 }] }
  expect((await cast.project.call(saveDraft, { body: { deptId: cast.project.deptId, form } })).code).toBe(200)
  expect(await deleteUnusedFiles(services)).toBeGreaterThan(0)
  const stored = async (id: string) => [
    (await db.selectFrom('file').where('id', '=', id).select('id').executeTakeFirst()) !== undefined,
    (await services.storage.get(id)) !== null,
  ]
  for (const id of [unused, picture]) expect(await stored(id)).toEqual([false, false])
  for (const id of [younger, attached, inDraft, scan]) expect(await stored(id)).toEqual([true, true])
  await db.deleteFrom('demand').where('draft', 'is not', null).execute()
  expect(await deleteUnusedFiles(services)).toBe(1)
  expect(await stored(inDraft)).toEqual([false, false])
  // More than a batch does not wait for the next round.
  const one = { name: 'a.pdf', size: 1, mime: 'application/pdf', sha256: Buffer.alloc(32), accountId: cast.project.id, createTime: ago(91) }
  await db
    .insertInto('file')
    .values(Array.from({ length: 101 }, () => one))
    .execute()
  expect(await deleteUnusedFiles(services)).toBe(101)
})

test('a file of a contract is read by the people of the organisation, and no more by its uploader who is a driver now or has left', async () => {
  const { id: contractId } = await contractSteps(world).givenContract()
  const { companyId } = cast.lessor
  const clerk = await world.givenPerson({ userType: '4', certSign: 1, companyId }, 'clerk of the lessor')
  const reads = async (who: { token: string | null }) => (await get(fileId, who.token)).headers['content-type'] === 'application/pdf'
  const { fileId } = (await send(pdf, '扫描件.pdf', clerk.token)).data
  expect([await reads(clerk), await reads(cast.lessor)]).toEqual([true, false])
  await world.db.insertInto('contractFile').values({ contractId, kind: 'scan', fileId, orderNum: 0 }).execute()
  expect([await reads(clerk), await reads(cast.lessor), await reads(cast.project)]).toEqual([true, true, true])
  const change = (columns: { driverOnly?: boolean; companyId?: number }) =>
    world.db.updateTable('account').set(columns).where('id', '=', clerk.id).execute()
  await change({ driverOnly: true })
  expect(await reads(clerk)).toBe(false)
  await change({ driverOnly: false, companyId: cast.lessor2.companyId })
  expect([await reads(clerk), await reads(cast.lessor)]).toEqual([false, true])
  // Once it is let go, it is read by its uploader while they work there, and by nobody else.
  await world.db.updateTable('file').set({ purpose: 'contract' }).where('id', '=', fileId).execute()
  await world.db.deleteFrom('contractFile').where('fileId', '=', fileId).execute()
  expect(await reads(clerk)).toBe(false)
  await change({ companyId })
  expect([await reads(clerk), await reads(cast.lessor)]).toEqual([true, false])
  await change({ driverOnly: true })
  expect(await reads(clerk)).toBe(false)
})

test('what was taken for an organisation is attached nowhere else by its uploader who has left', async () => {
  const { companyId } = cast.lessor
  const clerk = await world.givenPerson({ userType: '4', certSign: 1, companyId }, 'clerk who leaves')
  const { fileId } = (await send(pdf, '合格证.pdf', clerk.token)).data
  const draft = (factoryNo: string) => ({
    fatherCategoryId: 100,
    categoryId: 106,
    name: '柳工 856H 装载机',
    brand: '柳工',
    model: '856H',
    specs: {},
    factoryNo,
    outFactoryDate: null,
    emissionStage: 'none',
    envCode: null,
    provinceId: 510_000,
    cityId: 510_100,
    prices: [],
    papers: [{ kind: 'conformity', number: 'A-1', fileId, validTo: '2027-06-30' }],
    imageIds: [],
  })
  const add = (factoryNo: string) => clerk.call(addEquipment, { body: draft(factoryNo) })
  expect([(await add('LG-1')).code, (await add('LG-2')).code]).toEqual([200, 200])
  await world.db.updateTable('account').set({ companyId: cast.lessor2.companyId }).where('id', '=', clerk.id).execute()
  expect(refusedFields((await add('LG-3')).data)).toEqual(['papers'])
  await world.db.deleteFrom('equipmentDocument').where('fileId', '=', fileId).execute()
  expect(refusedFields((await add('LG-3')).data)).toEqual(['papers'])
})

test('a file is sent as it is read, so callers who read slowly do not fill the memory with it', async () => {
  const { data } = await send(Buffer.concat([pdf, Buffer.alloc(3_000_000, 'a')]), 'a.pdf')
  const { storage } = world.services
  const get = storage.get
  Object.assign(storage, { get: () => Promise.reject(new Error('read whole')) })
  const answer = await server.inject({ url: `/prod-api/file/${data.fileId}`, headers: { authorization: cast.project.token ?? '' } })
  Object.assign(storage, { get })
  expect([answer.statusCode, answer.headers['content-length'], answer.rawPayload.length]).toEqual([200, String(data.size), data.size])
})

test('of a picture that cannot be stored whole nothing is left, and the first fault counts', async () => {
  const { storage } = world.services
  const { put, delete: remove } = storage
  const [written, removed]: string[][] = [[], []]
  Object.assign(storage, {
    put: (key: string) =>
      key.endsWith('-thumb') ? written?.push(key) : Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
    delete: (key: string) => (removed?.push(key), Promise.reject(new Error('away'))),
  })
  const { code } = await send(png, 'a.png')
  Object.assign(storage, { put, delete: remove })
  expect(code).toBe(503)
  expect(removed).toEqual([written?.[0]?.replace('-thumb', ''), written?.[0]])
})
