import { reportGroups, reportRowLimit, type ReportGroup } from '#shared/statistics/report.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import type { GivenSheet } from '../workbook/list-thread.ts'
import { formats, yuanCell } from '../workbook/list-workbook.ts'
import { findFigures, findGroups, listRows, type Figures, type Group, type Period } from './report.ts'

type Row = Awaited<ReturnType<typeof listRows>>['rows'][number]

/** The figures, every breakdown and the demands, each as a sheet of its own. */
export async function findReportSheets(db: Read, actor: Actor, period: Period, text: Text): Promise<GivenSheet[]> {
  const sheets = [overviewSheet(await findFigures(db, actor, period), period, text)]
  for (const by of reportGroups) sheets.push(groupSheet(await findGroups(db, actor, period, by), by, text))
  const { rows } = await listRows(db, actor, { ...period, figure: 'demands', pageNum: 1, pageSize: reportRowLimit })
  return [...sheets, rowsSheet(rows, text)]
}

const { money, percent } = formats
const formatted = (value: number | null, format: string) => (value === null ? null : { value, format })

function overviewSheet(figures: Figures, period: Period, { statistics: words }: Text): GivenSheet {
  return {
    sheet: words.overview,
    columns: [{ width: 28 }, { width: 24 }],
    rows: [
      [words.period, `${period.from} – ${period.to}`],
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
    ],
  }
}

function groupSheet(groups: readonly Group[], by: ReportGroup, { statistics: words, locale }: Text): GivenSheet {
  const { demands, awarded, machines, quotes, rent, net, savedOnMean } = words.figures
  return {
    sheet: words.by[by],
    columns: [
      { label: words.by[by], width: 28 },
      ...[demands, awarded, machines, quotes].map((label) => ({ label, width: 14 })),
      ...[rent, net].map((label) => ({ label, width: 14, format: money })),
      { label: savedOnMean, width: 14, format: percent },
    ],
    rows: groups.map((group) => [
      locale === 'zh-CN' ? group.name : group.nameEn,
      group.demands,
      group.awarded,
      group.machines,
      group.quotes,
      yuanCell(group.rent),
      yuanCell(group.net),
      group.savedOnMean,
    ]),
  }
}

function rowsSheet(rows: readonly Row[], { statistics: words, demand, site }: Text): GivenSheet {
  return {
    sheet: words.rows,
    columns: [
      { label: demand.code, width: 18 },
      { label: demand.form.titleField, width: 40 },
      { label: demand.project, width: 24 },
      { label: site.common.status, width: 12 },
      { label: demand.publishedAt, width: 20 },
      { label: demand.quoteCount, width: 12 },
      { label: words.figures.rent, width: 16, format: money },
      { label: words.figures.net, width: 16, format: money },
    ],
    rows: rows.map((row) => [
      row.demandCode,
      row.title,
      row.projectName,
      demand.status[row.status],
      row.publishTime,
      row.quoteCount,
      yuanCell(row.rent),
      yuanCell(row.net),
    ]),
  }
}
