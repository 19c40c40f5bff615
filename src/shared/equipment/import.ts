import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, paging } from '../fields.ts'

/** Rows of one workbook, characters of a cell, bytes of all cells as stored, and workbooks of a company in 24 hours. */
export const importLimits = { rows: 2000, cellLength: 2000, storedBytes: 16 * 1024 * 1024, perDay: 50 } as const

/** Cells by column key, as text. */
const Cells = z.record(z.string().max(60), z.string().max(importLimits.cellLength))

const Row = z.object({
  /** As in the workbook. */
  rowNo: z.number(),
  cells: Cells,
  /** The machine that the row became. */
  equipmentId: z.number().nullable(),
  problems: z.array(z.object({ column: z.string(), message: z.string(), proposal: z.string().nullable() })),
})

export const Import = z.object({
  id: z.number(),
  fatherCategoryId: z.number(),
  fileName: z.string(),
  createTime: z.string(),
  undoTime: z.string().nullable(),
  columns: z.array(z.object({ key: z.string(), label: z.string(), choices: z.array(z.string()).nullable() })),
  rows: z.array(Row),
})
export type Import = z.output<typeof Import>

const params = z.object({ id: Id })

export const importTemplate = {
  method: 'GET',
  url: '/business/equipment/importTemplate',
  summary: 'A workbook to fill in for the machines of a first-level category, with drop-downs',
  access: 'equipment:edit',
  limit: 30,
  form: 'file',
  query: z.object({ fatherCategoryId: Id }),
  answer: z.null(),
} as const satisfies Endpoint

/** Reading a workbook takes long, so no transaction is open meanwhile. */
export const importData = {
  method: 'POST',
  url: '/business/equipment/importData',
  summary: 'Upload a filled-in template: nothing is made yet, every cell is checked',
  access: 'equipment:edit',
  limit: 60,
  transaction: 'own',
  form: 'data',
  upload: true,
  answer: z.object({ importId: z.number() }),
} as const satisfies Endpoint

export const listImports = {
  method: 'GET',
  url: '/business/equipment/import',
  summary: 'The company’s imports, the newest first',
  access: 'equipment:edit',
  form: 'list',
  query: z.object({ ...paging() }),
  answer: z.object({
    id: z.number(),
    fileName: z.string(),
    createTime: z.string(),
    undoTime: z.string().nullable(),
    rows: z.number(),
    added: z.number(),
  }),
} as const satisfies Endpoint

export const getImport = {
  method: 'GET',
  url: '/business/equipment/import/:id',
  summary: 'An import row by row, with what is wrong in which cell and what would be right',
  access: 'equipment:edit',
  limit: 120,
  form: 'data',
  params,
  answer: Import,
} as const satisfies Endpoint

/** Each of the next two takes a turn before its transaction begins, because who waits for it must hold no connection. */
export const repairImport = {
  method: 'PUT',
  url: '/business/equipment/import/:id/rows',
  summary: 'Change the named cells of rows that are not in yet, and check again',
  access: 'equipment:edit',
  limit: 60,
  transaction: 'own',
  form: 'data',
  params,
  body: z.object({ rows: z.array(z.object({ rowNo: z.number().int().positive(), cells: Cells })).max(importLimits.rows) }),
  answer: Import,
} as const satisfies Endpoint

export const acceptImport = {
  method: 'PUT',
  url: '/business/equipment/import/:id/accept',
  summary: 'Make drafts of the rows that are right and not in yet',
  access: 'equipment:edit',
  limit: 60,
  transaction: 'own',
  form: 'data',
  params,
  answer: z.object({ added: z.number() }),
} as const satisfies Endpoint

export const undoImport = {
  method: 'PUT',
  url: '/business/equipment/import/:id/undo',
  summary: 'Delete what the import made, as far as it is still a draft',
  access: 'equipment:edit',
  form: 'data',
  params,
  answer: z.object({ removed: z.number(), kept: z.number() }),
} as const satisfies Endpoint

export const importWorkbook = {
  method: 'GET',
  url: '/business/equipment/import/:id/workbook',
  summary: 'The rows that are wrong, as the same workbook with a column that says why and red cells',
  access: 'equipment:edit',
  limit: 30,
  form: 'file',
  params,
  answer: z.null(),
} as const satisfies Endpoint
