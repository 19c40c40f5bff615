import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../http/refusal.ts'
import { readSheet, type SheetRow } from './sheet.ts'
import type { Posted } from './thread.ts'

export type Given = { bytes: Uint8Array; most: number }

/** The thread that reads one workbook. */
function read({ bytes, most }: Given): Posted<SheetRow[]> {
  try {
    return { result: readSheet(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), most) }
  } catch (error) {
    if (error instanceof Refusal) return { refusal: error.code }
    throw error
  }
}

parentPort?.postMessage(read(workerData as Given), [])
