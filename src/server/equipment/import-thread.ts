import { answerInThread } from '../workbook/thread.ts'
import { writeImportSheets } from './import-sheets.ts'

/** The thread that writes the workbooks of imports. */
answerInThread(writeImportSheets)
