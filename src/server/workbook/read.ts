import { Refusal } from '../http/refusal.ts'
import { workbookLimits } from './limits.ts'
import type { Given } from './read-thread.ts'
import type { SheetRow } from './sheet.ts'
import { runInThread } from './thread.ts'

/** Reads the texts of the first sheet of a workbook. Throws a refusal for what cannot be read, and for more than `most` rows with text. */
export async function readWorkbook(content: Buffer, most: number): Promise<SheetRow[]> {
  if (content.length > workbookLimits.bytes) throw new Refusal('too_large')
  return runInThread<SheetRow[]>(new URL('read-thread.ts', import.meta.url), { bytes: new Uint8Array(content), most } satisfies Given)
}
