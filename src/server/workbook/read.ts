import { Refusal } from '../http/refusal.ts'
import { runInReader } from '../reader/reader.ts'
import { workbookLimits } from './limits.ts'
import type { Given } from './read-thread.ts'
import type { SheetRow } from './sheet.ts'

/** Reads the texts of the first sheet of a workbook. Throws a refusal for what cannot be read, and for more than `most` rows with text. */
export async function readWorkbook(content: Buffer, most: number): Promise<SheetRow[]> {
  if (content.length > workbookLimits.bytes) throw new Refusal('too_large')
  const data: Given = { bytes: new Uint8Array(content), most }
  return runInReader<SheetRow[]>({ kind: 'thread', program: new URL('read-thread.ts', import.meta.url).href, data })
}
