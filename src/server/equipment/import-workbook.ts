import type { Download } from '#shared/endpoint.ts'
import { importLimits } from '#shared/equipment/import.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { Refusal } from '../http/refusal.ts'
import { readWorkbook } from '../workbook/read.ts'
import { runInThread } from '../workbook/thread.ts'
import type { Cells } from './import-rows.ts'
import { headRows, mark, errorColumn, type Column, type Filled, type Given } from './import-sheets.ts'

/** As in the contract of `repairImport`. */
const longestCell = 2000

/** Writes the template of a group; with rows, the same workbook with a column that names the errors of each. 2,000 rows take seconds, in a thread. */
export async function writeImportWorkbook(
  group: { id: number; name: string },
  { columns, rows, text }: { columns: readonly Column[]; rows: readonly Filled[] | null; text: Text },
): Promise<Download> {
  const { errors, sheet, title } = text.equipment.imports
  const given = { group: group.id, columns, rows, words: { errors, sheet } } satisfies Given
  return {
    name: `${title}-${group.name}.xlsx`,
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: await runInThread<Uint8Array>(new URL('import-thread.ts', import.meta.url), given),
  }
}

/** Reads the filled-in rows of a template. */
export async function readImportWorkbook(content: Buffer): Promise<{ group: number; rows: { rowNo: number; cells: Cells }[] }> {
  const [head, ...others] = await readWorkbook(content, headRows + importLimits.rows)
  const keys = new Map(head?.rowNo === 1 ? head.cells : [])
  const [name, group, first] = (keys.get(0) ?? '').split(':')
  if (name !== mark || !group || !first) throw new Refusal('import_template')
  keys.set(0, first)
  const rows = others.flatMap(({ rowNo, cells }) => {
    if (rowNo <= headRows) return []
    const known = cells.flatMap(([column, text]) => {
      const key = keys.get(column)?.trim() ?? ''
      const value = text.trim().slice(0, longestCell)
      return key === '' || key === errorColumn || value === '' ? [] : [[key, value]]
    })
    return known.length > 0 ? [{ rowNo, cells: Object.fromEntries(known) as Cells }] : []
  })
  if (rows.length === 0) throw new Refusal('import_empty')
  return { group: Number(group), rows }
}
