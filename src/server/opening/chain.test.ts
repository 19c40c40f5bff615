import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { awardDemand } from '#shared/award/contract.ts'
import { cancelDemand, takeDemandDown } from '#shared/demand/moves.ts'
import { listOwnMessages } from '#shared/message/contract.ts'
import { brokenLink, receiptFits } from '#shared/opening/chain.ts'
import { exportEvidence, getChain } from '#shared/opening/contract.ts'
import { compareQuotes, getDemandForLessor } from '#shared/quote/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { ChildProgram } from '../child/child-program.ts'
import { writeWorkbook } from '../workbook/list-workbook.ts'
import { openDueDemands } from './due.ts'

const world = await openWorld()
const { cast, db, clock } = world
afterAll(() => world.close())

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')
const chainOf = (who: 'project' | 'lessor' | 'lessor2' | 'auditor' | 'operator', id: number) => cast[who].call(getChain, { params: { id } })

let demand = 0
let receipt = ''
beforeAll(async () => {
  const machine = await world.givenMachine(cast.lessor.companyId)
  const other = await world.givenMachine(cast.lessor2.companyId)
  const made = await world.givenDemand({ attachmentIds: [] })
  demand = made.id
  await world.givenQuote(cast.lessor, made, [machine], { minRentDays: 60 })
  await world.givenQuote(cast.lessor2, made, [other])
  receipt = (await db.selectFrom('quote').where('companyId', '=', cast.lessor.companyId).select('sealHash').executeTakeFirstOrThrow())
    .sealHash
})

describe('before the opening', () => {
  test('the owner checks the chain up to the first quote; a lessor waits; the database holds no key', async () => {
    const { data } = await chainOf('project', demand)
    expect(await brokenLink(data.links, sha256)).toBeNull()
    expect(data.links.map(({ move }) => move)).toEqual(['publish'])
    expect(data.receipts).toEqual([])
    expect((await chainOf('lessor', demand)).code).toBe(403)
    const row = await db.selectFrom('demand').where('id', '=', demand).select('sealKey').executeTakeFirstOrThrow()
    expect(row.sealKey).toBeNull()
    expect((await cast.project.call(exportEvidence, { params: { id: demand } })).code).toBe(403)
  })

  test('the lessor has their receipt', async () => {
    const own = await cast.lessor.call(getDemandForLessor, { params: { id: demand } })
    expect(own.data.quote?.sealHash).toBe(receipt)
  })
})

describe('after the opening', () => {
  beforeAll(async () => {
    world.passDeadline()
    await openDueDemands(world.services)
    const compared = await cast.project.call(compareQuotes, { params: { demandId: demand } })
    const line = compared.data.quotes.find((quote) => quote.companyId === cast.lessor.companyId)?.lines[0]
    await cast.project.call(awardDemand, {
      params: { id: demand },
      body: { lines: [{ demandItemId: line?.demandItemId, quoteLineId: line?.id, qty: 1, reason: '价格合理、距离近' }] },
    })
  })

  test('every lessor checks the chain and their own receipt, and learns nothing about the others', async () => {
    const { data } = await chainOf('lessor', demand)
    expect(await brokenLink(data.links, sha256)).toBeNull()
    expect(data.links.every(({ detail }) => detail === null)).toBe(true)
    expect(data.receipts).toMatchObject([{ sealHash: receipt }])
    const [own] = data.receipts
    expect(own && (await receiptFits(own, data.links, sha256))).toBe(true)
    expect(own && (await receiptFits({ ...own, offer: `${own.offer} ` }, data.links, sha256))).toBe(false)
    expect(own && (await receiptFits({ ...own, sealHash: sha256('x'), offer: 'x' }, data.links, sha256))).toBe(false)
  })

  test('the owner and the auditor see who and why, and every commitment opens', async () => {
    for (const who of ['project', 'auditor', 'operator'] as const) {
      const { data } = await chainOf(who, demand)
      expect(data.links.filter(({ move }) => move === 'quote')).toHaveLength(2)
      expect(data.links.some(({ text }) => text.includes(receipt))).toBe(true)
      expect(await brokenLink(data.links, sha256)).toBeNull()
      expect(data.links.every(({ detail }) => detail !== null)).toBe(true)
      const fits = await Promise.all(data.receipts.map(async (one) => one.offer !== null && (await receiptFits(one, data.links, sha256))))
      expect(fits.every(Boolean)).toBe(true)
    }
  })

  test('the key was released with the opening, and opens what was stored before it', async () => {
    const row = await db.selectFrom('demand').where('id', '=', demand).select('sealKey').executeTakeFirstOrThrow()
    expect(row.sealKey?.length).toBe(32)
  })

  const change = (statement: ReturnType<typeof sql>) =>
    inTransaction(db, async (tx) => {
      await sql`alter table demand_event disable trigger demand_event_kept`.execute(tx)
      await statement.execute(tx)
      await sql`alter table demand_event enable trigger demand_event_kept`.execute(tx)
    })
  test.each(['the note', 'the instant', 'the move'])('one changed byte, %s: that step is named', async (what) => {
    const before = await db
      .selectFrom('demandEvent')
      .where('demandId', '=', demand)
      .where('seq', '=', 3)
      .selectAll()
      .executeTakeFirstOrThrow()
    const column =
      what === 'the note' ? sql`note = note || '.'` : what === 'the move' ? sql`move = 'opem'` : sql`at = at - interval '1 second'`
    await change(sql`update demand_event set ${column} where demand_id = ${demand} and seq = 3`)
    const { data } = await chainOf('project', demand)
    expect(await brokenLink(data.links, sha256)).toBe(3)
    const at = new Date(`${before.at.replace(' ', 'T')}+08:00`)
    await change(
      sql`update demand_event set note = ${before.note}, move = ${before.move}, at = ${at} where demand_id = ${demand} and seq = 3`,
    )
    expect(await brokenLink((await chainOf('project', demand)).data.links, sha256)).toBeNull()
  })

  test('a step that is shown as another move or at another time than was hashed is named, in the page of the pack as well', async () => {
    const { links } = (await chainOf('project', demand)).data
    for (const shown of [{ move: 'fail' }, { at: '2026-11-01 09:00:00' }]) {
      const changed = links.map((link) => (link.seq === 2 ? { ...link, ...shown } : link))
      expect(await brokenLink(changed, sha256)).toBe(2)
      expect(await verdictOf((chain) => void Object.assign(chain.links[1] ?? {}, shown))).toBe('does not fit: 2')
    }
  })

  test('events are only added', async () => {
    await expect(sql`update demand_event set note = 'x' where demand_id = ${demand}`.execute(db)).rejects.toThrow(/only added/)
  })

  test.each(['project', 'auditor'] as const)('the evidence pack, by %s: readable by itself, and sha256sum -c agrees', async (who) => {
    const { bytes } = await cast[who].call(exportEvidence, { params: { id: demand } })
    const folder = mkdtempSync(join(tmpdir(), 'zhujitong-evidence-'))
    const files = unzipSync(bytes)
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    }
    const [root = ''] = Object.keys(files)[0]?.split('/') ?? []
    const here = join(folder, root)
    expect(execFileSync('sha256sum', ['-c', 'manifest.sha256'], { cwd: here, encoding: 'utf8' })).not.toMatch(/FAILED/)
    const page = readFileSync(join(here, 'index.html'), 'utf8')
    for (const words of ['价格合理、距离近', '到场总价', 'sha256sum -c', '9% · 增值税专用发票 · 最短计费 60 天'])
      expect(page).toContain(words)
    expect(page).not.toMatch(/(src|href)="(https?:|\/)/)
    // The receipt given before the deadline is the hash of the very file in the pack.
    const code = (await db.selectFrom('quote').where('sealHash', '=', receipt).select('quoteCode').executeTakeFirstOrThrow()).quoteCode
    expect(sha256(readFileSync(join(here, 'offers', `${code}.json`)))).toBe(receipt)
    expect(readFileSync(join(here, 'manifest.sha256'), 'utf8')).toContain(`${receipt}  offers/${code}.json`)
    // One changed byte, and it does not.
    writeFileSync(join(here, 'index.html'), page.replace('价格合理', '价格台理'))
    expect(() => execFileSync('sha256sum', ['-c', 'manifest.sha256'], { cwd: here, stdio: 'ignore' })).toThrow()
    rmSync(folder, { recursive: true })
  })

  test('the pack of an English reader has the English names of site, place and machines, in its workbook as well', async () => {
    const { bytes } = await world.caller(cast.project.token, 'en-US')(exportEvidence, { params: { id: demand } })
    const files = Object.entries(unzipSync(bytes)).map(([path, content]) => [path.slice(path.indexOf('/') + 1), content] as const)
    const contentOf = (name: string) => files.find(([path]) => path === name)?.[1] ?? expect.fail()
    const page = new TextDecoder().decode(contentOf('index.html'))
    const [shown = ''] = page.split('<script')
    const { site } = world.services.config
    for (const words of [site.nameEn, 'LiuGong 856H Wheel loader', 'Chengdu']) expect(shown).toContain(words)
    for (const words of [site.name, '柳工', '成都市']) expect(shown).not.toContain(words)
    const strings = new TextDecoder().decode(unzipSync(contentOf('comparison.xlsx'))['xl/sharedStrings.xml'])
    expect([strings.includes('LiuGong 856H Wheel loader'), strings.includes('柳工')]).toEqual([true, false])
  })

  test('where too many workbooks wait to be written the pack is refused before its first byte', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>()
    const program = vi.spyOn(ChildProgram.prototype, 'run').mockReturnValue(promise)
    const waiting = Array.from({ length: 13 }, () => writeWorkbook('list.xlsx', []))
    const refused = await cast.project.call(exportEvidence, { params: { id: demand } }).finally(() => program.mockRestore())
    resolve(new Uint8Array())
    await Promise.all(waiting)
    expect(refused).toMatchObject({ code: 503, msg: zhCn.refusal.busy })
  })

  type Chain = { links: { seq: number; text: string; hash: string }[]; receipts: { quoteCode: string; sealHash: string; offer: string }[] }
  /** Runs the scripts of the pack's page as a browser would, over a chain that somebody changed, and gives the verdict it shows. */
  const verdictOf = async (change: (chain: Chain) => void) => {
    const { bytes } = await cast.auditor.call(exportEvidence, { params: { id: demand } })
    const page = new TextDecoder().decode(Object.entries(unzipSync(bytes)).find(([path]) => path.endsWith('/index.html'))?.[1])
    const chain = JSON.parse(/<script type="application\/json" id="chain">(.*?)<\/script>/s.exec(page)?.[1] ?? '') as Chain
    change(chain)
    const verdict = { textContent: '', className: '', dataset: { good: 'fits', bad: 'does not fit:', unable: 'unable' } }
    const elements: Record<string, object> = { verdict, chain: { textContent: JSON.stringify(chain) } }
    const document = { getElementById: (id: string) => elements[id], querySelector: (selector: string) => elements[selector.slice(1)] }
    const [, checker = ''] = /<script>(.*?)<\/script>/s.exec(page) ?? []
    await runInNewContext(checker, { document, crypto: globalThis.crypto, TextEncoder })
    return verdict.textContent
  }

  test('the page of the pack checks what the product checks', async () => {
    expect(await verdictOf(() => undefined)).toBe('fits')
    const of = (chain: Chain) => chain.receipts.find(({ sealHash }) => sealHash === receipt) as Chain['receipts'][number]
    const quoteCode = (await db.selectFrom('quote').where('sealHash', '=', receipt).select('quoteCode').executeTakeFirstOrThrow()).quoteCode
    expect(await verdictOf((chain) => void (of(chain).offer += ' '))).toBe(`does not fit: ${quoteCode}`)
    // An offer forged together with its receipt: only the chain knows that this receipt was never given.
    expect(await verdictOf((chain) => void Object.assign(of(chain), { offer: 'x', sealHash: sha256('x') }))).toBe(
      `does not fit: ${quoteCode}`,
    )
    expect(await verdictOf((chain) => void Object.assign(chain.links[1] ?? {}, { hash: sha256('x') }))).toBe('does not fit: 2')
  })
})

test('a demand taken down: owner and bidders learn why, quotes end, and its lessor may check the chain', async () => {
  clock.set(monday)
  const made = await world.givenDemand()
  await world.givenQuote(cast.lessor, made, [await world.givenMachine(cast.lessor.companyId)])
  expect((await cast.operator.call(takeDemandDown, { params: { id: made.id }, body: { reason: '' } })).code).toBe(422)
  expect((await cast.operator.call(takeDemandDown, { params: { id: made.id }, body: { reason: '内容违规' } })).code).toBe(200)
  expect((await cast.operator.call(takeDemandDown, { params: { id: made.id }, body: { reason: '再来一次' } })).code).toBe(409)
  expect((await cast.project.call(cancelDemand, { params: { id: made.id }, body: { reason: '晚了' } })).code).toBe(409)
  for (const who of ['project', 'lessor'] as const) {
    const { data } = await cast[who].call(listOwnMessages, { query: { keyword: '平台下架' } })
    expect(data.rows[0]?.content).toContain('内容违规')
  }
  const { data } = await chainOf('lessor', made.id)
  expect(await brokenLink(data.links, sha256)).toBeNull()
  expect(data.receipts[0]?.offer).not.toBeNull()
})

test('the same two at once: a chain stays a chain', async () => {
  const made = await world.givenDemand()
  const machines = [await world.givenMachine(cast.lessor.companyId), await world.givenMachine(cast.lessor2.companyId)]
  await Promise.all([world.givenQuote(cast.lessor, made, [machines[0] ?? 0]), world.givenQuote(cast.lessor2, made, [machines[1] ?? 0])])
  world.passDeadline()
  await openDueDemands(world.services)
  expect(await brokenLink((await chainOf('project', made.id)).data.links, sha256)).toBeNull()
})
