import type { Selectable } from 'kysely'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'

type Demand = Selectable<DB['demand']>
type Line = Selectable<DB['demandItem']>

/**
 * Columns that may change without touching a quote: who publishes and whom to call, the deadlines, the owner's own notes, the state of the
 * demand, and what follows from other columns. Every other column is a term, so lessors are asked to confirm when it changes; a new column
 * is one until it is named here.
 */
const besideTheTerms = [
  'id',
  'demandCode',
  'demandType',
  'title',
  'companyId',
  'deptId',
  'accountId',
  'projectName',
  'projectType',
  'contactName',
  'contactPhone',
  'quoteDeadline',
  'clarifyDeadline',
  'sealed',
  'urgent',
  'minQuotes',
  'budgetFen',
  'internalReason',
  'internalCheck',
  'showCeiling',
  'sourceId',
  'status',
  'statusReason',
  'revision',
  'version',
  'draft',
  'delFlag',
  'sealKey',
  'quoteCount',
  'fewToldAt',
  'notifiedCount',
  'publishTime',
  'openTime',
  'createTime',
  'updateTime',
  // These follow from the lines.
  'planStart',
  'planEnd',
  'lineCount',
  'searchText',
  'searchGrams',
] as const satisfies readonly (keyof Demand)[]

/** The same for a line: its place in the list, and what follows from its category and requirements. */
const besideTheLine = ['demandId', 'lineNo', 'fatherCategoryId', 'mainRule', 'mainValue'] as const satisfies readonly (keyof Line)[]

/** Gives the terms that quotes are made on as a text to compare; the order of lines, requirements and files does not count. */
export function quotedTerms({ demand, lines, fileIds }: { demand: Demand; lines: readonly Line[]; fileIds: readonly string[] }): string {
  return JSON.stringify([
    without(demand, besideTheTerms),
    lines
      .toSorted((a, b) => a.id - b.id)
      .map((line) => ({
        ...without(line, besideTheLine),
        specRequirements: line.specRequirements.map((one) => JSON.stringify(one)).toSorted(),
      })),
    fileIds.toSorted(),
  ])
}

export async function findQuotedTerms(db: Read, id: number): Promise<string> {
  const demand = await db.selectFrom('demand').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const lines = await db.selectFrom('demandItem').where('demandId', '=', id).selectAll().execute()
  const files = await db.selectFrom('demandAttachment').where('demandId', '=', id).select('fileId').execute()
  return quotedTerms({ demand, lines, fileIds: files.map(({ fileId }) => fileId) })
}

const without = (row: object, left: readonly string[]) => Object.fromEntries(Object.entries(row).filter(([name]) => !left.includes(name)))
