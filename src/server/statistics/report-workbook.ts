import { sql } from 'kysely'
import { isWithoutWinner } from '#shared/demand/rules.ts'
import { mostGroups, reportGroups, reportRowLimit, type ReportGroup } from '#shared/statistics/report.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { nameIn } from '#shared/text/name-in.ts'
import type { Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import type { GivenSheet } from '../workbook/list-thread.ts'
import { cutNote, formats, yuanCell } from '../workbook/list-workbook.ts'
import { serialOf } from '../workbook/styles.ts'
import { findFigures, findGroups, listRows, type Figures, type Group, type ReportQuery } from './report.ts'

type Listed = Pick<Awaited<ReturnType<typeof listRows>>, 'rows' | 'total'>

/** The figures, every breakdown and the demands, each as a sheet of its own. */
export async function findReportSheets(db: Read, actor: Actor, period: ReportQuery, text: Text): Promise<GivenSheet[]> {
  const figures = await findFigures(db, actor, period)
  const sheets = [overviewSheet(figures, { ...period, unit: await findUnitName(db, actor, period) }, text)]
  for (const by of reportGroups) sheets.push(groupSheet(await findGroups(db, actor, period, by), by, text))
  const list = await listRows(db, actor, { ...period, figure: 'demands', pageNum: 1, pageSize: reportRowLimit, exact: true })
  return [...sheets, rowsSheet(list, text)]
}

/** The unit whose demands the report has with those of all units below it; null where it has those of every company. */
async function findUnitName(db: Read, actor: Actor, { deptId }: ReportQuery): Promise<string | null> {
  if (actor.role === 'operator' && !deptId) return null
  const unit = await db
    .selectFrom('dept')
    .where(inScope('dept.id', actor))
    .where(deptId ? sql<boolean>`id = ${deptId}` : sql<boolean>`true`)
    .orderBy(sql`cardinality(ancestors)`)
    .orderBy('id')
    .limit(1)
    .select('deptName')
    .executeTakeFirst()
  return unit?.deptName ?? null
}

const { money, moment, percent } = formats
const formatted = (value: number | null, format: string) => (value === null ? null : { value, format })

function overviewSheet(
  figures: Figures,
  { from, to, unit }: ReportQuery & { unit: string | null },
  { statistics: words }: Text,
): GivenSheet {
  return {
    sheet: words.overview,
    columns: [{ width: 28 }, { width: 24 }],
    rows: [
      ...(unit === null ? [] : [[words.charts.label.unit, words.drilled(unit)]]),
      [words.period, `${from} – ${to}`],
      ...(
        [
          'demands',
          'lines',
          'awarded',
          'failed',
          'cancelled',
          'quotesPerDemand',
          'daysToOpen',
          'daysToAward',
          'machines',
          'quotes',
        ] as const
      ).map((name) => [words.figures[name], figures[name]]),
      ...(['rent', 'net'] as const).map((name) => [words.figures[name], formatted(yuanCell(figures[name]), money)]),
      ...(['savedOnCeiling', 'savedOnMean'] as const).map((name) => [words.figures[name], formatted(figures[name], percent)]),
      [words.basis],
    ],
  }
}

/** Of a category no quotes are counted, because a quote answers the whole demand. */
export function groupSheet(groups: readonly Group[], by: ReportGroup, { statistics: words, locale }: Text): GivenSheet {
  const { demands, awarded, machines, quotes, rent, net, savedOnMean } = words.figures
  return {
    sheet: words.by[by],
    columns: [
      { label: words.by[by], width: 28 },
      ...[demands, awarded, machines, ...(by === 'category' ? [] : [quotes])].map((label) => ({ label, width: 14 })),
      ...[rent, net].map((label) => ({ label, width: 14, format: money })),
      { label: savedOnMean, width: 14, format: percent },
    ],
    rows: groups.map((group) => [
      nameIn({ locale }, group.name, group.nameEn),
      group.demands,
      group.awarded,
      group.machines,
      ...(by === 'category' ? [] : [group.quotes]),
      yuanCell(group.rent),
      yuanCell(group.net),
      group.savedOnMean,
    ]),
    note: groups.length < mostGroups[by] ? '' : words.groupsCut(mostGroups[by]),
  }
}

export function rowsSheet(list: Listed, text: Text): GivenSheet {
  const { statistics: words, demand, site } = text
  return {
    sheet: words.rows,
    columns: [
      { label: demand.code, width: 18 },
      { label: demand.form.titleField, width: 40 },
      { label: demand.project, width: 24 },
      { label: site.common.status, width: 12 },
      { label: demand.publishedAt, width: 20, format: moment },
      { label: demand.quoteCount, width: 12 },
      { label: words.figures.rent, width: 16, format: money },
      { label: words.figures.net, width: 16, format: money },
      { label: words.figures.savedOnMean, width: 14, format: percent },
    ],
    rows: list.rows.map((row) => [
      row.demandCode,
      row.title,
      row.projectName,
      isWithoutWinner(row.status, row.net !== null) ? demand.noWinner : demand.status[row.status],
      row.publishTime && serialOf(row.publishTime),
      row.quoteCount,
      yuanCell(row.rent),
      yuanCell(row.net),
      row.savedOnMean,
    ]),
    note: cutNote(list, text),
  }
}
