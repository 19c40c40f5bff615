import type { Selectable } from 'kysely'
import { OwnTerms } from '#shared/demand/contract.ts'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'

type Demand = Selectable<DB['demand']>
type Line = Selectable<DB['demandItem']>

/**
 * Columns that may change without touching a quote: those that only the owner reads, the deadlines, the state of the demand, those that follow from
 * other columns, and what lessors read without quoting on it, such as title, project, urgency, kind, seal and the number of quotes that are wanted.
 * Every other column is a term, so lessors are asked to confirm when it changes; a new column that lessors read is one until it is named here.
 */
const besideTheTerms = [
  // The district is a part of the place, which is a term.
  ...OwnTerms.keyof().options.filter((name) => name !== 'districtId'),
  'id',
  'demandCode',
  'demandType',
  'title',
  'companyId',
  'accountId',
  'projectName',
  'projectType',
  'quoteDeadline',
  'clarifyDeadline',
  'sealed',
  'urgent',
  'minQuotes',
  'budgetFen',
  'sourceId',
  'status',
  'draft',
  'delFlag',
  'sealKey',
  'costAssumptions',
  'fewToldAt',
  'publishTime',
  'createTime',
  'updateTime',
  // These follow from the opening and the award.
  'awardedNetFen',
  'awardedOnCeiling',
  'awardedOnMean',
  'exceptions',
  // These follow from the lines.
  'planStart',
  'planEnd',
  'lineCount',
  'kinds',
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
        // Nobody quotes on a ceiling that lessors do not see.
        priceCeilingFen: demand.showCeiling ? line.priceCeilingFen : null,
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
