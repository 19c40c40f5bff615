import readSheets from 'read-excel-file/node'
import writeXlsxFile from 'write-excel-file/node'
import { unzipSync, strFromU8 } from 'fflate'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import * as contract from '#shared/equipment/import.ts'
import { getOwnEquipment } from '#shared/equipment/own.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inTransaction, waitingForLocks, whileChanging } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { findCategories } from '../category/queries.ts'
import type { Tx } from '../db/connect.ts'
import { checkRows, namedCategories, namedPlace, specColumns } from './import-rows.ts'

// As many as in production: calls at the same moment are the subject of some tests.
const world = await openWorld({ connections: 10 })
const { cast, db, server } = world
afterAll(() => world.close())

const good = {
  category: '轮式装载机',
  brand: '柳工',
  model: '856H',
  factoryNo: 'IMP-0001',
  outFactoryDate: '2022-03-05',
  province: '四川省',
  city: '成都市',
  priceM: '16000',
  'spec.ratedLoad.t': '5',
}
type Cells = Record<string, string>

/** The keys in the hidden row of the template, as the platform gives it. */
const template = await cast.lessor.call(contract.importTemplate, { query: { fatherCategoryId: 100 } })
const keys = ((await readSheets(template.bytes))[0]?.data[0] ?? []).map(String)

/** Fills the rows into the template. */
async function filled(rows: Cells[], more: string[] = []): Promise<Buffer> {
  const heads = [...keys, ...more]
  const plain = heads.map((key) => key.split(':').at(-1) ?? key)
  return writeXlsxFile([
    {
      sheet: 'any',
      data: [
        heads.map((value) => ({ type: String, value })),
        heads.map((value) => ({ type: String, value })),
        ...rows.map((row) => plain.map((key) => (row[key] ? { type: String, value: row[key] } : null))),
      ],
    },
  ]).toBuffer()
}

async function send(content: Buffer, who = cast.lessor) {
  const boundary = 'x'.repeat(20)
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="设备.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const response = await server.inject({
    method: 'POST',
    url: '/prod-api/business/equipment/importData',
    headers: { authorization: who.token ?? '', 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  })
  return response.json<{ code: number; msg: string; data: { importId: number } }>()
}
/** An import of one row, as a workbook with it is stored. */
async function stored(cells: Cells): Promise<number> {
  const { rows } = await sql<{ id: number }>`with made as (
      insert into equipment_import (company_id, account_id, father_category_id, file_name, create_time)
      values (${cast.lessor.companyId}, ${cast.lessor.id}, 100, 'a.xlsx', ${monday}) returning id)
    insert into equipment_import_row (import_id, row_no, cells)
      select id, 3, ${JSON.stringify(cells)}::jsonb from made returning import_id as id`.execute(db)
  return rows[0]?.id ?? 0
}
const importOf = async (id: number) => (await cast.lessor.call(contract.getImport, { params: { id } })).data

/** Locks the imports. Gives what lets them go. */
async function held(ids: number[]): Promise<() => Promise<void>> {
  const [locked, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(db, async (tx) => {
    await tx.selectFrom('equipmentImport').where('id', 'in', ids).forUpdate().select('id').execute()
    locked.resolve()
    await finish.promise
  })
  await locked.promise
  return () => {
    finish.resolve()
    return holding
  }
}

describe('[S2.21][S7.6] machines from a workbook', () => {
  test('the template has drop-downs, a hidden row of keys and the parameters of its group', async () => {
    const files = unzipSync(template.bytes)
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array)
    expect(sheet).toMatch(/<dataValidation type="list"[^>]*sqref="A3:A2002"><formula1>lists!\$A\$1:\$A\$\d+<\/formula1>/)
    expect(sheet).toMatch(/<row [^>]*hidden="1"/)
    expect(strFromU8(files['xl/workbook.xml'] as Uint8Array)).toMatch(/state="hidden"/)
    const [first, lists] = await readSheets(template.bytes)
    expect(first?.data[1]).toEqual(expect.arrayContaining(['设备类别', '月租（元）', '额定载重量 (t)', '工作质量 (t)']))
    expect(lists?.data.map(([name]) => name)).toContain('轮式装载机')
  })

  test('eight kinds of error, with proposals; mended, taken in, the rest handed back, undone', async () => {
    await world.givenMachine(cast.lessor.companyId)
    const rows: Cells[] = [
      good,
      { ...good, factoryNo: 'IMP-0002', category: '铲车' },
      { ...good, factoryNo: 'IMP-0003', 'spec.bucket': '1,2', priceM: '1.6万' },
      { ...good, factoryNo: 'IMP-0004', brand: '柳工集团' },
      { ...good, factoryNo: 'IMP-0005', outFactoryDate: '2022年13月1日' },
      { ...good, factoryNo: 'IMP-0006', province: '四川', city: '成都' },
      { ...good, factoryNo: 'IMP-0007', emissionStage: '国九' },
      { ...good, factoryNo: 'IMP-0008', priceM: '', model: '' },
      { ...good, factoryNo: 'IMP-0001' },
      { ...good, factoryNo: 'IMP-0010', outFactoryDate: '2022/3/5', brand: '徐工' },
    ]
    const sent = await send(await filled(rows))
    expect(sent.code).toBe(200)
    const found = await importOf(sent.data.importId)
    const problems = Object.fromEntries(
      found.rows.map((row) => [row.rowNo, row.problems.map(({ column, proposal }) => [column, proposal])]),
    )
    expect(problems).toEqual({
      3: [['factoryNo', null]],
      4: [['category', '轮式装载机']],
      5: [
        ['priceM', '16000'],
        ['spec.bucket', '1.2'],
      ],
      6: [['brand', '柳工']],
      7: [['outFactoryDate', null]],
      8: [['province', '四川省']],
      9: [['emissionStage', null]],
      10: [
        ['priceM', null],
        ['model', null],
      ],
      11: [['factoryNo', null]],
      12: [],
    })

    const params = { id: sent.data.importId }
    expect((await cast.lessor2.call(contract.getImport, { params })).code).toBe(404)
    const twice = await Promise.all([1, 2].map(() => cast.lessor.call(contract.acceptImport, { params })))
    expect(twice.map(({ data }) => data.added).toSorted()).toEqual([0, 1])

    const repaired = await cast.lessor.call(contract.repairImport, {
      params,
      body: {
        rows: [
          { rowNo: 4, cells: { ...rows[1], category: '轮式装载机' } },
          { rowNo: 5, cells: { ...rows[2], priceM: '16000', 'spec.bucket': '1.2' } },
          { rowNo: 11, cells: { ...rows[8], factoryNo: 'IMP-0009' } },
          // In already: stays as it is.
          { rowNo: 12, cells: {} },
        ],
      },
    })
    expect(repaired.data.rows.filter((row) => row.problems.length > 0).map(({ rowNo }) => rowNo)).toEqual([6, 7, 8, 9, 10])
    expect((await cast.lessor.call(contract.acceptImport, { params })).data.added).toBe(4)
    const made = (await importOf(params.id)).rows.find(({ rowNo }) => rowNo === 5)?.equipmentId ?? 0
    expect((await cast.lessor.call(getOwnEquipment, { params: { id: made } })).data).toMatchObject({
      auditStatus: '0',
      specs: { ratedLoad: 5, bucket: 1.2 },
      monthPrice: '16000.00',
      name: '柳工 856H 铲车',
    })

    // The bad rows come back as the same workbook with a column that says why; mended there, only they go in.
    const back = await cast.lessor.call(contract.importWorkbook, { params })
    const [sheet] = await readSheets(back.bytes)
    expect(sheet?.data).toHaveLength(2 + 5)
    expect(sheet?.data[1]?.at(-1)).toBe('错误说明')
    expect(String(sheet?.data[2]?.at(-1))).toContain('品牌: 与已有品牌相近')
    expect(strFromU8(unzipSync(back.bytes)['xl/styles.xml'] as Uint8Array).toLowerCase()).toContain('ffc7ce')
    const again = await send(back.bytes)
    expect((await importOf(again.data.importId)).rows).toHaveLength(5)

    const undone = await cast.lessor.call(contract.undoImport, { params })
    expect(undone.data).toEqual({ removed: 5, kept: 0 })
    expect((await cast.lessor.call(getOwnEquipment, { params: { id: made } })).code).toBe(404)
    expect((await cast.lessor.call(contract.undoImport, { params })).code).toBe(409)
    expect((await cast.lessor.call(contract.acceptImport, { params })).code).toBe(409)
    // Numbers are free again.
    const third = await send(await filled([good]))
    expect((await importOf(third.data.importId)).rows[0]?.problems).toEqual([])
    expect((await cast.lessor.call(contract.listImports, { query: {} })).data.rows.map(({ rows: n }) => n)).toEqual([1, 5, 10])
  })

  test('no workbook, another workbook, an empty one, too many rows: one sentence each', async () => {
    expect((await send(Buffer.from('PK not a zip'))).code).toBe(422)
    const other = await writeXlsxFile([{ sheet: 'x', data: [[{ type: String, value: 'hello' }]] }]).toBuffer()
    expect((await send(other)).msg).toBe('不是本平台的导入模板，请下载模板填写')
    expect((await send(await filled([]))).msg).toBe('表格里没有数据')
    expect((await send(await filled(Array.from({ length: 2001 }, () => good)))).msg).toBe('一次最多导入 2000 行')
  })

  test('2,000 rows are checked and taken in whole', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => ({ ...good, factoryNo: `BULK-${at}` }))
    const { data } = await send(await filled(rows))
    expect((await cast.lessor.call(contract.acceptImport, { params: { id: data.importId } })).data.added).toBe(2000)
    expect((await cast.lessor.call(contract.undoImport, { params: { id: data.importId } })).data.removed).toBe(2000)
  })

  test('repaired row by row, an import does not become larger than any workbook', async () => {
    const { data } = await send(await filled(Array.from({ length: 30 }, (_, at) => ({ ...good, factoryNo: `GROW-${at}` }))))
    const cells = Object.fromEntries(Array.from({ length: 480 }, (_, at) => [`spec.k${at}`, 'x'.repeat(2000)]))
    // Just under sixteen mebibytes, because each answer has all of them.
    const many = JSON.stringify(cells)
    await sql`update equipment_import_row set cells = ${many}::jsonb where import_id = ${data.importId} and row_no < 19`.execute(db)
    const codes: number[] = []
    for (let rowNo = 19; rowNo < 33 && !codes.includes(422); rowNo++)
      codes.push(
        (await cast.lessor.call(contract.repairImport, { params: { id: data.importId }, body: { rows: [{ rowNo, cells }] } })).code,
      )
    expect(codes).toEqual([200, 422])
  })

  test('a place is known by its name in either language, and a guess is in that of the reader', async () => {
    const places = [
      { province: 'Sichuan', city: 'Chengdu' },
      { province: 'sichuan', city: '成都市' },
      { province: 'Sichuan Province', city: 'Chengdu' },
      { province: '四川', city: '成都' },
    ]
    const { data } = await send(await filled(places.map((place, at) => ({ ...good, ...place, factoryNo: `PLACE-${at}` }))))
    const proposals = async (call: typeof cast.lessor.call) => {
      const { rows } = (await call(contract.getImport, { params: { id: data.importId } })).data
      return rows.map(({ problems }) => problems.map(({ proposal }) => proposal))
    }
    expect(await proposals(cast.lessor.call)).toEqual([[], [], ['四川省'], ['四川省']])
    expect(await proposals(world.caller(cast.lessor.token, 'en-US'))).toEqual([[], [], ['Sichuan'], ['Sichuan']])
  })

  test('each category reads a parameter in its own unit', async () => {
    const heads = (await readSheets(template.bytes))[0]?.data[1]
    expect(heads).toEqual(expect.arrayContaining(['额定载重量 (t)', '额定载荷 (kg)']))
    const rows = [
      { ...good, factoryNo: 'UNIT-1', 'spec.ratedLoad.kg': '5000' },
      { ...good, factoryNo: 'UNIT-2', category: '滑移装载机', 'spec.ratedLoad.t': '1', 'spec.ratedLoad.kg': '1,050 kg' },
      { ...good, factoryNo: 'UNIT-3', category: '滑移装载机' },
      // Of a template from before the group had two units.
      { ...good, factoryNo: 'UNIT-4', 'spec.ratedLoad.t': '', 'spec.ratedLoad': '6' },
    ]
    const { data } = await send(await filled(rows, ['spec.ratedLoad']))
    const params = { id: data.importId }
    const found = await importOf(params.id)
    expect(found.rows.map(({ problems }) => problems.map(({ column, proposal }) => [column, proposal]))).toEqual([
      [],
      [['spec.ratedLoad.kg', '1050']],
      [['spec.ratedLoad.kg', null]],
      [['spec.ratedLoad.t', '6']],
    ])
    const [sheet] = await readSheets((await cast.lessor.call(contract.importWorkbook, { params })).bytes)
    expect(sheet?.data.at(-1)?.[keys.indexOf('spec.ratedLoad.t')]).toBe('6')
    await cast.lessor.call(contract.acceptImport, { params })
    const id = (await importOf(params.id)).rows[0]?.equipmentId ?? 0
    expect((await cast.lessor.call(getOwnEquipment, { params: { id } })).data.specs).toEqual({ ratedLoad: 5 })
    await cast.lessor.call(contract.undoImport, { params })
  })

  test('signs that the database does not take are left out of the cells, and the rows come in', async () => {
    const long = 'a'.repeat(1999)
    const hostile = { ...good, factoryNo: 'HALF-1', description: `${long}😀`, yardAddress: 'x_x0000__xD800_y' }
    const sent = await send(await filled([hostile, { ...good, factoryNo: 'HALF-2' }]))
    expect(sent.code, sent.msg).toBe(200)
    const params = { id: sent.data.importId }
    expect((await importOf(params.id)).rows.map(({ cells }) => [cells.factoryNo, cells.description, cells.yardAddress])).toEqual([
      ['HALF-1', long, 'xy'],
      ['HALF-2', undefined, undefined],
    ])
    const cells = { yardAddress: 'x\u0000y\ud83d', description: '', 'k\u0000': '1' }
    const repaired = await cast.lessor.call(contract.repairImport, { params, body: { rows: [{ rowNo: 3, cells }] } })
    expect([repaired.code, repaired.data?.rows[0]?.cells]).toEqual([
      200,
      { ...good, factoryNo: 'HALF-1', yardAddress: 'xy', description: '', k: '1' },
    ])
  })

  test('a number that is in twice is found whatever invisible signs its brand was typed with', async () => {
    const typed = { ...good, brand: '柳\u200b工', factoryNo: 'SEEN-1' }
    const { data } = await send(await filled([{ ...good, factoryNo: 'SEEN-1' }, typed, { ...typed, factoryNo: 'SEEN-2' }]))
    const problemsOf = async (id: number) => (await importOf(id)).rows.map(({ problems }) => problems.map(({ column }) => column))
    expect(await problemsOf(data.importId)).toEqual([['factoryNo'], ['factoryNo'], []])
    expect((await cast.lessor.call(contract.acceptImport, { params: { id: data.importId } })).data.added).toBe(1)
    const next = await send(await filled([{ ...typed, factoryNo: 'SEEN-2' }]))
    expect(await problemsOf(next.data.importId)).toEqual([['factoryNo']])
  })

  test('a machine that a colleague adds while its row is taken in stays out alone, and its row says why', async () => {
    const { data } = await send(await filled(['MEET-1', 'MEET-2'].map((factoryNo) => ({ ...good, factoryNo }))))
    const params = { id: data.importId }
    const [added, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const id = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    const colleague = inTransaction(db, async (tx) => {
      await tx.updateTable('equipment').set({ factoryNo: 'MEET-1' }).where('id', '=', id).execute()
      added.resolve()
      await finish.promise
    })
    await added.promise
    const accepting = cast.lessor.call(contract.acceptImport, { params })
    await expect.poll(() => waitingForLocks(db)).toBe(1)
    finish.resolve()
    await colleague
    expect((await accepting).data.added).toBe(1)
    const [waiting, taken] = (await importOf(params.id)).rows
    expect([waiting?.equipmentId, waiting?.problems.map(({ column }) => column)]).toEqual([null, ['factoryNo']])
    expect(taken?.equipmentId).toBeGreaterThan(0)
  })

  test('two colleagues who repair a row at once keep the columns of each other', async () => {
    const params = { id: await stored({ ...good, factoryNo: 'BOTH-1', province: '四川', priceM: '1.6万' }) }
    const release = await held([params.id])
    const repair = (cells: Cells) => cast.lessor.call(contract.repairImport, { params, body: { rows: [{ rowNo: 3, cells }] } })
    const repairs = Promise.all([repair({ province: '四川省' }), repair({ priceM: '16000', model: '' })])
    await expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0)
    await release()
    expect((await repairs).map(({ code }) => code)).toEqual([200, 200])
    const [row] = (await importOf(params.id)).rows
    expect(row?.cells).toMatchObject({ province: '四川省', priceM: '16000', model: '', city: '成都市' })
    expect(row?.problems.map(({ column }) => column)).toEqual(['model'])
  })

  test('a row is not repaired while its import is taken in or undone', async () => {
    const params = { id: await stored({ ...good, factoryNo: 'RACE-1' }) }
    const repair = async () => {
      const rows = [{ rowNo: 3, cells: { ...good, factoryNo: 'RACE-2' } }]
      return (await cast.lessor.call(contract.repairImport, { params, body: { rows } })).code
    }
    const machine = await world.givenMachine(cast.lessor.companyId, { shelfStatus: '0' })
    const row = (tx: Tx) => tx.updateTable('equipmentImportRow').where('importId', '=', params.id)
    const lock = (tx: Tx) => tx.selectFrom('equipmentImport').where('id', '=', params.id).forUpdate().select('id').execute()
    const takeIn = { begin: lock, end: (tx: Tx) => row(tx).set({ equipmentId: machine }).execute() }
    expect(await whileChanging(db, takeIn, [repair])).toEqual([200])
    expect((await importOf(params.id)).rows[0]?.cells.factoryNo).toBe('RACE-1')
    await inTransaction(db, (tx) => row(tx).set({ equipmentId: null }).execute())
    const undo = (tx: Tx) => tx.updateTable('equipmentImport').set({ undoTime: monday }).where('id', '=', params.id).execute()
    expect(await whileChanging(db, { begin: undo }, [repair])).toEqual([409])
    expect((await importOf(params.id)).rows[0]?.cells.factoryNo).toBe('RACE-1')
  })

  test('a few imports of a company are accepted at once, and further ones refused before anything is made', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, (_, at) => stored({ ...good, factoryNo: `ONCE-${at}` })))
    const accept = async (id: number) => (await cast.lessor.call(contract.acceptImport, { params: { id } })).data
    const release = await held(ids)
    let refused = 0
    const accepted = Promise.all(ids.map(async (id) => (await accept(id)) ?? ++refused))
    await expect.poll(() => refused).toBe(7)
    await release()
    expect((await accepted).filter((answer) => typeof answer === 'object')).toEqual(Array.from({ length: 5 }, () => ({ added: 1 })))
    const again: number[] = []
    for (const id of ids) again.push((await accept(id)).added)
    expect(again.toSorted()).toEqual([...Array<number>(5).fill(0), ...Array<number>(7).fill(1)])
  })

  test('repairs that wait hold no connection', async () => {
    const params = { id: await stored({ ...good, factoryNo: 'WAIT-1' }) }
    const repair = () => cast.lessor.call(contract.repairImport, { params, body: { rows: [{ rowNo: 3, cells: good }] } })
    const release = await held([params.id])
    const repairs = Promise.all(Array.from({ length: 5 }, repair))
    await expect.poll(() => waitingForLocks(db)).toBeGreaterThan(0)
    for (let n = 0; n < 10; n++) expect((await cast.lessor.call(contract.listImports, { query: {} })).code).toBe(200)
    expect(await waitingForLocks(db)).toBe(1)
    await release()
    expect((await repairs).map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
  })
})

test('names are folded once for all rows, and only the start of a long cell is compared with them', async () => {
  const categories = (await findCategories(db)).filter(({ parentId }) => parentId === 100)
  const reference = {
    categories,
    named: namedCategories(categories),
    columnOfSpec: specColumns(categories),
    provinces: [namedPlace({ code: 510000, name: '四川省', nameEn: 'Sichuan' })],
    cities: new Map([[510000, [namedPlace({ code: 510100, name: '成都市', nameEn: 'Chengdu' })]]]),
    brands: new Set(['柳工']),
    numbers: new Set<string>(),
    today: '2026-11-23',
  }
  const cells = { ...good, category: '没有'.repeat(1000), model: 'X'.repeat(2000) }
  const rows = Array.from({ length: 200 }, (_, rowNo) => ({ rowNo, cells }))
  const folded = vi.spyOn(String.prototype, 'toLowerCase')
  try {
    await checkRows(rows, reference, zhCn)
    expect(folded.mock.calls.length).toBeLessThan(5 * rows.length)
    expect(Math.max(...folded.mock.contexts.map((text) => String(text).length))).toBeLessThan(150)
  } finally {
    folded.mockRestore()
  }
})

test('a lessor who asks for many templates at once keeps nobody else from theirs', async () => {
  const ask = (who: typeof cast.lessor, times: number) =>
    Promise.all(Array.from({ length: times }, () => who.call(contract.importTemplate, { query: { fatherCategoryId: 100 } })))
  const [mine, theirs] = await Promise.all([ask(cast.lessor, 20), ask(cast.lessor2, 3)])
  const given = (answers: typeof mine) => answers.filter(({ bytes }) => bytes.length > 1000).length
  // Four at once; one that is asked for late may find a place again.
  expect([given(theirs), given(mine) < 10]).toEqual([3, true])
})
