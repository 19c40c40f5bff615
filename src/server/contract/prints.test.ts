import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { amountText } from '#shared/amount-text.ts'
import * as changeCalls from '#shared/contract/changes.ts'
import { getContract, getContractText, printContract } from '#shared/contract/contract.ts'
import * as calls from '#shared/contract/moves.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { contractSteps } from '#test/given-contract.ts'
import { readPdf } from '#test/read-pdf.ts'
import { monday, openWorld, type Person } from '#test/world.ts'
import { makePdf } from '../pdf/pdf.ts'
import type { Print } from '../pdf/print.ts'

const world = await openWorld()
const { db, cast, clock } = world
const { givenDraft, givenContract, send, signCode, pass } = contractSteps(world)
afterAll(() => world.close())
beforeEach(() => clock.set(monday))

/** The same person, reading in English. */
const inEnglish = (person: Person): Person => ({ ...person, call: world.caller(person.token, 'en-US') })
/** The PDF as this person gets it: the text of all pages, and the parts of the first. */
async function printed(person: Person, call: typeof printContract | typeof changeCalls.printContractChange, id: number) {
  const { bytes, http, msg } = await person.call(call, { params: { id } })
  expect([http, bytes.subarray(0, 5).toString()], msg).toEqual([200, '%PDF-'])
  const pages = await readPdf(bytes)
  return { ...pages[0], text: pages.map(({ body }) => body).join('') }
}
type Printed = Awaited<ReturnType<typeof printed>>
const read = async (person: Person, id: number) => (await person.call(getContract, { params: { id } })).data
const hashOf = async (id: number) => (await cast.project.call(getContractText, { params: { id } })).data.textHash

test('a print says across its pages what does not hold yet, and has the hash of the text below them', async () => {
  const { id } = await givenDraft()
  const draft = await printed(cast.project, printContract, id)
  expect([draft.across, draft.footer]).toEqual(['草稿', expect.stringContaining(`SHA-256：${await hashOf(id)}第1页/共`)])
  expect(draft.text).toContain('双方均未确认。')
  expect((await cast.lessor.call(printContract, { params: { id } })).code).toBe(404)
  await send(cast.project, id)
  const sent = await printed(cast.lessor, printContract, id)
  expect([sent.across, sent.text.includes('发送并确认合同文本'), sent.text.includes('合同生效')]).toEqual(['未生效', true, false])
  expect(sent.text).toContain('第1版·待出租方确认')
  await cast.lessor.call(calls.returnContract, { params: { id }, body: { comment: '请改', clauses: [] } })
  const returned = await printed(cast.project, printContract, id)
  expect([returned.across, returned.text.includes('双方均未确认。')]).toEqual(['草稿', true])
})

describe('the prints of a contract in force', () => {
  const signer = '经办人某'
  let id = 0
  let own: Printed
  let theirs: Printed
  let english: Printed
  beforeAll(async () => {
    id = (await givenContract()).id
    await db.updateTable('account').set({ name: signer }).where('id', '=', cast.lessor.id).execute()
    own = await printed(cast.lessor, printContract, id)
    theirs = await printed(cast.project, printContract, id)
    english = await printed(inEnglish(cast.project), printContract, id)
  })
  /** What a print says of the sealed scan: that it is missing, or that none is needed. */
  const scanIn = ({ text }: Printed) => {
    const { scan } = zhCn.contract
    return ([scan['0'], scan.notNeeded] as const).map((words) => text.includes(words))
  }

  test('have nothing across their pages, and name the version and its hash', async () => {
    expect([theirs.across, theirs.header]).toEqual(['', expect.stringContaining('第1版')])
    expect(theirs.text).toContain(await hashOf(id))
  })

  test('each side reads its own people and the account as on the page, and nothing more', async () => {
    const { bankAccount, amount } = await read(cast.lessor, id)
    expect(own.text).toContain(bankAccount)
    expect(own.text).toContain(`¥${amountText(Number(amount) * 100)}`)
    expect(own.text).toContain(signer)
    expect(theirs.text).not.toContain(signer)
  })

  test('in English it says that the Chinese text binds', () => {
    const { text, header } = english
    expect(header).toContain('Equipmenthirecontract')
    expect(text).toContain('TheChinesetextistheonethatbothsidesconfirm')
    expect(text).toContain('1.1Rentstartsonthedaythemachinepassesacceptance.')
    expect(text).toContain('Total(withtax,estimated)')
    expect(text).not.toContain('Total(withtax,estimated)人民币')
  })

  test('the footer counts the prints of a version, whoever makes them; of the scan it says what the page says, also that none is needed', async () => {
    expect(own.footer).toContain('·第1次打印')
    expect(theirs.footer).toContain('·第2次打印')
    expect(english.footer).toContain('·Print3')
    // Whoever does not see the contract counts nothing.
    expect((await cast.stranger.call(printContract, { params: { id } })).code).toBe(404)
    await db.updateTable('dept').set({ needsScan: false }).where('id', '=', world.depts.root).execute()
    const both = await Promise.all([cast.project, cast.lessor].map((person) => printed(person, printContract, id)))
    await db.updateTable('dept').set({ needsScan: true }).where('id', '=', world.depts.root).execute()
    expect(both.map(({ footer = '' }) => /第(\d+)次/.exec(footer)?.[1]).toSorted()).toEqual(['4', '5'])
    expect([theirs, ...both].map(scanIn)).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })

  test('what was confirmed is printed as it was confirmed, also when the product words it differently later; another version is counted anew', async () => {
    const { text } = await db.selectFrom('contract').where('id', '=', id).select('text').executeTakeFirstOrThrow()
    const older = text.replace('起租日为设备验收合格当日。', '租金从验收合格的当天开始计算。')
    await db.updateTable('contract').set({ text: older, revision: 2 }).where('id', '=', id).execute()
    const second = await printed(cast.project, printContract, id)
    expect(second.text).toContain('1.1租金从验收合格的当天开始计算。')
    expect(second.footer).toContain('·第1次打印')
  })
})

let amendedId: Promise<number> | undefined
/** A contract whose amendments are printed. */
const amended = () => {
  world.passDeadline()
  return (amendedId ??= givenContract().then(({ id }) => id))
}

test('an amendment shows what held and what is to hold, with the sums in capitals', async () => {
  const id = await amended()
  const { lines, clauses, amount } = await read(cast.project, id)
  const lineId = lines[0]?.id ?? 0
  const propose = async (terms: object, more: object = {}) => {
    const body = { fromDay: '2026-12-10', reason: '工期调整', terms, ...more }
    const { data, msg } = await cast.lessor.call(changeCalls.proposeContractChange, { params: { id }, body })
    expect(data?.id, msg).toBeGreaterThan(0)
    return data.id
  }
  const extended = await propose({ kind: 'extend', lines: [{ lineId, value: '2027-04-13' }] })
  const waiting = await printed(cast.project, changeCalls.printContractChange, extended)
  expect([waiting.across, waiting.text.includes('尚待承租方确认。'), waiting.text.includes('·待承租方确认')]).toEqual([
    '未生效',
    true,
    true,
  ])
  await cast.project.call(changeCalls.confirmContractChange, { params: { id: extended } })
  const held = await printed(cast.project, changeCalls.printContractChange, extended)
  const after = await read(cast.project, id)
  expect(held.across).toBe('')
  expect(held.text).toContain('至2027-03-13前一日至2027-04-13前一日')
  for (const sum of [amount, after.amount])
    expect(held.text).toContain(`¥${Number(sum).toLocaleString('en-US', { minimumFractionDigits: 2 })}（人民币`)
  expect(held.text).toContain('提出并确认补充协议')
  // The contract now is of two versions, and says who agreed on the second.
  const second = await printed(cast.lessor, printContract, id)
  expect([second.header, second.text]).toEqual([expect.stringContaining('第2版'), expect.stringContaining('确认补充协议，补充协议生效')])

  const clause = await propose({ kind: 'clause', clauses: { ...clauses, noticeDays: 9 } })
  const changed = async () => (await printed(cast.project, changeCalls.printContractChange, clause)).text
  const both = [3, 9]
    .map((days) => `承租方应提前${days}日提出退场申请；以退场申请确定停租日的，停租日不早于申请之日后第${days}日。`)
    .join('')
  expect(await changed()).toContain(both)
  pass(60)
  await cast.project.call(changeCalls.confirmContractChange, { params: { id: clause } })
  expect(await changed()).toContain(both)

  const named = { bankName: '新的银行', bankAccount: '622200000000009876' }
  const smsCode = await signCode(cast.lessor, id, named)
  const account = await propose({ kind: 'account', ...named }, { smsCode })
  // It holds a day after the confirmation, so the day of the paper is not that from which it holds.
  const dated = (await printed(cast.project, changeCalls.printContractChange, account)).text
  expect([dated.includes('协议日期2026-12-10'), dated.includes('生效日期'), dated.includes('合同金额')]).toEqual([true, false, false])
  const readBy = async (who: Person) => (await printed(who, changeCalls.printContractChange, account)).text
  expect(await readBy(cast.project)).toContain('新的银行622200000000009876')
  expect(await readBy(cast.auditor)).toContain('新的银行**************9876')
  await cast.project.call(changeCalls.refuseContractChange, { params: { id: account }, body: { answer: '请先来函' } })
  const refused = await printed(inEnglish(cast.lessor), changeCalls.printContractChange, account)
  expect([refused.across, refused.text.includes('请先来函')]).toEqual(['REFUSED', true])
  expect(await readBy(cast.project)).toContain('承租方答复请先来函')

  const taken = await propose({ kind: 'extend', lines: [{ lineId, value: '2027-05-13' }] })
  await cast.lessor.call(changeCalls.recallContractChange, { params: { id: taken }, body: { answer: '另行商定' } })
  const { text: recalled } = await printed(cast.project, changeCalls.printContractChange, taken)
  expect([recalled.includes('撤回说明另行商定'), recalled.includes('承租方答复')]).toEqual([true, false])
})

test('an amendment names the position that it adds, with its machine, days, rent, invoice, minimum term and fees', async () => {
  const id = await amended()
  const machine = await world.givenMachine(cast.lessor.companyId)
  const { equipmentCode } = await db.selectFrom('equipment').where('id', '=', machine).select('equipmentCode').executeTakeFirstOrThrow()
  const terms = { invoiceKind: 'plain', minRentDays: 60 }
  const added = [
    { equipmentId: machine, planStart: '2026-12-20', planEnd: '2027-03-20', rentUnit: 'M', unitPrice: '21000', entryFee: '800', ...terms },
  ]
  const body = { fromDay: '2026-12-10', reason: '增加一台', terms: { kind: 'quantity', lineIds: [], added } }
  const { data } = await cast.lessor.call(changeCalls.proposeContractChange, { params: { id }, body })
  const chinese = await printed(cast.project, changeCalls.printContractChange, data.id)
  expect(chinese.text).toContain('2号机位：')
  const money = ['每台21,000.00/月', '一次性费用（每台）：进场费800.00']
  for (const part of [equipmentCode, '2026-12-20至2027-03-20前一日', ...money, '增减机位', '普通发票', '最短计费60日'])
    expect(chinese.text).toContain(part)
  const english = await printed(inEnglish(cast.lessor), changeCalls.printContractChange, data.id)
  for (const part of ['Position2:', equipmentCode, '21,000.00']) expect(english.text).toContain(part)
  expect(english.text).not.toMatch(/人民币|（/)
})

test('who comes while too many wait is told when to come again', async () => {
  const { id } = await givenContract()
  const printOf = (paragraphs: number): Print => ({
    language: 'zh-CN',
    title: '',
    author: '',
    madeAt: monday.toISOString(),
    header: { left: '', right: '' },
    footer: { left: '', pages: '' },
    watermark: null,
    blocks: Array.from({ length: paragraphs }, () => ({ kind: 'paragraph', text: '塔'.repeat(300) })),
    replacedNote: '',
  })
  // Two take their time, and as many of one person wait as may.
  const before = [15, 15, 1, 1, 1, 1, 1].map((paragraphs) => makePdf('', printOf(paragraphs), String(cast.project.id)))
  const url = `/prod-api/business/contract/${id}/pdf`
  const { statusCode, headers, body } = await world.server.inject({ url, headers: { authorization: cast.project.token ?? '' } })
  expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([
    503,
    '2',
    { code: 503, msg: '正在处理的文件太多，请稍后重试', data: null },
  ])
  await Promise.all(before)
})
