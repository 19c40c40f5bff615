import { createHash, randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { wholeRecord } from '#shared/contract/record-pages.ts'
import { downloadFile } from '#shared/file/contract.ts'
import { contractSteps } from '#test/given-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { cast, clock, db, services } = world
const { givenDraft, send, confirm, textHash } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

async function givenPaper(owner: Person, name: string, { mime = 'application/pdf', purpose = null as 'contract' | null } = {}) {
  const content = Buffer.from(`%PDF-1.4 ${randomUUID()}`)
  const hash = createHash('sha256').update(content).digest()
  const { id } = await db
    .insertInto('file')
    .values({ name, size: content.length, mime, sha256: hash, purpose, accountId: owner.id, companyId: owner.companyId || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await services.storage.put(id, content)
  return { id, name, size: content.length, hash: hash.toString('hex') }
}
const read = async (who: Person, id: number) => (await who.call(contract.getContract, { params: { id } })).data
const attach = async (who: Person, id: number, fileIds: readonly string[], version?: number) =>
  who.call(calls.attachOwnForms, { params: { id }, body: { version: version ?? (await read(cast.project, id)).version, fileIds } })
const opens = async (who: Person, id: string) =>
  (await who.call(downloadFile, { params: { id }, query: {} })).bytes.subarray(0, 8).toString() === '%PDF-1.4'

describe('the own form of a unit', () => {
  test('is annex 2: its names, sizes and hashes stand in the text, in the print and in the pack, and both sides open it once it was sent', async () => {
    const { id } = await givenDraft()
    const [paper, photograph] = [
      await givenPaper(cast.project, '华拓租赁合同范本.pdf'),
      await givenPaper(cast.project, '补充.jpg', { mime: 'image/jpeg' }),
    ]
    const before = await textHash(cast.project, id)
    expect((await attach(cast.project, id, [paper.id, photograph.id])).code).toBe(200)
    const { data } = await cast.project.call(contract.getContractText, { params: { id } })
    expect(data.textHash).not.toBe(before)
    expect(data.textHash).toBe(sha256(data.text))
    expect(data.text).toContain('# 附件二 承租方格式文本')
    for (const [at, { name, size, hash }] of [paper, photograph].entries())
      expect(data.text).toContain(`附件 2-${at + 1}：${name}，${size} 字节，SHA-256 ${hash}`)
    expect(data.text).toContain('计价以附件一为准')
    expect((await read(cast.project, id)).forms).toMatchObject([{ id: paper.id, sha256: paper.hash }, { id: photograph.id }])
    // A draft is told to nobody.
    expect(await opens(cast.lessor, paper.id)).toBe(false)
    for (const step of [await send(cast.project, id), await confirm(cast.lessor, id)])
      expect([step.code, step.msg]).toEqual([200, expect.any(String)])
    for (const who of [cast.lessor, cast.project, cast.lessee]) expect(await opens(who, paper.id)).toBe(true)
    for (const who of [cast.stranger, cast.otherProject, cast.lessor2, cast.operator, cast.newcomer])
      expect(await opens(who, paper.id)).toBe(false)
    const pages = await readPdf((await cast.lessor.call(contract.printContract, { params: { id } })).bytes)
    const printed = JSON.stringify(pages).replaceAll(/\s/g, '')
    for (const part of ['附件二承租方格式文本', '华拓租赁合同范本', paper.hash.slice(0, 20)]) expect(printed).toContain(part)
    const pack = unzipSync(new Uint8Array((await cast.lessor.call(contract.exportContractEvidence, { params: { id }, query: {} })).bytes))
    const packed = Object.entries(pack).find(([path]) => path.includes('/forms/') && path.includes('华拓租赁合同范本'))
    expect(
      createHash('sha256')
        .update(packed?.[1] ?? '')
        .digest('hex'),
    ).toBe(paper.hash)
    const version = Object.entries(pack).find(([path]) => path.endsWith('/versions/1.txt'))
    expect(strFromU8(version?.[1] ?? new Uint8Array())).toContain(paper.hash)
    const record = await wholeRecord(async (query) => (await cast.lessor.call(contract.getContractChain, { params: { id }, query })).data)
    expect(record.links.map(({ move }) => move)).toContain('forms')
    expect(await recordFault(record, recordChecks, (text) => Promise.resolve(sha256(text)))).toBeNull()
  })

  test('is frozen with the text that was sent, and open again once the draft came back', async () => {
    const { id } = await givenDraft()
    const [first, second] = [await givenPaper(cast.project, '一.pdf'), await givenPaper(cast.project, '二.pdf')]
    expect((await attach(cast.project, id, [first.id])).code).toBe(200)
    expect((await send(cast.project, id)).code).toBe(200)
    const frozen = await textHash(cast.lessor, id)
    expect((await attach(cast.project, id, [second.id])).msg).toBe('合同状态已变化，请刷新后重试')
    expect(await textHash(cast.lessor, id)).toBe(frozen)
    expect((await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '请换一份格式文本' } })).code).toBe(200)
    expect((await attach(cast.project, id, [second.id])).code).toBe(200)
    expect((await read(cast.project, id)).forms.map((file) => file.id)).toEqual([second.id])
    expect((await attach(cast.project, id, [])).code).toBe(200)
    expect((await cast.project.call(contract.getContractText, { params: { id } })).data.text).not.toContain('附件二')
  })

  test('has at most three files, PDF or JPG, which are one’s own uploads and have no other purpose', async () => {
    const { id } = await givenDraft()
    const papers = await Promise.all([1, 2, 3, 4].map((no) => givenPaper(cast.project, `${no}.pdf`)))
    const ids = papers.map((paper) => paper.id)
    expect((await attach(cast.project, id, ids)).code).toBe(422)
    for (const wrong of [
      await givenPaper(cast.project, 'a.png', { mime: 'image/png' }),
      await givenPaper(cast.lessor, 'b.pdf'),
      { id: randomUUID() },
    ])
      expect((await attach(cast.project, id, [wrong.id])).code).toBe(422)
    const picture = await givenPaper(cast.project, 'c.jpg', { mime: 'image/jpeg' })
    await db.updateTable('file').set({ purpose: 'machinePicture' }).where('id', '=', picture.id).execute()
    expect((await attach(cast.project, id, [picture.id])).code).toBe(422)
    expect((await attach(cast.project, id, ids.slice(0, 3))).code).toBe(200)
    // A colleague of the unit above leaves what is attached and adds nothing of somebody else's.
    expect((await attach(cast.lessee, id, ids.slice(0, 2))).code).toBe(200)
    expect((await attach(cast.lessee, id, ids.slice(1, 3))).code).toBe(422)
    const { version } = await read(cast.project, id)
    expect((await attach(cast.project, id, [], version - 1)).code).toBe(409)
    expect((await attach(cast.lessor, id, [], version)).code).toBe(404)
  })

  test('changed after the unit above approved the draft, it needs the approval again', async () => {
    const { id } = await givenDraft()
    await db.updateTable('contract').set({ approval: '2' }).where('id', '=', id).execute()
    expect((await attach(cast.project, id, [(await givenPaper(cast.project, '一.pdf')).id])).code).toBe(200)
    expect((await read(cast.project, id)).approval).toBe('0')
  })
})
