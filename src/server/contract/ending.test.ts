import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#shared/calendar.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { exportContractEvidence, getContract, getContractChain, printContract } from '#shared/contract/contract.ts'
import { matchContractScan, sendSignCode, uploadContractScan } from '#shared/contract/moves.ts'
import { giveContractNotice } from '#shared/contract/notice.ts'
import { changeStatus, contractStatuses, isStanding } from '#shared/contract/rules.ts'
import { recordChecks, recordFault } from '#shared/contract/record.ts'
import { downloadFile } from '#shared/file/contract.ts'
import type { MessageKind } from '#shared/message/kinds.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { unzipSync } from 'fflate'
import { changeSteps, contractSteps, nameThem } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { standsOn } from '../contract-status/standing.ts'
import { applyDueAccounts } from './account.ts'
import { sha256 } from './digest.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenContract, givenDraft, send, signCode } = contractSteps(world)
const { read, propose, confirm, bookingsOf } = changeSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

const bodyOf = async (bytes: Buffer) => (await readPdf(bytes)).map(({ body }) => body).join('')

describe('an agreed end', () => {
  const ended = (penalty?: object) => ({ kind: 'terminate', lastDay: '2026-12-20', ...(penalty && { penalty }) })

  test('may have a penalty: who pays how much stands in the amendment, on both prints and on the page', async () => {
    const { id } = await givenContract()
    const { data, code } = await propose(cast.project, id, ended({ amount: '12000.50', payer: 'lessee' }), { fromDay: '2026-12-20' })
    expect(code).toBe(200)
    const [shown] = (await cast.lessor.call(changeCalls.listContractChanges, { params: { id } })).data
    expect([shown?.penalty, (await read(id)).ending]).toEqual([{ amount: '12000.50', payer: 'lessee' }, null])
    const print = await bodyOf((await cast.lessor.call(changeCalls.printContractChange, { params: { id: data.id } })).bytes)
    expect(print).toContain('由承租方支付¥12,000.50（人民币壹万贰仟元伍角整）')
    // The estimate of the whole hire is not owed after it, and its last day is the one day that counts.
    for (const words of ['变更后', '变更前', '生效日期']) expect(print).not.toContain(words)
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    const after = await read(id)
    expect([after.status, after.ending]).toEqual(['6', { lastDay: '2026-12-20', penalty: { amount: '12000.50', payer: 'lessee' } }])
    expect(await bodyOf((await cast.project.call(printContract, { params: { id } })).bytes)).toContain('由承租方支付¥12,000.50')
  })

  test('or none, which is said as well; a penalty of nothing or of nobody is refused beside its field', async () => {
    const { id } = await givenContract()
    const fieldsOf = async (penalty: object) => {
      const { code, raw } = await propose(cast.project, id, ended(penalty), { fromDay: '2026-12-20' })
      return [code, ((raw.data as { errors?: { field: string }[] } | null)?.errors ?? []).map(({ field }) => field)]
    }
    expect(await fieldsOf({ amount: '0', payer: 'lessor' })).toEqual([422, ['terms.penalty.amount']])
    expect(await fieldsOf({ amount: '100' })).toEqual([422, ['terms.penalty.payer']])
    const { data } = await propose(cast.lessor, id, ended(), { fromDay: '2026-12-20' })
    const print = await bodyOf((await cast.project.call(changeCalls.printContractChange, { params: { id: data.id } })).bytes)
    expect(print).toContain('双方互不支付违约金')
    expect((await confirm(cast.project, data.id)).code).toBe(200)
    expect((await read(id)).ending).toEqual({ lastDay: '2026-12-20', penalty: null })
  })

  test('keeps a machine booked until the last day; one whose hire begins after it is free at once', async () => {
    const { id } = await givenContract({ alone: true })
    const [begun = 0, later = 0] = (await read(id)).lines.map((line) => line.id)
    await db.updateTable('equipmentBooking').set({ period: '[2026-12-21,2027-03-13)' }).where('contractLineId', '=', later).execute()
    const { data } = await propose(cast.project, id, ended(), { fromDay: '2026-12-20' })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    expect([await bookingsOf(begun), await bookingsOf(later)]).toEqual([[{ period: '[2026-12-13,2026-12-21)' }], []])
  })
})

test('the message about an early end says what it is and until when it is answered; the one after it, that the contract ends and when', async () => {
  const { id } = await givenContract()
  const told = async (who: Person, kind: MessageKind) =>
    (
      await db
        .selectFrom('message')
        .where('accountId', '=', who.id)
        .where('kind', '=', kind)
        .where('bizId', '=', String(id))
        .select('content')
        .execute()
    ).map(({ content }) => content)
  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' }, { fromDay: '2026-12-20' })
  const [asked] = await told(cast.lessor, 'contractChangeAsked')
  expect(asked).toMatch(/提出补充协议 BC\d+（协议终止）：工期调整。请在 2026-12-27 前（含当日）确认或拒绝。$/)
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  for (const who of [cast.lessor, cast.project])
    expect(await told(who, 'contractChangeDone')).toEqual([
      expect.stringMatching(/（协议终止）已经双方确认。合同提前终止，最后一日为 2026-12-20。$/),
    ])
})

test('an end that is agreed for a later day leaves the scan, the account of the lessor and notices open until that day, and no longer', async () => {
  const { id } = await givenContract()
  const terms = { kind: 'terminate', lastDay: '2026-12-20' }
  const { data } = await propose(cast.project, id, terms, { fromDay: '2026-12-20' })
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
  const fileIds = [await givenFile(world, cast.lessor)]
  const mayOf = async (who: Person) => (await who.call(getContract, { params: { id } })).data.may
  const scan = () => cast.lessor.call(uploadContractScan, { params: { id }, body: { fileIds } })
  const name = async (smsCode: string) => propose(cast.lessor, id, account, { smsCode, fromDay: '2026-12-20' })
  const give = () => cast.project.call(giveContractNotice, { params: { id }, body: { reason: '设备仍未退场' } })
  const tasksOf = async (who: Person) =>
    (await who.call(getWorkPanel, {})).data.tasks.filter(({ items }) => items.some((one) => one.id === String(id)))

  clock.set(new Date('2026-12-20T15:00:00Z'))
  expect([await mayOf(cast.lessor), await mayOf(cast.project)]).toEqual([
    ['scan', 'change', 'notice', 'persons'],
    ['scan', 'notice', 'persons'],
  ])
  // The only signer of the lessee may have left: another one is named.
  expect((await nameThem(cast.lessee, id, [{ task: 'signer', accountId: cast.lessee.id }])).code).toBe(200)
  expect((await give()).msg).toBe(zhCn.refusal.contract_not_signer)
  expect((await nameThem(cast.lessee, id, [{ task: 'signer', accountId: cast.project.id }])).code).toBe(200)
  expect([(await scan()).code, (await give()).code]).toEqual([200, 200])
  expect((await propose(cast.lessor, id, { ...terms, lastDay: '2026-12-25' }, { fromDay: '2026-12-25' })).code).toBe(409)
  const named = await name(await signCode(cast.lessor, id, account))
  expect(named.code).toBe(200)
  expect((await tasksOf(cast.project)).map(({ kind }) => kind)).toEqual(['contractChange', 'contractScan'])
  const body = { agrees: true, reason: '', fileIds }
  expect((await cast.project.call(matchContractScan, { params: { id }, body })).code).toBe(200)
  expect((await confirm(cast.project, named.data.id)).code).toBe(200)

  clock.set(new Date('2026-12-20T16:00:00Z'))
  expect([await mayOf(cast.lessor), await mayOf(cast.project)]).toEqual([[], []])
  const asked = await cast.lessor.call(sendSignCode, {
    params: { id },
    body: { purpose: 'account', bankName: account.bankName, bankAccount: account.bankAccount },
  })
  expect([asked.code, (await scan()).code, (await give()).code]).toEqual([409, 409, 409])
  // What was confirmed in time holds.
  clock.set(new Date('2026-12-21T16:00:00Z'))
  await applyDueAccounts(world.services)
  expect(await read(id)).toMatchObject({ status: '6', bankName: account.bankName })
  const { data: chain } = await cast.lessor.call(getContractChain, { params: { id } })
  expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
})

test('another account that was named on the last day is confirmed no later than that day; then it is nobody’s task, and is refused or withdrawn only', async () => {
  const { id } = await givenContract()
  const { data } = await propose(cast.project, id, { kind: 'terminate', lastDay: '2026-12-20' }, { fromDay: '2026-12-20' })
  expect((await confirm(cast.lessor, data.id)).code).toBe(200)
  const account = { kind: 'account', bankName: '中国建设银行成都分行', bankAccount: '6217000000000000001' }
  const tasks = async () =>
    (await cast.project.call(getWorkPanel, {})).data.tasks.filter(
      ({ kind, items }) => kind === 'contractChange' && items.some((one) => one.id === String(id)),
    )
  clock.set(new Date('2026-12-20T15:00:00Z'))
  const named = await propose(cast.lessor, id, account, { smsCode: await signCode(cast.lessor, id, account), fromDay: '2026-12-20' })
  expect([named.code, (await tasks()).length]).toEqual([200, 1])
  const shownTo = async (who: Person) => (await who.call(changeCalls.listContractChanges, { params: { id } })).data[0]
  expect(await shownTo(cast.project)).toMatchObject({ hindrances: [], may: ['confirm', 'refuse'] })
  clock.set(new Date('2026-12-20T16:00:00Z'))
  const late = await confirm(cast.project, named.data.id)
  expect([late.code, late.msg, (await tasks()).length]).toEqual([409, zhCn.refusal.change_contract_over, 0])
  expect(await shownTo(cast.project)).toMatchObject({ status: '1', hindrances: ['contractOver'], may: ['refuse'] })
  expect(await shownTo(cast.lessor)).toMatchObject({ hindrances: ['contractOver'], may: ['recall'] })
  const refuse = { params: { id: named.data.id }, body: { answer: '合同已结束' } }
  expect((await cast.project.call(changeCalls.refuseContractChange, refuse)).code).toBe(200)
  expect(await shownTo(cast.project)).toMatchObject({ status: '3', hindrances: [], may: [] })
})

describe('a notice of termination', () => {
  const give = (who: Person, id: number, body: object = {}) =>
    who.call(giveContractNotice, { params: { id }, body: { reason: '设备连续三次故障，未按约定更换', ...body } })

  test('tells the other side with its reason and files, stays in the chain and the pack, and changes nothing', async () => {
    const { id } = await givenContract()
    const before = await read(id)
    expect(before.may).toContain('notice')
    const fileId = await givenFile(world, cast.project)
    const { data, code } = await give(cast.project, id, { fileIds: [fileId] })
    expect(code).toBe(200)
    const ofLessor = (await cast.lessor.call(getContract, { params: { id } })).data
    expect(ofLessor.notices).toMatchObject([
      { id: data.id, side: 'lessee', reason: '设备连续三次故障，未按约定更换', files: [{ id: fileId }] },
    ])
    expect(ofLessor.events[0]).toMatchObject({ move: 'notice', side: 'lessee', noticeId: data.id, note: '设备连续三次故障，未按约定更换' })
    const facts = ({ status, revision, planEnd, amount, textHash, lines }: typeof before) => ({
      status,
      revision,
      planEnd,
      amount,
      textHash,
      lines,
    })
    expect(facts(await read(id))).toEqual(facts(before))
    expect(await bookingsOf(before.lines[0]?.id ?? 0)).toHaveLength(1)
    const download = (who: Person) => who.call(downloadFile, { params: { id: fileId }, query: {} })
    expect([(await download(cast.lessor)).bytes.toString(), (await download(cast.stranger)).code]).toEqual(['%PDF-1.4', 404])
    const told = await db
      .selectFrom('message')
      .where('kind', '=', 'contractNotice')
      .where('bizId', '=', String(id))
      .select('accountId')
      .execute()
    expect(told).toEqual([{ accountId: cast.lessor.id }])

    const { data: chain } = await cast.lessor.call(getContractChain, { params: { id } })
    expect(await recordFault(chain, recordChecks, sha256)).toBeNull()
    const digest = (JSON.parse(chain.links.find(({ move }) => move === 'notice')?.text ?? '[]') as unknown[])[6]
    expect(digest).toBe(sha256(JSON.stringify([sha256('%PDF-1.4')])))
    await db.deleteFrom('callLimit').execute()
    const { bytes } = await cast.lessor.call(exportContractEvidence, { params: { id } })
    const files = Object.entries(unzipSync(bytes))
    const [noticed, ...others] = files.map(([path]) => /notices\/.*/.exec(path)?.[0]).filter((path) => path?.includes(fileId.slice(0, 8)))
    expect(others).toEqual([])
    const page = new TextDecoder().decode(files.find(([path]) => /^[^/]+\/index\.html$/.test(path))?.[1])
    expect(page).toContain('<h2>盖章扫描件</h2><p>无</p>')
    expect(page).toContain(`<h2>单方解除通知</h2><ul><li>${noticed}</li></ul>`)
    // A second one is another notice; a file belongs to one of them.
    expect((await give(cast.project, id, { fileIds: [fileId] })).code).toBe(422)
    expect((await give(cast.lessor, id)).code).toBe(200)
    expect((await read(id)).notices.map(({ side, files }) => [side, files.length])).toEqual([
      ['lessee', 1],
      ['lessor', 0],
    ])
  })

  test('is given for a contract in force only, by who signs, with files of one’s own', async () => {
    const draft = await givenDraft()
    await send(cast.project, draft.id)
    expect([(await give(cast.project, draft.id)).code, (await give(cast.lessor, draft.id)).code]).toEqual([409, 409])
    const { id } = await givenContract()
    expect((await give(cast.lessor, id, { fileIds: [await givenFile(world, cast.project)] })).code).toBe(422)
    const scan = await givenFile(world, cast.lessor)
    await cast.lessor.call(uploadContractScan, { params: { id }, body: { fileIds: [scan] } })
    expect((await give(cast.lessor, id, { fileIds: [scan] })).code).toBe(422)
    expect((await give(cast.lessor, id, { reason: '' })).code).toBe(422)
    const persons = [{ task: 'signer' as const, accountId: cast.lessee.id }]
    await nameThem(cast.lessee, id, persons)
    expect((await read(id)).may).not.toContain('notice')
    const refused = await give(cast.project, id)
    expect([refused.code, refused.msg]).toEqual([403, zhCn.refusal.contract_not_signer])
    expect((await read(id)).notices).toEqual([])
  })
})

test('the same contracts stand by the database as by the rules', async () => {
  const today = '2027-03-04'
  const near = fc.option(fc.integer({ min: -2, max: 2 }))
  const given = fc
    .sample(fc.tuple(fc.constantFrom(...contractStatuses), near), 400)
    .map(([status, days], id) => ({ id, status, lastDay: days === null ? null : addDays(today, days) }))
  const { rows } = await sql<{ id: number; stands: boolean }>`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(id int, status text, "lastDay" text)),
      contract as (select id, status from given),
      contract_change as (select id as contract_id, 'terminate' as kind, ${sql.lit(changeStatus.inForce)} as status,
        jsonb_build_object('terms', jsonb_build_object('lastDay', "lastDay")) as input from given where "lastDay" is not null)
    select contract.id, ${standsOn(today)} as stands from contract order by contract.id`.execute(db)
  expect(rows).toEqual(given.map(({ id, ...contract }) => ({ id, stands: isStanding(contract, today) })))
})
