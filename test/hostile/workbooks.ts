// Workbooks that would fill the memory or keep a processor busy if they were believed.
import { mutated, packedRepeat, zip, type Part } from './archives.ts'
import type { Hostile } from './corpus.ts'

const mb = 1024 * 1024
const text = (content: string): Buffer => Buffer.from(content)
const part = (name: string, content: string, more: Partial<Part> = {}): Part => ({ name, content: text(content), ...more })

const book = part('xl/workbook.xml', '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>')
const relations = (target = 'worksheets/sheet1.xml') =>
  part('xl/_rels/workbook.xml.rels', `<Relationships><Relationship Id="r1" Target="${target}"/></Relationships>`)
const sheetOf = (rows: string) => `<worksheet><sheetData>${rows}</sheetData></worksheet>`
const sheetPart = (rows: string, more: Partial<Part> = {}) => part('xl/worksheets/sheet1.xml', sheetOf(rows), more)
const cell = (place: string, value = 'a') => `<c${place && ` r="${place}"`} t="inlineStr"><is><t>${value}</t></is></c>`
const row = (rowNo: number | string, cells: string) => `<row r="${rowNo}">${cells}</row>`
/** The row by which the import knows its own template, so that all rows behind it are read. */
const heading = row(1, cell('A1', 'zhujitong-equipment:100:category') + cell('B1', 'brand'))
/** A machine behind it, so that nothing but a bound refuses what a file adds. */
const machine = row(3, cell('A3', 'loader') + cell('B3', 'brand'))
const filled = heading + machine

export const workbook = (rows: string, more: readonly Part[] = []): Buffer => zip([book, relations(), sheetPart(heading + rows), ...more])
const packedPart = (name: string, packed: Buffer, claimedSize?: number): Part => ({
  name,
  content: Buffer.alloc(0),
  packed,
  ...(claimedSize !== undefined && { claimedSize }),
})
const packedSheet = (packed: Buffer, claimedSize?: number) =>
  zip([book, relations(), packedPart('xl/worksheets/sheet1.xml', packed, claimedSize)])
const rawSheet = (xml: string | Buffer) => zip([book, relations(), { name: 'xl/worksheets/sheet1.xml', content: Buffer.from(xml) }])

function cases(family: string, variants: Record<string, () => Buffer>, heavy: readonly string[] = []): Hostile[] {
  return Object.entries(variants).map(([variant, content]) => ({
    name: `${family}: ${variant}`,
    kind: 'workbook',
    heavy: heavy.includes(variant),
    content,
  }))
}
const variantsOf = <T extends string | number>(values: readonly T[], content: (value: T) => Buffer) =>
  Object.fromEntries(values.map((value) => [String(value), () => content(value)]))

const sample = workbook(machine)

function places(): Hostile[] {
  return [
    ...cases(
      'row number',
      variantsOf([8_000_000, 1_048_577, 2_147_483_648, 9_007_199_254_740_992, -1, 0, 1.5, 'NaN', '1e9', 'Infinity'], (rowNo) =>
        workbook(machine + row(rowNo, cell(''))),
      ),
    ),
    ...cases(
      'cell',
      variantsOf(['XFE3', 'ZZZ3', 'AAAA3', 'ZZZZZZZZZZ3', '3', 'A', 'a3', 'A-1', 'A3:XFD3', 'XFD999999999'], (place) =>
        workbook(machine + row(4, cell(place))),
      ),
    ),
    ...cases(
      'last corner behind short rows',
      variantsOf([0, 1000, 2000, 10_000, 100_000], (rows) =>
        workbook(Array.from({ length: rows }, (_, at) => row(at + 3, cell(''))).join('') + row(1_048_576, cell('XFD1048576'))),
      ),
      ['100000'],
    ),
    ...cases(
      'rows in the wrong order',
      variantsOf([1, 2, 3], (rowNo) => workbook(machine + row(9, cell('A9')) + row(rowNo, cell('')))),
    ),
    ...cases(
      'cells in the wrong order',
      variantsOf(['A4', 'B4'], (place) => workbook(machine + row(4, cell('B4') + cell(place)))),
    ),
    ...cases(
      'cells without end',
      variantsOf([20_000, 310_000], (count) => workbook(machine + row(4, '<c/>'.repeat(count)))),
      ['310000'],
    ),
    ...cases(
      'rows without cells',
      variantsOf([100_000, 1_100_000], (count) => workbook('<row/>'.repeat(count))),
      ['1100000'],
    ),
  ]
}

function texts(): Hostile[] {
  const strings = (content: string) => part('xl/sharedStrings.xml', `<sst><si><t>${content}</t></si></sst>`)
  const long = (times: number, open: string, close: string) =>
    packedSheet(
      packedRepeat('a', times, {
        before: `<worksheet><sheetData>${filled}<row r="4"><c t="inlineStr"><is><t>${open}`,
        after: `${close}</t></is></c></row></sheetData></worksheet>`,
      }),
    )
  return [
    ...cases(
      'one text',
      {
        'longer than a cell': () => workbook(machine + row(4, cell('A4', 'a'.repeat(32_768)))),
        '24 MB': () => long(24, '', ''),
        '24 MB as CDATA': () => long(24, '<![CDATA[', ']]>'),
        '5 MB of entities': () => workbook(machine + row(4, cell('A4', '&amp;'.repeat(mb)))),
        '24 MB shared': () =>
          zip([
            book,
            relations(),
            sheetPart(filled),
            packedPart('xl/sharedStrings.xml', packedRepeat('a', 24, { before: '<sst><si><t>' })),
          ]),
        'of a million runs': () =>
          workbook('', [part('xl/sharedStrings.xml', `<sst><si>${'<r><t>a</t></r>'.repeat(1_000_000)}</si></sst>`)]),
      },
      ['of a million runs', '24 MB as CDATA'],
    ),
    ...cases('one shared text', {
      'in 200,000 cells': () =>
        workbook(Array.from({ length: 2000 }, (_, at) => row(at + 3, '<c t="s"><v>0</v></c>'.repeat(100))).join(''), [
          strings('b'.repeat(2000)),
        ]),
      'of no number': () => workbook(row(3, '<c t="s"><v>-1</v></c><c t="s"><v>1e99</v></c><c t="s"><v>__proto__</v></c>'), [strings('b')]),
    }),
    ...cases(
      'numbers and days',
      {
        'beyond all days': () =>
          workbook(row(3, '<c s="0"><v>1e300</v></c><c s="0"><v>-1e300</v></c><c s="0"><v>NaN</v></c><c t="d"><v>x</v></c>'), [
            part('xl/styles.xml', '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>'),
          ]),
        'a million styles': () =>
          workbook(row(3, cell('')), [
            part('xl/styles.xml', `<styleSheet><cellXfs>${'<xf numFmtId="1"/>'.repeat(1_000_000)}</cellXfs></styleSheet>`),
          ]),
        'a format of 60,000 brackets': () =>
          workbook(row(3, '<c s="0"><v>1</v></c>'), [
            part(
              'xl/styles.xml',
              `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
            ),
          ]),
      },
      ['a million styles'],
    ),
  ]
}

function bombs(): Hostile[] {
  const names = ['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/media/image1.png']
  const sizes = [26, 100, 300]
  return [
    ...sizes.flatMap((size) =>
      names.map((name): Hostile => ({
        name: `unpacked: ${size} MB in ${name}`,
        kind: 'workbook',
        heavy: name !== names[0] || size < 300,
        content: () =>
          zip([
            book,
            relations(),
            ...(name === names[0] ? [] : [sheetPart(heading)]),
            packedPart(name, packedRepeat(' ', size, { before: '<a>', after: '</a>' })),
          ]),
      })),
    ),
    ...cases(
      'claimed size',
      variantsOf([0, 1, 1000, 2_147_483_647, 4_294_967_295], (size) => packedSheet(packedRepeat(' ', 100, { before: '<a>' }), size)),
      ['1', '1000', '2147483647', '4294967295'],
    ),
    ...cases(
      'claimed size of a small part',
      variantsOf([0, 1_000_000_000, 4_294_967_295], (claimedSize) => zip([book, relations(), sheetPart(filled, { claimedSize })])),
    ),
    ...cases(
      'overlapping entries',
      variantsOf([1, 100, 190], (count) =>
        zip([
          book,
          relations(),
          sheetPart(filled),
          ...Array.from({ length: count }, (_, at) => part(`xl/media/${at}.xml`, '', { overlapping: true })),
        ]),
      ),
    ),
    ...cases(
      'entries',
      variantsOf([201, 5000, 65_000], (count) =>
        zip([book, relations(), sheetPart(filled), ...Array.from({ length: count }, (_, at) => part(String(at), ''))]),
      ),
      ['65000'],
    ),
    ...cases(
      'claimed entries',
      variantsOf([0, 9, 65_535], (count) => zip([book, relations(), sheetPart(filled)], { count })),
    ),
  ]
}

function markup(): Hostile[] {
  const laughs = Array.from({ length: 10 }, (_, at) => `<!ENTITY a${at + 1} "${`&a${at};`.repeat(10)}">`).join('')
  return cases(
    'XML',
    {
      'of five million levels': () => packedSheet(packedRepeat('<a>', 14)),
      'of closing tags': () => packedSheet(packedRepeat('</a>', 10)),
      'of open brackets': () => packedSheet(packedRepeat('<', 10)),
      'of ampersands': () => packedSheet(packedRepeat('&', 10, { before: '<a>' })),
      'of comments': () => packedSheet(packedRepeat('<!---->', 20, { before: '<a>' })),
      'with a comment of 20 MB': () => packedSheet(packedRepeat('-a', 20, { before: '<a><!--' })),
      'with an instruction of 20 MB': () => packedSheet(packedRepeat('a', 20, { before: '<?a ' })),
      'with a name of 20 MB': () => packedSheet(packedRepeat('a', 20, { before: '<' })),
      'with an attribute of 20 MB': () => packedSheet(packedRepeat('a', 20, { before: '<a b="' })),
      'with 300,000 attributes': () => rawSheet(`<a ${Array.from({ length: 300_000 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'with entities that grow': () => rawSheet(`<!DOCTYPE a [<!ENTITY a0 "ha">${laughs}]><a>&a10;</a>`),
      'with an entity of a file': () => rawSheet('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
      'with an entity of an address': () => rawSheet('<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>'),
      'that ends early': () => rawSheet(sheetOf(heading + row(3, cell('A3'))).slice(0, -20)),
      'with two roots': () => rawSheet(sheetOf(heading) + sheetOf(heading)),
      'of no UTF-8': () => rawSheet(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0xc0, 0x80])),
      'of UTF-16': () => rawSheet(Buffer.from(`\ufeff${sheetOf(heading)}`, 'utf16le')),
      'of zero bytes': () => rawSheet(Buffer.alloc(mb)),
      'of nothing': () => rawSheet(''),
      'with names of the prototype': () =>
        rawSheet(
          '<worksheet __proto__="1" constructor="2"><sheetData><row r="1" __proto__="3"><c t="__proto__"><v>1</v></c></row></sheetData></worksheet>',
        ),
    },
    ['of comments', 'with a comment of 20 MB'],
  )
}

function broken(): Hostile[] {
  return [
    ...cases(
      'cut',
      variantsOf([1, 4, 30, 100, 300, 500], (length) => sample.subarray(0, length)),
    ),
    ...cases(
      'cut at the front',
      variantsOf([1, 30, 100], (length) => sample.subarray(length)),
    ),
    ...cases('archive', {
      encrypted: () => zip([book, relations(), sheetPart(heading, { flags: 1 })]),
      'packed in an unknown way': () => zip([book, relations(), sheetPart(heading, { method: 99 })]),
      'with random content': () => zip([book, relations(), packedPart('xl/worksheets/sheet1.xml', mutated(Buffer.alloc(5000, 7), 11))]),
      'with a comment that is not there': () => zip([book, relations(), sheetPart(heading)], { comment: 60_000 }),
      'of ends only': () => Buffer.alloc(mb, Buffer.from('PK\u0005\u0006')),
      'of heads only': () => Buffer.alloc(mb, Buffer.from('PK\u0003\u0004')),
      'behind 5 MB': () => Buffer.concat([Buffer.alloc(5 * mb), sample]),
      'without a book': () => zip([relations(), sheetPart(heading)]),
      'without relations': () => zip([book, sheetPart(heading)]),
      'without a sheet': () => zip([book, relations()]),
      'of another place': () => zip([book, relations('../../../../etc/passwd'), sheetPart(heading)]),
      'of itself': () => zip([book, relations('workbook.xml'), sheetPart(heading)]),
      'with every part twice': () => zip([book, book, relations(), relations(), sheetPart(heading), sheetPart(heading)]),
    }),
    ...Array.from({ length: 24 }, (_, seed): Hostile => ({
      name: `changed bytes: ${seed}`,
      kind: 'workbook',
      heavy: seed >= 4,
      content: () => mutated(sample, seed),
    })),
  ]
}

export const hostileWorkbooks = (): Hostile[] => [
  ...cases('sound', { workbook: () => sample }),
  ...places(),
  ...texts(),
  ...bombs(),
  ...markup(),
  ...broken(),
]
