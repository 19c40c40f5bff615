import type { Download, Rows } from '#shared/endpoint.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { runInReader } from '../reader/reader.ts'
import type { GivenSheet, ListCell } from './list-thread.ts'
import { serialOf } from './styles.ts'

/**
 * A column of an exported list: its heading, its width in characters, and the value of a row. The value of a `day` is written 2026-11-23 and that
 * of a `moment` 2026-11-23 10:00:00, as on the wire.
 */
type ListColumn<Row> = { label: string; width: number; format?: ListFormat; value: (row: Row) => ListCell }
type ListFormat = keyof typeof formats

export const formats = { money: '#,##0.00', whole: '0', percent: '0.0%', day: 'yyyy-mm-dd', moment: 'yyyy-mm-dd hh:mm' } as const

type List<Row> = { title: string; text: Text; columns: readonly ListColumn<Row>[]; list: Rows<Row> }

/** Writes the rows of a list as a workbook of one sheet. Where the list has more rows than are given, the last row says so. */
export async function listWorkbook<Row>({ title, text, columns, list }: List<Row>): Promise<Download> {
  const sheet: GivenSheet = {
    sheet: title,
    columns: columns.map(({ label, width, format }) => ({ label, width, ...(format && { format: formats[format] }) })),
    rows: list.rows.map((row) => columns.map(({ value, format }) => cellOf(value(row), format))),
    note: cutNote(list, text),
  }
  return writeWorkbook(`${title}.xlsx`, [sheet])
}

/** The last row of a sheet whose list has more rows than it holds. */
export const cutNote = ({ rows, total }: Rows<unknown>, text: Text): string =>
  total > rows.length ? text.list.exportCut(rows.length, total) : ''

/** Writes a workbook outside the server's process: 10,000 rows would hold up everybody for a second. */
export async function writeWorkbook(name: string, data: readonly GivenSheet[]): Promise<Download> {
  return {
    name,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: await runInReader<Uint8Array>({ kind: 'thread', program: new URL('list-thread.ts', import.meta.url).href, data, stays: true }),
  }
}

/** Days and moments are numbers that the format of their cell shows as such, so a spreadsheet sorts and filters them. */
function cellOf(value: ListCell, format: ListFormat | undefined): ListCell {
  if (typeof value !== 'string' || value === '') return value
  return format === 'day' || format === 'moment' ? serialOf(format === 'day' ? value.slice(0, 10) : value) : value
}

/** An amount in fen as a cell shows it. */
export const yuanCell = (fen: number | null): number | null => (fen === null ? null : fen / 100)
