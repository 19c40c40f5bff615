import fc from 'fast-check'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, addMonths } from '#shared/calendar.ts'
import { getContract, listContracts, printContract } from '#shared/contract/contract.ts'
import { giveContractNotice } from '#shared/contract/notice.ts'
import { matchContractScan, uploadContractScan, uploadScanFile } from '#shared/contract/moves.ts'
import { needsScan } from '#shared/contract/rules.ts'
import { scanStatusOf, stepTitleOf } from '#shared/contract/status-text.ts'
import { editDept, listDepts } from '#shared/dept/contract.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { fileLimits } from '#shared/file/rules.ts'
import type { Endpoint } from '#shared/endpoint.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { isScanNeeded } from './scope.ts'

const world = await openWorld()
const { db, cast, clock, depts } = world
const { givenContract } = contractSteps(world)
const { propose, confirm } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

describe('the scan of the sealed paper', () => {
  const read = async (id: number) => (await cast.lessor.call(getContract, { params: { id } })).data
  const told = async () =>
    (await cast.lessor.call(listOwnMessages, { query: { keyword: '合同已生效' } })).data.rows.toSorted(
      (a, b) => Number(b.messageId) - Number(a.messageId),
    )[0]?.content
  const findRoot = async () => (await cast.lessee.call(listDepts, {})).data.find(({ deptId }) => deptId === depts.root)
  const setNeedsScan = async (needsScan: boolean) => {
    const { parentId, deptName, deptType, version } = (await findRoot()) ?? expect.fail()
    const body = { deptId: depts.root, parentId, deptName, deptType, version, needsScan }
    expect((await cast.lessee.call(editDept, { body })).code).toBe(200)
  }

  test('is needed unless the administrator of a unit above does without it, and always for six months or more', async () => {
    const { id } = await givenContract()
    expect(await told()).toMatch(/请打印盖章并上传扫描件/)
    expect(await read(id)).toMatchObject({ needsScan: true, scanState: '0' })
    await setNeedsScan(false)
    expect(await findRoot()).toMatchObject({ needsScan: false })
    const { needsScan, planStart } = await read(id)
    expect(needsScan).toBe(false)
    const { data } = await cast.lessor.call(listContracts, { query: {} })
    expect(data.rows.find((row) => row.id === id)).toMatchObject({ needsScan: false })
    await givenContract()
    expect(await told()).not.toMatch(/扫描件/)
    await db
      .updateTable('contract')
      .set({ planEnd: addMonths(planStart, 6) })
      .where('id', '=', id)
      .execute()
    expect((await read(id)).needsScan).toBe(true)
    await setNeedsScan(true)
    expect(await findRoot()).toMatchObject({ needsScan: true })
  })

  test('is asked for by the database as the rule asks for it, also at the ends of months', async () => {
    const day = fc.integer({ min: 0, max: 1500 }).map((after) => addDays('2026-01-01', after))
    const near = fc.integer({ min: -3, max: 3 })
    const hires = fc.sample(fc.tuple(day, near), 400).map(([start, days]) => ({ start, end: addDays(addMonths(start, 6), days) }))
    await db.updateTable('dept').set({ needsScan: false }).where('id', '=', depts.root).execute()
    const { rows } = await sql<{ start: string; end: string; needed: boolean }>`
      select plan_start as start, plan_end as "end", ${isScanNeeded} as needed from (
        select hire.start as plan_start, hire."end" as plan_end, ${depts.projectDept}::bigint as dept_id
        from jsonb_to_recordset(${JSON.stringify(hires)}::jsonb) as hire(start date, "end" date)) contract`.execute(db)
    await db.updateTable('dept').set({ needsScan: true }).where('id', '=', depts.root).execute()
    expect(rows).toHaveLength(hires.length)
    expect(rows.filter(({ start, end, needed }) => needsScan({ planStart: start, planEnd: end }, false) !== needed)).toEqual([])
  })

  test('may be a photograph of up to 20 MB, and whoever handed it in hears that the other side found it the same', async () => {
    const size = { width: 2600, height: 1800, channels: 3 } as const
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const photograph = await sharp({ create: { ...size, background: 'grey', noise } })
      .jpeg({ quality: 100 })
      .toBuffer()
    expect(photograph.length).toBeGreaterThan(fileLimits.image)
    expect((await upload(cast.lessor, uploadFile, photograph)).code).not.toBe(200)
    const { code, data } = await upload(cast.lessor, uploadScanFile, photograph)
    expect([code, data?.mime]).toEqual([200, 'image/jpeg'])
    expect((await upload(cast.auditor, uploadScanFile, photograph)).code).toBe(403)
    const { id } = await givenContract()
    const params = { id }
    const fileIds = [data?.fileId ?? '']
    expect((await cast.lessor.call(uploadContractScan, { params, body: { fileIds } })).code).toBe(200)
    expect((await cast.project.call(matchContractScan, { params, body: { agrees: true, fileIds } })).code).toBe(200)
    const heard = await db
      .selectFrom('message')
      .where('kind', '=', 'contractScanMatched')
      .where('bizId', '=', String(id))
      .select('accountId')
      .execute()
    expect(heard.map(({ accountId }) => accountId)).toEqual([cast.lessor.id])
  })

  test('is no file that stands for something else in the contract', async () => {
    const { id } = await givenContract()
    const file = await givenFile(world, cast.lessor)
    const notice = { reason: '承租方长期停工，无法继续履行', fileIds: [file] }
    expect((await cast.lessor.call(giveContractNotice, { params: { id }, body: notice })).code).toBe(200)
    const { code, raw } = await cast.lessor.call(uploadContractScan, { params: { id }, body: { fileIds: [file] } })
    expect([code, raw.data]).toEqual([422, { errors: [{ field: 'fileIds', message: zhCn.rule.codes.file_unknown }] }])
    // One that is handed in anew takes its own place.
    const scan = { params: { id }, body: { fileIds: [await givenFile(world, cast.lessor)] } }
    for (let n = 0; n < 2; n++) expect((await cast.lessor.call(uploadContractScan, scan)).code).toBe(200)
  })

  test('that the other side does not find the same is dropped with its reason, and another one is handed in', async () => {
    const { id } = await givenContract()
    const params = { id }
    const handIn = async () => {
      const fileIds = [await givenFile(world, cast.lessor)]
      expect((await cast.lessor.call(uploadContractScan, { params, body: { fileIds } })).code).toBe(200)
      return fileIds
    }
    const body = { agrees: false, reason: '缺第三页', fileIds: await handIn() }
    expect((await cast.project.call(matchContractScan, { params, body })).code).toBe(200)
    expect((await read(id)).scanState).toBe('0')
    const heard = await db
      .selectFrom('message')
      .where('kind', '=', 'contractScanRefused')
      .where('bizId', '=', String(id))
      .select(['accountId', 'content'])
      .execute()
    expect(heard).toEqual([{ accountId: cast.lessor.id, content: expect.stringContaining('缺第三页') }])
    expect((await cast.project.call(matchContractScan, { params, body })).code).toBe(409)
    const again = { agrees: true, reason: '', fileIds: await handIn() }
    expect((await cast.project.call(matchContractScan, { params, body: again })).code).toBe(200)
    expect((await read(id)).scanState).toBe('2')
  })

  test('that waits for the other side is answered by it and not overwritten', async () => {
    const { id } = await givenContract()
    const params = { id }
    const handIn = async (who: Person) => {
      const fileIds = [await givenFile(world, who)]
      return { fileIds, code: (await who.call(uploadContractScan, { params, body: { fileIds } })).code }
    }
    const mayOf = async (who: Person) =>
      (await who.call(getContract, { params })).data.may.filter((one) => one === 'scan' || one === 'matchScan')
    const { fileIds } = await handIn(cast.lessor)
    expect([await mayOf(cast.lessor), await mayOf(cast.project)]).toEqual([['scan'], ['matchScan']])
    expect((await handIn(cast.project)).code).toBe(409)
    const body = { agrees: false, reason: '缺第三页', fileIds }
    expect((await cast.project.call(matchContractScan, { params, body })).code).toBe(200)
    expect([await mayOf(cast.lessor), await mayOf(cast.project)]).toEqual([['scan'], ['scan']])
    expect((await handIn(cast.project)).code).toBe(200)
  })

  test('is of one version, which an amendment does not replace: it is compared with that text, and stands on the print of that version alone', async () => {
    const { id } = await givenContract()
    const params = { id }
    const fileIds = [await givenFile(world, cast.lessor)]
    const handIn = (revision?: number) => cast.lessor.call(uploadContractScan, { params, body: { fileIds, ...(revision && { revision }) } })
    expect([(await handIn(2)).code, (await handIn()).code]).toEqual([409, 200])
    const { lines } = await read(id)
    const { data } = await propose(cast.project, id, { kind: 'extend', lines: [{ lineId: lines[0]?.id ?? 0, value: '2027-04-13' }] })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    const { changeCode } = await db.selectFrom('contractChange').where('id', '=', data.id).select('changeCode').executeTakeFirstOrThrow()
    const seen = await read(id)
    expect([seen.revision, seen.scanRevision, scanStatusOf(zhCn, seen)]).toEqual([2, 1, '第 1 版盖章扫描件待核对'])
    expect(seen.events.map((event) => stepTitleOf(zhCn, event)).slice(0, 4)).toEqual([
      '存档版本',
      `确认补充协议 · 延长租期 ${changeCode}`,
      `提出补充协议 · 延长租期 ${changeCode}`,
      '上传扫描件 · 第 1 版',
    ])
    const match = (revision: number) => cast.project.call(matchContractScan, { params, body: { agrees: true, fileIds, revision } })
    // The same files may be handed in again as those of another version meanwhile.
    expect((await handIn(2)).code).toBe(200)
    expect((await match(1)).code).toBe(409)
    expect([(await handIn(1)).code, (await match(1)).code]).toEqual([200, 200])
    const { bytes } = await cast.project.call(printContract, { params })
    const print = (await readPdf(bytes)).map(({ body }) => body).join('')
    expect([print.includes('第2版'), print.includes(zhCn.contract.scan['2'])]).toEqual([true, false])
    const matched = await read(id)
    expect([matched.scanState, scanStatusOf(zhCn, matched)]).toEqual(['2', '第 1 版扫描件已核对一致'])
  })

  test('is matched as the files that were compared: one that replaced them meanwhile is refused, and the chain says which one it was', async () => {
    const { id } = await givenContract()
    const params = { id }
    const handIn = async (fileIds: string[]) => {
      expect((await cast.lessor.call(uploadContractScan, { params, body: { fileIds } })).code).toBe(200)
      return fileIds
    }
    const match = (fileIds: string[], agrees = true) =>
      cast.project.call(matchContractScan, { params, body: { agrees, reason: '页码不全', fileIds } })
    const compared = await handIn([await givenFile(world, cast.lessor), await givenFile(world, cast.lessor)])
    const [first = ''] = compared
    const later = await handIn([await givenFile(world, cast.lessor)])
    expect([(await match(compared)).code, (await match(compared, false)).code, (await match([])).code]).toEqual([409, 409, 422])
    expect([(await match([...later, first])).code, (await read(id)).scanState]).toEqual([409, '1'])
    expect((await match(later)).code).toBe(200)
    expect((await read(id)).scanState).toBe('2')
    // What both have found the same is neither replaced nor answered again.
    const other = { fileIds: [await givenFile(world, cast.lessor)] }
    const replaced = await cast.lessor.call(uploadContractScan, { params, body: other })
    expect([replaced.code, (await match(later, false)).code, (await read(id)).scanState]).toEqual([409, 409, '2'])
    const events = await db
      .selectFrom('contractEvent')
      .where('contractId', '=', id)
      .where('move', 'in', ['scan', 'matchScan'])
      .orderBy('seq', 'desc')
      .limit(2)
      .select(['move', 'digest'])
      .execute()
    expect(events.map(({ move }) => move)).toEqual(['matchScan', 'scan'])
    expect([events[0]?.digest, events[0]?.digest]).toEqual([events[1]?.digest, expect.stringMatching(/^[0-9a-f]{64}$/)])
  })
})

/** Sends one file as a browser does. */
async function upload(who: Person, { url }: Endpoint, content: Buffer) {
  const boundary = 'x'.repeat(20)
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`
  const response = await world.server.inject({
    method: 'POST',
    url: `/prod-api${url}`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization: who.token ?? '' },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return response.json<{ code: number; data: { fileId: string; mime: string } | null }>()
}
