import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { amountText } from '#shared/amount-text.ts'
import { listAudit } from '#shared/audit/contract.ts'
import { listContractChanges, proposeContractChange } from '#shared/contract/changes.ts'
import {
  countContractEvidence,
  exportContractEvidence,
  getContract,
  getContractChain,
  printContract,
  type Contract,
} from '#shared/contract/contract.ts'
import { lookAtContract } from '#shared/contract/manage.ts'
import * as calls from '#shared/contract/moves.ts'
import { recordChecks, recordFault, type ContractRecord } from '#shared/contract/record.ts'
import { shownSteps } from '#shared/contract/rules.ts'
import { statementsOf } from '#test/counted.ts'
import { changeSteps, contractSteps } from '#test/given-contract.ts'
import { givenFile } from '#test/given-file.ts'
import { inTransaction, waitingForLocks } from '#test/held-rows.ts'
import { readPdf } from '#test/read-pdf.ts'
import { openWorld } from '#test/world.ts'
import { findActor } from '../actor/actor.ts'
import { partsOf } from '../opening/pack.ts'
import { contractEvidence } from './evidence.ts'
import { recordContractRoots } from './heads.ts'

const world = await openWorld()
const { cast, db, services } = world
const { givenContract, givenDraft, send, confirm: confirmContract, pass } = contractSteps(world)
const { read, propose, confirm } = changeSteps(world)
afterAll(() => world.close())

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
type Who = 'project' | 'lessor' | 'auditor'

let id = 0
let fileId = ''
beforeAll(async () => {
  id = (await givenContract()).id
  fileId = await givenFile(world, cast.lessor)
  await cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds: [fileId] } })
  const change = { fromDay: '2026-12-01', reason: '工程提前完工', terms: { kind: 'terminate', lastDay: '2026-12-20' } }
  await cast.project.call(proposeContractChange, { params: { id }, body: change })
  pass(2 * 86_400)
  await recordContractRoots(services)
})
// The call may be made ten times a minute.
beforeEach(() => db.deleteFrom('callLimit').execute())

/** The files of a pack without their folder. */
async function packFor(who: Who, contractId: number): Promise<Record<string, Uint8Array>> {
  const { bytes } = await cast[who].call(exportContractEvidence, { params: { id: contractId } })
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, content]) => [path.slice(path.indexOf('/') + 1), content]))
}
const packs = new Map<Who, Promise<Record<string, Uint8Array>>>()
/** The pack of the contract as this person got it first: its print takes half a second. */
function packOf(who: Who): Promise<Record<string, Uint8Array>> {
  const pack = packs.get(who) ?? packFor(who, id)
  packs.set(who, pack)
  return pack
}
const textOf = (content: Uint8Array | undefined) => new TextDecoder().decode(content)

describe('the evidence pack of a contract', () => {
  test.each(['project', 'lessor', 'auditor'] as const)('has for the %s all that it says, and sha256sum -c agrees', async (who) => {
    const files = await packOf(who)
    const version = await db
      .selectFrom('contractVersion')
      .where('contractId', '=', id)
      .select(['text', 'textHash'])
      .executeTakeFirstOrThrow()
    expect(textOf(files['versions/1.txt'])).toBe(version.text)
    expect(sha256(files['versions/1.txt'] ?? '')).toBe(version.textHash)
    expect(textOf(files['contract.pdf']).slice(0, 5)).toBe('%PDF-')
    expect(textOf(files['amendments.json'])).toContain('工程提前完工')
    const scan = Object.entries(files).find(([path]) => path.startsWith(`scans/${fileId.slice(0, 8)}-`))?.[1]
    expect(textOf(scan)).toBe('%PDF-1.4')
    const record = JSON.parse(textOf(files['chain.json'])) as ContractRecord
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
    // The chain holds the hash of the scan's own hash.
    const digest = (JSON.parse(record.links.find(({ move }) => move === 'scan')?.text ?? '[]') as unknown[])[6]
    expect(digest).toBe(sha256(JSON.stringify([sha256(scan ?? '')])))
    // The hash of each amendment is that of its file.
    const [change] = record.changes
    const proposed = (JSON.parse(record.links.find(({ move }) => move === 'change')?.text ?? '[]') as unknown[])[6]
    expect(sha256(files[`amendments/${change?.changeCode}.json`] ?? '')).toBe(proposed)
    const page = textOf(files['index.html'])
    for (const words of ['华拓建设集团有限公司', '成都恒岳机械租赁有限公司', '工程提前完工', 'sha256sum -c']) expect(page).toContain(words)
    expect(page).not.toMatch(/(src|href)="(https?:|\/)/)

    const folder = mkdtempSync(join(tmpdir(), 'zhujitong-contract-'))
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const check = () =>
      spawnSync('sha256sum', ['-c', 'manifest.sha256'], { cwd: folder, encoding: 'utf8' }).stdout.trim().split('\n').toSorted()
    const listed = Object.keys(files).filter((path) => path !== 'manifest.sha256')
    const linesOf = (answer: string) => listed.map((path) => `${path}: ${answer}`).toSorted()
    expect(check()).toEqual(linesOf('OK'))
    // One changed byte in any file, and it does not.
    for (const path of listed) {
      const changed = Uint8Array.from(files[path] ?? [])
      changed[Math.floor(changed.length / 2)] = (changed[Math.floor(changed.length / 2)] ?? 0) ^ 1
      writeFileSync(join(folder, path), changed)
    }
    expect(check()).toEqual(linesOf('FAILED'))
    expect(readFileSync(join(folder, 'manifest.sha256'), 'utf8')).toContain('  chain.json\n')
    rmSync(folder, { recursive: true })
  })

  test('writes the contract and its amendments as the answers have them, with amounts in yuan', async () => {
    const files = await packOf('project')
    const { may: _may, phoneEnd: _phoneEnd, ...shown } = await read(id)
    expect(JSON.parse(textOf(files['contract.json']))).toEqual(shown)
    const changes = (await cast.project.call(listContractChanges, { params: { id } })).data
    expect(JSON.parse(textOf(files['amendments.json']))).toEqual(changes.map(({ may: _, ...change }) => change))
  })

  test('shows nothing for a position that an amendment cancelled, as the page and the print, so the positions add up to the sum, also after an early end', async () => {
    const { id: ended } = await givenContract({ alone: true })
    const [first, second] = (await read(ended)).lines
    const agree = async (terms: object) =>
      expect((await confirm(cast.lessor, (await propose(cast.project, ended, terms)).data.id)).code).toBe(200)
    await agree({ kind: 'quantity', lineIds: [second?.id] })
    await agree({ kind: 'terminate', lastDay: '2026-12-20' })
    const after = await read(ended)
    expect(after.lines.map(({ status, amount }) => [status, amount])).toEqual([
      ['3', first?.amount],
      ['3', '0.00'],
    ])
    expect(after.amount).toBe(first?.amount)
    const pages = await readPdf((await cast.project.call(printContract, { params: { id: ended } })).bytes)
    const printed = pages.map(({ body }) => body).join('')
    const amount = amountText(Math.round(Number(after.amount) * 100))
    // In the text, of the position and in total.
    expect([printed.split(amount).length - 1, printed.includes('已取消')]).toEqual([3, true])
    const page = textOf((await packFor('project', ended))['index.html'])
    // The first worked until the early end.
    expect(page.match(/· (?:已取消|提前终止)<\/td>/g)).toEqual(['· 提前终止</td>', '· 已取消</td>'])
    // The state of the contract and of the first position.
    expect(printed.split('提前终止').length - 1).toBe(2)
  })

  test('the lessee’s side has the whole pack of the demand; a lessor its chain and the own receipt, and nothing of the other lessors', async () => {
    const own = await packOf('project')
    expect(Object.keys(own)).toEqual(
      expect.arrayContaining(['demand/index.html', 'demand/chain.json', 'demand/comparison.xlsx', 'demand/manifest.sha256']),
    )
    expect(Object.keys(own).filter((path) => path.startsWith('demand/offers/'))).toHaveLength(2)
    const lessors = await packOf('lessor')
    expect(Object.keys(lessors).filter((path) => path.startsWith('demand/'))).toEqual(['demand/chain.json'])
    const { receipts } = JSON.parse(textOf(lessors['demand/chain.json'])) as { receipts: unknown[] }
    expect(receipts).toHaveLength(1)
    for (const [path, content] of Object.entries(lessors)) expect(textOf(content), path).not.toContain('武汉昌磐')
  })

  test('reads each version when its file is written, so that no more than one is in memory', async () => {
    const { id: amended } = await givenContract()
    const [line] = (await read(amended)).lines
    for (const value of ['17100', '17200', '17300']) {
      const { data, msg } = await propose(cast.project, amended, { kind: 'price', lines: [{ lineId: line?.id, value }] })
      expect([(await confirm(cast.lessor, data?.id)).code, msg]).toEqual([200, expect.any(String)])
    }
    const { result: files, statements } = await statementsOf(() => packFor('lessor', amended))
    const record = JSON.parse(textOf(files['chain.json'])) as ContractRecord
    expect(record.versions.map(({ revision }) => revision)).toEqual([1, 2, 3, 4])
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
    const [, inPage = ''] = /<script type="application\/json" id="chain">([^<]*)<\/script>/.exec(textOf(files['index.html'])) ?? []
    expect(JSON.parse(inPage)).toEqual(record)
    const reading = statements.filter(({ text }) => text.includes('contract_version_text'))
    // The files, the chain and the page, each of them each version.
    expect(reading).toHaveLength(3 * 4)
    for (const { text } of reading) expect(text).toMatch(/"revision" = \$/)
  })

  test('has every step of the history, also those that the page does not show any more, and names each price of a position with the day from which it holds', async () => {
    const { id: long } = await givenContract()
    const [line] = (await read(long)).lines
    const terms = { kind: 'price', lines: [{ lineId: line?.id, value: '36000' }] }
    const { data } = await propose(cast.project, long, terms, { fromDay: '2027-02-11' })
    expect((await confirm(cast.lessor, data.id)).code).toBe(200)
    await sql`insert into contract_event (contract_id, at, account_id, side, move, note)
      select ${long}, now(), ${cast.lessor.id}, 'lessor', 'notice', '函件' from generate_series(1, 400)`.execute(db)
    expect((await read(long)).events).toHaveLength(shownSteps)
    const files = await packFor('project', long)
    const { events } = JSON.parse(textOf(files['contract.json'])) as Contract
    const { links } = JSON.parse(textOf(files['chain.json'])) as ContractRecord
    expect([events.length, events.at(-1)?.move]).toEqual([links.length, 'draft'])
    const page = textOf(files['index.html'])
    expect(page.match(/<td>函件<\/td>/g)).toHaveLength(400)
    expect(page).toContain(`<td>${amountText(Number(line?.unitPrice) * 100)} 元/月 · 2027-02-11 起 36,000.00 元/月</td>`)
  })

  test('names the machines and the site for an English reader in English', async () => {
    const { bytes } = await world.caller(cast.project.token, 'en-US')(exportContractEvidence, { params: { id } })
    const page = textOf(Object.entries(unzipSync(bytes)).find(([path]) => /^[^/]+\/index\.html$/.test(path))?.[1])
    const [shown = ''] = page.split('<script')
    const { site } = services.config
    for (const words of [site.nameEn, 'LiuGong 856H Wheel loader']) expect(shown).toContain(words)
    for (const words of [site.name, '柳工']) expect(shown).not.toContain(words)
  })

  test('holds the messages of the own side', async () => {
    const [lessee, lessor] = [textOf((await packOf('project'))['index.html']), textOf((await packOf('lessor'))['index.html'])]
    const ofLessor = '合同待确认：'
    expect([lessee.includes(ofLessor), lessor.includes(ofLessor)]).toEqual([false, true])
    // Recipients may delete theirs, so the number of them is that of today.
    for (const words of ['消息（收件人现存的）', '现存人数']) expect(lessor).toContain(words)
  })

  test('is logged, refused to strangers, and the number of the account is as on the page', async () => {
    for (const who of ['stranger', 'otherProject', 'lessor2', 'operator'] as const)
      expect((await cast[who].call(exportContractEvidence, { params: { id } })).code, who).toBe(404)
    const { bankAccount } = (await cast.auditor.call(getContract, { params: { id } })).data
    const whole = textOf((await packOf('auditor'))['contract.json'])
    expect(bankAccount).toMatch(/^\*+\d{4}$/)
    expect(whole).toContain(bankAccount)
    const entry = await db
      .selectFrom('auditLog')
      .where('action', '=', 'contract.evidence')
      .where('bizId', '=', String(id))
      .select('who')
      .execute()
    expect(entry.map(({ who }) => who)).toContain('auditor')
    // What the platform takes the lessee's auditor reads.
    const params = { id }
    expect((await cast.operator.call(lookAtContract, { params, body: { reason: '双方申诉' } })).code).toBe(200)
    await cast.operator.call(exportContractEvidence, { params })
    const { data } = await cast.auditor.call(listAudit, { query: { action: 'contract.evidence', who: 'operator' } })
    expect(data.rows.map(({ bizId }) => bizId)).toEqual([String(id)])
  })
})

/** Runs the scripts of the pack's page as a browser would, over a record that somebody changed, and gives the verdict it shows. */
async function verdictOf(page: string, change: (source: string) => string): Promise<{ textContent: string; className: string }> {
  const source = /<script type="application\/json" id="chain">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  const [, span = ''] = /<span id="verdict"([^>]*)>/.exec(page) ?? []
  const dataset = Object.fromEntries([...span.matchAll(/data-(\w+)="([^"]*)"/g)].map(([, key, words]) => [key, words]))
  const verdict = { textContent: '', className: '', dataset }
  const elements: Record<string, object> = { verdict, chain: { textContent: change(source) } }
  const document = { querySelector: (selector: string) => elements[selector.slice(1)] }
  const [, checker = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []
  await runInNewContext(checker, { document, crypto: globalThis.crypto, TextEncoder })
  return verdict
}

test('a confirmation while a record or a pack is read belongs to none of it, so what was read fits together', async () => {
  const { id: sent } = await givenDraft()
  expect((await send(cast.project, sent)).code).toBe(200)
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // The reads have begun when they come to the amendments.
  const holding = inTransaction(db, async (tx) => {
    await sql`lock table contract_change in access exclusive mode`.execute(tx)
    held.resolve()
    await released.promise
  })
  await held.promise
  const reading = Promise.all([cast.lessor.call(getContractChain, { params: { id: sent } }), packFor('lessor', sent)])
  await expect.poll(() => waitingForLocks(db)).toBe(2)
  const confirmed = await confirmContract(cast.lessor, sent)
  released.resolve()
  await holding
  expect([confirmed.code, confirmed.msg]).toEqual([200, expect.any(String)])
  const [{ data: page }, files] = await reading
  for (const record of [page, JSON.parse(textOf(files['chain.json'])) as ContractRecord]) {
    expect([record.standing?.isConfirmed, record.links.at(-1)?.move, record.versions]).toEqual([false, 'send', []])
    expect(await recordFault(record, recordChecks, sha256)).toBeNull()
  }
  expect(JSON.parse(textOf(files['contract.json']))).toMatchObject({ status: '1' })
})

describe('the page of the pack', () => {
  test('finds every fault by the words of the contract’s page', async () => {
    const page = textOf((await packOf('lessor'))['index.html'])
    const shown = async (change: (record: ContractRecord) => void) => {
      const { textContent, className } = await verdictOf(page, (source) => {
        const record = JSON.parse(source) as ContractRecord
        change(record)
        return JSON.stringify(record)
      })
      expect(className).toBe(textContent.includes('全部吻合') ? 'good' : 'bad')
      return textContent
    }
    const link = (record: ContractRecord, at: number) => record.links[at] ?? expect.fail()
    expect(await shown(() => undefined)).toMatch(/^\d+ 步、1 版文本与条款全部吻合/)
    expect(await shown((record) => Object.assign(link(record, 1), { hash: sha256('x') }))).toContain('第 2 步与记录不符')
    expect(await shown((record) => Object.assign(link(record, 2), { detail: '["x"]' }))).toContain('第 3 步与记录不符')
    expect(await shown((record) => Object.assign(record.versions[0] ?? {}, { text: 'x' }))).toContain('第 1 版的文本')
    expect(await shown((record) => Object.assign(record.standing ?? {}, { clauses: '{}' }))).toContain('与双方确认的不一致')
    expect(await shown((record) => Object.assign(record.standing?.account ?? {}, { bankName: 'x' }))).toContain(
      '收款账户与双方确认的不一致',
    )
    const cheaper = (lines = '[]') => JSON.stringify((JSON.parse(lines) as object[]).map((line) => ({ ...line, unitPriceFen: 1 })))
    expect(await shown(({ standing }) => Object.assign(standing ?? {}, { lines: cheaper(standing?.lines) }))).toContain(
      '与双方确认的不一致',
    )
    expect(await shown((record) => Object.assign(record.changes[0] ?? {}, { fact: '[]' }))).toMatch(/补充协议 BC\d+ 的内容与提出时的不一致/)
    expect(await shown((record) => Object.assign(record.demandLinks[0] ?? {}, { text: '[1]' }))).toContain('来源需求的第 1 步')
    expect(await shown((record) => void (record.demandLinks = record.demandLinks.slice(0, 1)))).toContain('合同的第一步与来源需求')
    expect(await shown((record) => Object.assign(record.head ?? {}, { root: sha256('x') }))).toMatch(/2026-\d\d-\d\d 的夜间存证/)
    expect(await shown((record) => void record.links.pop())).toContain('夜间存证过的末步缺失')
  })

  test('finds a changed byte anywhere in what is hashed', async () => {
    const page = textOf((await packOf('project'))['index.html'])
    const record = JSON.parse(/id="chain">(.*?)<\/script>/s.exec(page)?.[1] ?? '') as ContractRecord
    const texts = [
      ...record.links.flatMap(({ text, hash, detail, person }) => [text, hash, detail, person]),
      ...record.demandLinks.flatMap(({ text, hash }) => [text, hash]),
      ...record.changes.map(({ fact }) => fact),
      record.standing?.account?.bankAccount,
      ...record.versions.flatMap(({ fact, text, textEn }) => [fact, text, textEn]),
      record.standing?.text,
      record.standing?.textHash,
      record.head?.hash,
      record.head?.root,
    ].filter((one) => typeof one === 'string' && one !== '') as string[]
    expect(texts.length).toBeGreaterThan(30)
    for (const [at, one] of texts.entries()) {
      // Another place in each, the same in every run.
      const place = (at * 7919) % one.length
      const changed = `${one.slice(0, place)}${one[place] === '7' ? '8' : '7'}${one.slice(place + 1)}`
      const { className } = await verdictOf(page, (source) => JSON.stringify(replaced(JSON.parse(source) as ContractRecord, one, changed)))
      expect(className, one.slice(0, 80)).toBe('bad')
    }
  })

  test('says so where the record cannot be read at all', async () => {
    const page = textOf((await packOf('project'))['index.html'])
    expect((await verdictOf(page, (source) => source.slice(0, -10))).textContent).toContain('已损坏')
  })
})

/** The record with the first value that is `from` changed to `to`. */
function replaced(record: ContractRecord, from: string, to: string): unknown {
  let isDone = false
  const walk = (value: unknown): unknown => {
    if (!isDone && value === from) {
      isDone = true
      return to
    }
    if (Array.isArray(value)) return value.map((one) => walk(one))
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]))
    return value
  }
  return walk(record)
}

describe('a pack of more stored files than fit', () => {
  test('files stay in their order, as many in a part as fit, and a larger one alone', () => {
    expect(partsOf([], 10)).toEqual([])
    expect(partsOf([4, 6, 1, 30, 2, 8], 10)).toEqual([1, 1, 2, 3, 4, 4])
  })

  test('is split: every file lies in one part, which the page names, and each part has its manifest', async () => {
    const [first, second] = [await givenFile(world, cast.lessor), await givenFile(world, cast.lessor)]
    const scanned = await cast.lessor.call(calls.uploadContractScan, { params: { id }, body: { fileIds: [first, second] } })
    expect(scanned.code, scanned.msg).toBe(200)
    const actor = (await findActor({ db, now: world.clock.now(), isDemo: false }, cast.lessor.token ?? '')) ?? expect.fail()
    const caller = { actor, hadToken: true, token: cast.lessor.token, address: '', agent: '', locale: 'zh-CN' as const, log: console }
    const partFor = async (part: number) => {
      const context = { ...services, ...caller, now: world.clock.now() }
      const { name, chunks } = await contractEvidence(context, { id, part, maxBytes: 10 })
      const bytes: Uint8Array[] = []
      for await (const chunk of chunks) bytes.push(chunk)
      return { name, files: unzipSync(Buffer.concat(bytes)) }
    }
    const [one, two] = [await partFor(1), await partFor(2)]
    const code = one.name.split(' ')[0] ?? ''
    expect([one.name, two.name]).toEqual([`${code} 证据包 1-2.zip`, `${code} 证据包 2-2.zip`])
    const scan = (of: string) => `${code}/scans/${of.slice(0, 8)}-`
    const hasScan = (files: object, of: string) => Object.keys(files).some((path) => path.startsWith(scan(of)))
    expect([hasScan(one.files, first), hasScan(one.files, second)]).toEqual([true, false])
    expect([hasScan(two.files, first), hasScan(two.files, second)]).toEqual([false, true])
    expect(textOf(one.files[`${code}/index.html`])).toContain('在第 2/2 部分')
    const manifest = textOf(two.files[`${code}/manifest-2.sha256`])
    for (const [path, content] of Object.entries(two.files).filter(([name]) => !name.endsWith('.sha256')))
      expect(manifest).toContain(`${sha256(content)}  ${path.slice(code.length + 1)}\n`)
    await expect(partFor(3)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('as a rule it is whole', async () => {
    expect((await cast.lessor.call(countContractEvidence, { params: { id } })).data).toEqual({ parts: 1 })
    expect((await cast.lessor.call(exportContractEvidence, { params: { id }, query: { part: 2 } })).code).toBe(404)
  })
})
