import type { Download } from '#shared/endpoint.ts'
import { importLimits } from '#shared/equipment/import.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { Refusal } from '../http/refusal.ts'
import { runInReader } from '../reader/reader.ts'
import { readWorkbook } from '../workbook/read.ts'
import type { SheetRow } from '../workbook/sheet.ts'
import type { Cells } from './import-rows.ts'
import { headRows, mark, errorColumn, type Column, type Filled, type Given } from './import-sheets.ts'

/** Writes the template of a group; with rows, the same workbook with a column that names the errors of each. 2,000 rows take a second, outside the server. */
export async function writeImportWorkbook(
  group: { id: number; name: string },
  { columns, rows, text }: { columns: readonly Column[]; rows: readonly Filled[] | null; text: Text },
): Promise<Download> {
  const { errors, sheet, title } = text.equipment.imports
  const data: Given = { group: group.id, columns, rows, words: { errors, sheet } }
  return {
    name: `${title}-${group.name}.xlsx`,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: await runInReader<Uint8Array>({
      kind: 'thread',
      program: new URL('import-thread.ts', import.meta.url).href,
      data,
      stays: true,
    }),
  }
}

/** Reads the filled-in rows of a template. */
export const readImportWorkbook = async (content: Buffer) => importRowsOf(await readWorkbook(content, mostSheetRows))

export const mostSheetRows = headRows + importLimits.rows

/** The filled-in rows of a template among those of its sheet. Throws the refusal of what is another workbook or has none. */
export function importRowsOf([head, ...others]: readonly SheetRow[]): { group: number; rows: { rowNo: number; cells: Cells }[] } {
  const keys = new Map(head?.rowNo === 1 ? head.cells : [])
  const [name, group, first] = (keys.get(0) ?? '').split(':')
  if (name !== mark || !group || !first) throw new Refusal('import_template')
  keys.set(0, first)
  const rows = others.flatMap(({ rowNo, cells }) => {
    if (rowNo <= headRows) return []
    const known = cells.flatMap(([column, text]) => {
      const key = keys.get(column)?.trim() ?? ''
      const value = text.trim().slice(0, importLimits.cellLength)
      return key === '' || key === errorColumn || value === '' ? [] : [[key, value]]
    })
    return known.length > 0 ? [{ rowNo, cells: Object.fromEntries(known) as Cells }] : []
  })
  if (rows.length === 0) throw new Refusal('import_empty')
  return { group: Number(group), rows }
}
