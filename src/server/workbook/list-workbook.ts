import type { Download } from '#shared/endpoint.ts'
import { runInReader } from '../reader/reader.ts'
import type { Given, ListCell } from './list-thread.ts'

/** A column of an exported list: its heading, its width in characters, and the value of a row. */
export type ListColumn<Row> = { label: string; width: number; format?: ListFormat; value: (row: Row) => ListCell }
type ListFormat = keyof typeof formats

const formats = { money: '#,##0.00', whole: '0' } as const

/** Writes the rows of a list as a workbook of one sheet, outside the server's process: 10,000 rows would hold up everybody for a second. */
export async function listWorkbook<Row>(title: string, columns: readonly ListColumn<Row>[], rows: readonly Row[]): Promise<Download> {
  const data: Given = {
    sheet: title,
    columns: columns.map(({ label, width, format }) => ({ label, width, ...(format && { format: formats[format] }) })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
  }
  return {
    name: `${title}.xlsx`,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: await runInReader<Uint8Array>({ kind: 'thread', program: new URL('list-thread.ts', import.meta.url).href, data }),
  }
}

/** An amount in fen as a cell shows it. */
export const yuanCell = (fen: number | null): ListCell => (fen === null ? null : fen / 100)
