import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPdf } from '#test/read-pdf.ts'
import { coverageOf, readableBy } from './coverage.ts'
import { makePdf } from './pdf.ts'
import type { Block, Print } from './print.ts'

const printOf = (blocks: Block[], more: Partial<Print> = {}): Print => ({
  language: 'zh-CN',
  title: '样张',
  author: '筑机通',
  madeAt: '2026-11-23T02:00:00.000Z',
  header: { left: '左', right: '右' },
  footer: { left: '哈希', pages: '第 {page} 页 / 共 {pages} 页' },
  watermark: null,
  blocks,
  replacedNote: '字库未收录：{signs}',
  ...more,
})
const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
const read = async (print: Print) => readPdf((await makePdf('样张', print)).content)

test('rare letters of names stand in the PDF; one that the font lacks is written as its code and explained', async () => {
  const [page] = await read(printOf([paragraph('㙍堃喆垚犇骉砼㛃䶮𬭎 ㎡ m³ 壹佰'), paragraph('𠮷田😀☐')], { watermark: '草稿' }))
  expect(page).toEqual({
    body: '㙍堃喆垚犇骉砼㛃䶮𬭎㎡m³壹佰[U+20BB7]田[U+1F600][U+2610]字库未收录：[U+20BB7][U+1F600][U+2610]',
    header: '左右',
    footer: '哈希第1页/共1页',
    across: '草稿',
  })
})

test('both weights of the font have the same letters, so a heading loses none either', () => {
  const coverage = (file: string) =>
    coverageOf(readFileSync(new URL(`../../../node_modules/@expo-google-fonts/noto-sans-sc/${file}.ttf`, import.meta.url)))
  const [normal, bold] = [coverage('400Regular/NotoSansSC_400Regular'), coverage('700Bold/NotoSansSC_700Bold')]
  const different: number[] = []
  for (let codePoint = 0; codePoint < 0x323b0; codePoint++) if (normal(codePoint) !== bold(codePoint)) different.push(codePoint)
  expect(different).toEqual([])
  const { readable, replaced } = readableBy(normal)
  expect([readable('a\n\u0007\ud800'), [...replaced]]).toEqual(['a\n[U+0007][U+D800]', ['[U+0007]', '[U+D800]']])
})

test('the headings of a table stand on each of its pages, and no row is torn', async () => {
  const rows = Array.from({ length: 80 }, (_, at) => [`行${at}首`, [`行${at}中`, `行${at}尾`]])
  const columns = [
    { label: '甲栏', width: 100 },
    { label: '乙栏', width: 'rest' as const },
    { label: '丙栏', width: 60 },
  ]
  const pages = await read(printOf([{ kind: 'table', title: '表', columns, rows: rows.map((row) => [...row, '']) }]))
  expect(pages.length).toBeGreaterThan(3)
  for (const { body } of pages) expect(body).toMatch(/^表甲栏乙栏丙栏行\d+首.*尾$/)
})

test('a table begins on the page that is under way, and goes on below its headings on the next', async () => {
  const text = '文'.repeat(1500)
  const rows = Array.from({ length: 8 }, (_, at) => [`行${at}首`, ['中', '中', '中', `行${at}尾`]])
  const columns = [
    { label: '甲栏', width: 100 },
    { label: '乙栏', width: 'rest' as const },
  ]
  const [first, second, ...others] = await read(printOf([paragraph(text), { kind: 'table', title: '表', columns, rows }]))
  expect(first?.body).toMatch(/文表甲栏乙栏行0首.*尾$/)
  expect(second?.body).toMatch(/^表甲栏乙栏行\d首.*行7尾$/)
  expect(others).toEqual([])
})

test('seals stand on a page with the record above them, or on one that says whose it is', async () => {
  const sealed = (count: number): Block[] => {
    const rows = Array.from({ length: count }, (_, at) => [`行${at}`, ['甲', '乙', '丙']])
    const columns = [
      { label: '项', width: 100 },
      { label: '事', width: 'rest' as const },
    ]
    const sides = [{ title: '甲方盖章', lines: ['签字'] }]
    return [
      paragraph('文'.repeat(1500)),
      { kind: 'signatures', above: [{ kind: 'table', title: '记录', columns, rows }], alone: '签署页', sides },
    ]
  }
  expect((await read(printOf(sealed(3)))).at(-1)?.body).toBe('记录项事行0甲乙丙行1甲乙丙行2甲乙丙甲方盖章签字')
  expect((await read(printOf(sealed(12)))).at(-1)?.body).toBe('签署页甲方盖章签字')
})

test('a print that cannot be drawn is refused, and the next one is drawn', async () => {
  // No QR code holds so much.
  const qr = { address: 'x'.repeat(5000), label: '' }
  await expect(makePdf('样张', printOf([{ kind: 'title', text: '', lines: [], qr }]))).rejects.toMatchObject({ code: 'pdf_failed' })
  expect((await read(printOf([paragraph('下一份')])))[0]?.body).toBe('下一份')
})

test('two are drawn at once and twenty wait; more are told to try again', async () => {
  const answers = await Promise.allSettled(Array.from({ length: 25 }, () => makePdf('样张', printOf([paragraph('一页')]))))
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(22)
  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ code: 'busy' })),
  )
})

test('nothing is lost that is higher than a page', async () => {
  // pdfmake would leave it out where it may not be broken.
  const high = (from: number, letter: string, length = 1200) => Array.from({ length }, (_, at) => `${letter}${from + at}`).join('')
  const columns = [
    { label: '项', width: 120 },
    { label: '前', width: 'rest' as const },
    { label: '后', width: 'rest' as const },
  ]
  const texts = {
    row: high(0, '行', 700),
    item: high(5000, '条'),
    paragraph: high(10_000, '段'),
    fact: high(15_000, '事'),
    side: high(20_000, '方', 700),
  }
  const blocks: Block[] = [
    { kind: 'table', title: '表', columns, rows: [['', texts.row, '']] },
    { kind: 'heading', text: '题' },
    { kind: 'items', items: [{ no: '1.', text: texts.item }] },
    paragraph(texts.paragraph),
    { kind: 'facts', rows: [{ label: '名', value: texts.fact }] },
    { kind: 'signatures', above: [], alone: '', sides: [{ title: texts.side, lines: ['签字'] }] },
  ]
  const body = (await read(printOf(blocks))).map((page) => page.body.replace(/^表项前后/, '')).join('')
  expect(Object.entries(texts).filter(([, text]) => !body.includes(text))).toEqual([])
})
