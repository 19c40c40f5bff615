import { parentPort, workerData } from 'node:worker_threads'
import type { Posted } from '../workbook/thread.ts'
import { writeImportSheets, type Given } from './import-sheets.ts'

/** The thread that writes one workbook of an import. */
const written: Posted<Uint8Array> = { result: await writeImportSheets(workerData as Given) }
parentPort?.postMessage(written, [])
