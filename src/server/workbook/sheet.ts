import { Refusal } from '../http/refusal.ts'
import { ArchiveRefused, listEntries, type Entry } from './archive.ts'
import { workbookLimits } from './limits.ts'
import { dayOfSerial, styleReader } from './styles.ts'
import { localName, readXml, type Attributes, type Unpacking, type XmlReader } from './xml.ts'

/** A row that has text: its number, counted from 1, and its cells by column, counted from 0. */
export type SheetRow = { rowNo: number; cells: [column: number, text: string][] }

type Context = { strings: readonly string[]; isDay: (style: number) => boolean; from1904: boolean; most: number; text: { left: number } }

/**
 * Reads the texts of the first sheet. Rows and cells without text take no memory, so a cell in the last corner costs as much as any other.
 * Throws a refusal for what is no workbook, is beyond a bound of `workbookLimits`, or has more than `most` rows with text.
 */
export function readSheet(archive: Buffer, most: number): SheetRow[] {
  try {
    return readParts({ archive, left: workbookLimits.unpackedBytes }, most)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal(error instanceof ArchiveRefused && error.message === 'too many entries' ? 'import_bounds' : 'import_template')
  }
}

function readParts(unpacking: Unpacking, most: number): SheetRow[] {
  const entries = new Map(listEntries(unpacking.archive, workbookLimits.entries).map((entry) => [entry.name, entry]))
  const read = <R extends XmlReader>(entry: Entry | undefined, reader: R): R => {
    if (entry) readXml(unpacking, entry, reader)
    return reader
  }
  const book = read(entryOf(entries, 'workbook.xml'), bookReader())
  const { targets } = read(entryOf(entries, '_rels/workbook.xml.rels'), relationReader())
  const sheet = entryOf(entries, targets.get(book.firstSheet()) ?? '')
  if (!sheet) throw new Refusal('import_template')
  const text = { left: workbookLimits.text }
  const { strings } = read(entryOf(entries, 'sharedStrings.xml'), stringReader(text))
  const { isDay } = read(entryOf(entries, 'styles.xml'), styleReader())
  return read(sheet, rowReader({ strings, isDay, from1904: book.from1904(), most, text })).rows
}

/** A part by its path within the folder of the workbook, or by its path from the root with a slash in front. */
const entryOf = (entries: ReadonlyMap<string, Entry>, path: string) => entries.get(path.startsWith('/') ? path.slice(1) : `xl/${path}`)

function bookReader() {
  let first = ''
  let from1904 = false
  return {
    open(name: string, attributes: Attributes) {
      if (name === 'sheet' && first === '')
        first = Object.entries(attributes).find(([key]) => key.includes(':') && localName(key) === 'id')?.[1] ?? ''
      if (name === 'workbookPr') from1904 = attributes.date1904 === '1' || attributes.date1904 === 'true'
    },
    firstSheet: () => first,
    from1904: () => from1904,
  }
}

function relationReader() {
  const targets = new Map<string, string>()
  return {
    targets,
    open(name: string, { Id = '', Target = '' }: Attributes) {
      if (name === 'Relationship') targets.set(Id, Target)
    },
  }
}

/** Collects the text of `t` elements up to the length that a cell may have; pronunciations (`rPh`) are no part of it. */
function textCollector(left: { left: number }) {
  let collected = ''
  let inText = false
  let spoken = 0
  return {
    open(name: string) {
      if (name === 'rPh') spoken++
      else if (name === 't' || name === 'v') inText = spoken === 0
    },
    close(name: string) {
      if (name === 'rPh') spoken--
      else if (name === 't' || name === 'v') inText = false
    },
    text(text: string) {
      if (!inText) return
      left.left -= text.length
      if (left.left < 0 || collected.length + text.length > workbookLimits.cellText) throw new Refusal('import_bounds')
      collected += text
    },
    take() {
      const text = collected
      collected = ''
      return text
    },
  }
}

/** Signs that XML does not allow stand as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
const unescaped = (text: string) =>
  text.includes('_x') ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : text

function stringReader(left: { left: number }) {
  const strings: string[] = []
  const collector = textCollector(left)
  return {
    strings,
    open: collector.open,
    text: collector.text,
    close(name: string) {
      collector.close(name)
      if (name === 'si') strings.push(unescaped(collector.take()))
    },
  }
}

function rowReader(context: Context) {
  const rows: SheetRow[] = []
  const collector = textCollector(context.text)
  let row: SheetRow = { rowNo: 0, cells: [] }
  let column = -1
  let cell: Attributes = {}
  let cells = 0
  let inData = false
  return {
    rows,
    text: collector.text,
    open(name: string, attributes: Attributes) {
      if (name === 'sheetData') inData = true
      else if (!inData) return
      else if (name === 'row') {
        row = { rowNo: rowAfter(row.rowNo, attributes.r), cells: [] }
        column = -1
      } else if (name === 'c') {
        cells++
        if (cells > workbookLimits.cells) throw new Refusal('import_bounds')
        column = columnAfter(column, attributes.r)
        cell = attributes
      } else collector.open(name)
    },
    close(name: string) {
      collector.close(name)
      if (name === 'sheetData') inData = false
      else if (!inData) return
      else if (name === 'c') {
        const text = valueOf(cell, collector.take(), context)
        if (text !== '') row.cells.push([column, text])
      } else if (name === 'row' && row.cells.length > 0) {
        if (rows.length >= context.most) throw new Refusal('import_rows')
        rows.push(row)
      }
    },
  }
}

/** The number of a row, or that of the next where it has none. Rows stand in their order. */
function rowAfter(before: number, stated: string | undefined): number {
  const rowNo = stated === undefined ? before + 1 : Number(stated)
  if (!Number.isInteger(rowNo) || rowNo <= before || rowNo > workbookLimits.rowNo) throw new Refusal('import_bounds')
  return rowNo
}

/** The index of the column of a cell such as AB12, or of the next where it has no name. Cells stand in their order. */
function columnAfter(before: number, stated: string | undefined): number {
  let column = before + 1
  if (stated !== undefined) {
    const [, letters = ''] = /^([A-Z]{1,3})\d{1,7}$/.exec(stated) ?? []
    column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  }
  if (column <= before || column >= workbookLimits.columns) throw new Refusal('import_bounds')
  return column
}

/** The text of a cell as a person sees it, by the type and the style that it states (ECMA-376 part 1, 18.18.11). */
function valueOf({ t: type = 'n', s: style }: Attributes, raw: string, { strings, isDay, from1904, text }: Context): string {
  if (raw === '') return ''
  if (type === 's') {
    const shared = strings[Number(raw)] ?? ''
    // A text that stands once may be shown by every cell.
    text.left -= shared.length
    if (text.left < 0) throw new Refusal('import_bounds')
    return shared
  }
  if (type === 'b') return String(raw === '1')
  if (type === 'n') {
    const value = Number(raw)
    if (!Number.isFinite(value)) return raw
    return style !== undefined && isDay(Number(style)) ? dayOfSerial(value, from1904) : numberText(value)
  }
  return type === 'd' ? raw.slice(0, 10) : unescaped(raw)
}

/**
 * A number as spreadsheet programs show it. The result of a formula is stored with 17 digits and shown with 15: 18000 * 1.13 is 20340, though
 * 20339.999999999996 is stored. A whole number keeps all its digits, because it may be a long factory number.
 */
const numberText = (value: number) => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))
