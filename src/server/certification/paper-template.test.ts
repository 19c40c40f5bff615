import { unzipSync, strFromU8 } from 'fflate'
import sax from 'sax'
import { afterAll, expect, test } from 'vitest'
import { certificationTemplate, saveCertificationDraft } from '#shared/certification/contract.ts'
import { papers as english } from '#shared/text/en/papers.ts'
import { blankLine } from '#shared/text/papers.ts'
import { papers as chinese } from '#shared/text/zh-cn/papers.ts'
import { openWorld } from '#test/world.ts'
import { kindOf } from '../upload/kind.ts'

const world = await openWorld()
const { cast } = world
afterAll(() => world.close())

/** The texts of a document of Word, paragraph by paragraph. Throws where it is no XML. */
function textsOf(bytes: Buffer): string[] {
  const texts: string[] = []
  const xml = sax.parser(true)
  Object.assign(xml, {
    onerror(error: Error) {
      throw error
    },
    onopentag({ name }: { name: string }) {
      if (name === 'w:p') texts.push('')
    },
    ontext(text: string) {
      texts[texts.length - 1] += text
    },
  })
  xml.write(strFromU8(unzipSync(bytes)['word/document.xml'] ?? new Uint8Array())).close()
  return texts.filter(Boolean)
}

test('the templates of authorisation and pledge hold what the form has so far, and lines for the rest', async () => {
  const form = { enterpriseName: '成都 <试验> & 租赁', creditCode: '91510100MA6CTEST03', contactName: '王\u0001敏', legalPerson: '  ' }
  await cast.newcomer.call(saveCertificationDraft, { body: { kind: 'rentout', form, documents: [] } })
  const { bytes } = await cast.newcomer.call(certificationTemplate, { query: { kind: 'rentout', document: 'authorization' } })
  // What is filled in comes back as a file of this kind.
  expect(kindOf(bytes)).toBe('application/vnd.openxmlformats-officedocument.wordprocessingml.document')
  const [title, ...texts] = textsOf(bytes)
  expect(title).toBe('授权委托书')
  expect(texts.join('\n')).toContain(`委托单位：成都 <试验> & 租赁（统一社会信用代码：91510100MA6CTEST03），法定代表人：${blankLine}`)
  expect(texts.join('\n')).toContain('受托人：王 敏')
  expect(texts.at(-4)).toBe('委托单位（盖章）：')
  const pledge = await cast.newcomer.call(certificationTemplate, { query: { kind: 'rentout', document: 'safetyPledge' } })
  expect(textsOf(pledge.bytes)[0]).toBe('安全生产承诺书')
})

test('nobody gets the names of another person, and a lessee authorises for other things than a lessor', async () => {
  const others = await cast.stranger.call(certificationTemplate, { query: { kind: 'rentout', document: 'authorization' } })
  expect(textsOf(others.bytes).join('\n')).not.toContain('试验')
  const lease = textsOf((await cast.stranger.call(certificationTemplate, { query: { kind: 'lease', document: 'authorization' } })).bytes)
  expect(lease).not.toEqual(textsOf(others.bytes))
  expect((await cast.visitor.call(certificationTemplate, { query: { kind: 'lease', document: 'authorization' } })).code).toBe(401)
  expect((await cast.newcomer.call(certificationTemplate, { query: { kind: 'lease', document: 'license' } })).code).toBe(422)
})

test('both languages have the same papers with as many paragraphs', () => {
  const names = { platform: 'A', site: 'B', enterprise: 'C', code: 'D', legalPerson: 'E', agent: 'F', phone: 'G' }
  for (const kind of ['rentout', 'lease'] as const)
    for (const document of ['authorization', 'safetyPledge'] as const) {
      const [first, second] = [chinese[document](names, kind), english[document](names, kind)]
      expect([second.paragraphs.length, second.signatures.length]).toEqual([first.paragraphs.length, first.signatures.length])
    }
})
