import fc from 'fast-check'
import readSheets from 'read-excel-file/node'
import writeXlsxFile from 'write-excel-file/node'
import { expect, test } from 'vitest'
import { zip } from '#test/hostile/archives.ts'
import { Refusal } from '../http/refusal.ts'
import { workbookLimits } from './limits.ts'
import { readWorkbook } from './read.ts'
import { readSheet } from './sheet.ts'
import { showsDay } from './styles.ts'

const book = (rows: string, more: Record<string, string> = {}) =>
  zip(
    Object.entries({
      'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
      ...more,
    }).map(([name, content]) => ({ name, content: Buffer.from(content) })),
  )

type Value = string | number | boolean | Date | null
const textOf = (value: unknown) => {
  if (value === null) return ''
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  // The other reader gives the 17 digits that are stored.
  return String(typeof value === 'number' ? Number(value.toPrecision(15)) : (value as string | boolean))
}

/** The rows as another reader sees them. */
async function readElsewhere(content: Buffer) {
  const [sheet] = await readSheets(content)
  return ((sheet?.data ?? []) as unknown[][]).flatMap((row, at) => {
    const cells = row.flatMap((value, column) => (textOf(value) === '' ? [] : [[column, textOf(value)]]))
    return cells.length > 0 ? [{ rowNo: at + 1, cells }] : []
  })
}

test('texts, numbers, days and yes or no are read as another reader reads them', async () => {
  const day = fc.integer({ min: 1, max: 40_000 }).map((days) => new Date(Date.UTC(1970, 0, days)))
  const line = fc
    .string({ unit: fc.constantFrom(...'aZ0 &<>"\'中，_x'), minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() === text)
  const value = fc.oneof<fc.Arbitrary<Value>[]>(
    line,
    fc.integer(),
    fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    fc.boolean(),
    day,
    fc.constant(null),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(value, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 8 }), async (rows) => {
      const content = await writeXlsxFile([
        {
          sheet: 'a',
          data: rows.map((row) =>
            row.map((one) =>
              one === null ? null : one instanceof Date ? { value: one, type: Date, format: 'yyyy/mm/dd' } : { value: one },
            ),
          ),
        },
      ]).toBuffer()
      expect(readSheet(content, 100)).toEqual(await readElsewhere(content))
    }),
    { numRuns: 30 },
  )
})

test('runs of formatted text, pronunciations, escaped signs, days from 1904 and cells without a name', () => {
  const shared = '<sst><si><r><t>Li</t></r><r><t>u</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si><si><t>a_x000D_b_x005F_</t></si></sst>'
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;y&quot;;@"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs></styleSheet>'
  const rows =
    '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c/><c s="1"><v>0.5</v></c><c s="0"><v>1e3</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>1</f><v>x</v></c></row>'
  const from1904 = '<x:workbook xmlns:x="x" xmlns:r="r"><x:workbookPr date1904="1"/><x:sheets><x:sheet r:id="r1"/></x:sheets></x:workbook>'
  expect(readSheet(book(rows, { 'xl/sharedStrings.xml': shared, 'xl/styles.xml': styles, 'xl/workbook.xml': from1904 }), 9)).toEqual([
    {
      rowNo: 1,
      cells: [
        [0, 'Liu'],
        [1, 'a\rb_'],
        [3, '1904-01-01'],
        [4, '1000'],
        [5, 'true'],
        [6, '#N/A'],
        [7, 'x'],
      ],
    },
  ])
})

test('the result of a formula is read as it is shown, and a long number keeps its digits', () => {
  const stored = ['20339.999999999996', '0.30000000000000004', '-21.299999999999997', '20340.05', '1234567890123456', '1E-3']
  expect(
    readSheet(book(`<row>${stored.map((value) => `<c><v>${value}</v></c>`).join('')}</row>`), 1)[0]?.cells.map(([, text]) => text),
  ).toEqual(['20340', '0.3', '-21.3', '20340.05', '1234567890123456', '0.001'])
})

test.each([
  ['General', false],
  ['0.00', false],
  ['#,##0" days"', false],
  ['[Red]0.0', false],
  ['0\\d', false],
  ['@', false],
  ['yyyy-mm-dd', true],
  ['[$-804]yyyy"年"m"月"d"日";@', true],
  ['[h]:mm', true],
])('the format %s shows a day: %s', (code, expected) => expect(showsDay(code)).toBe(expected))

const refusal = (code: string) => expect.objectContaining({ code })

test('a row too many, a cell too many and a text too long are refused, and what is just within the bounds is read', () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = (count: number) => book(`<row>${cell('a')}</row>`.repeat(count))
  expect(readSheet(rows(3), 3)).toHaveLength(3)
  expect(() => readSheet(rows(4), 3)).toThrow(refusal('import_rows'))
  expect(readSheet(book(`<row>${cell('a'.repeat(workbookLimits.cellText))}</row>`), 1)).toHaveLength(1)
  expect(() => readSheet(book(`<row>${cell('a'.repeat(workbookLimits.cellText + 1))}</row>`), 1)).toThrow(refusal('import_bounds'))
  const last = `<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`
  expect(readSheet(book(last), 1)).toEqual([{ rowNo: 1_048_576, cells: [[16_383, '1']] }])
  for (const beyond of ['<row r="1048577"/>', '<row><c r="XFE1"/></row>', '<row r="2"/><row r="2"/>', '<row><c r="B1"/><c r="A1"/></row>'])
    expect(() => readSheet(book(beyond), 1)).toThrow(refusal('import_bounds'))
})

test('too much of anything else is refused as well: entries, unpacked bytes, cells, text that is shown often, levels, attributes, document types', () => {
  const workbook = '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>'
  const many = Object.fromEntries(Array.from({ length: workbookLimits.entries }, (_, n) => [`xl/media/${n}`, '']))
  const shared = `<sst><si><t>${'a'.repeat(workbookLimits.cellText)}</t></si></sst>`
  const shownTooOften = Math.ceil(workbookLimits.text / workbookLimits.cellText)
  const beyond: Record<string, Buffer> = {
    entries: book('', many),
    'unpacked bytes': book(`<row/>${' '.repeat(workbookLimits.unpackedBytes)}`),
    cells: book(`<row>${'<c/>'.repeat(10_000)}</row>`.repeat(workbookLimits.cells / 10_000) + '<row><c/></row>'),
    text: book(`<row>${'<c t="s"><v>0</v></c>'.repeat(shownTooOften)}</row>`, { 'xl/sharedStrings.xml': shared }),
    levels: book('<row>' + '<a>'.repeat(workbookLimits.depth)),
    attributes: book(`<row ${Array.from({ length: workbookLimits.attributes + 1 }, (_, n) => `a${n}="1"`).join(' ')}/>`),
  }
  for (const [what, content] of Object.entries(beyond)) expect(() => readSheet(content, 1), what).toThrow(refusal('import_bounds'))
  const withEntities = book('', { 'xl/workbook.xml': `<!DOCTYPE workbook [<!ENTITY a "a">]>${workbook}` })
  expect(() => readSheet(withEntities, 1)).toThrow(refusal('import_template'))
})

test('whatever is handed in, reading it ends with rows or a refusal', async () => {
  const sample = book('<row r="1"><c r="A1"><v>1</v></c></row>')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat({ max: sample.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 8 }), (changes) => {
      const content = Buffer.from(sample)
      for (const [at, byte] of changes) content[at] = byte
      try {
        expect(readSheet(content, 10).length).toBeLessThanOrEqual(1)
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }),
    { numRuns: 500 },
  )
  await expect(readWorkbook(Buffer.alloc(workbookLimits.bytes + 1), 1)).rejects.toEqual(refusal('too_large'))
})
