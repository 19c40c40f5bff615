import { readSheet, type SheetRow } from './sheet.ts'
import { answerInThread } from './thread.ts'

export type Given = { bytes: Uint8Array; most: number }

/** The thread that reads one workbook. */
answerInThread(({ bytes, most }: Given): SheetRow[] => readSheet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), most))
