import writeXlsxFile, { type Cell } from 'write-excel-file/node'
import type { Download } from '#shared/endpoint.ts'
import { reportGroups, reportRowLimit, type ReportGroup } from '#shared/statistics/report.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'
import { findFigures, findGroups, listRows, type Figures, type Group, type Period } from './report.ts'

type Sheet = { sheet: string; data: Cell[][]; columns: { width: number }[] }
type Row = Awaited<ReturnType<typeof listRows>>['rows'][number]

/** The figures, every breakdown and the demands, each on a sheet of its own. */
export async function reportWorkbook(db: Read, actor: Actor, period: Period, text: Text): Promise<Download> {
  const sheets = [overviewSheet(await findFigures(db, actor, period), period, text)]
  for (const by of reportGroups) sheets.push(groupSheet(await findGroups(db, actor, period, by), by, text))
  const { rows } = await listRows(db, actor, { ...period, figure: 'demands', pageNum: 1, pageSize: reportRowLimit })
  sheets.push(rowsSheet(rows, text))
  return {
    name: text.statistics.file(period.from, period.to),
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: await writeXlsxFile(sheets).toBuffer(),
  }
}

const label = (value: string | null): Cell => ({ type: String, value: value ?? '' })
const count = (value: number | null): Cell => (value === null ? null : { type: Number, value })
const money = (fen: number | null): Cell => (fen === null ? null : { type: Number, value: fen / 100, format: '#,##0.00' })
const percent = (value: number | null): Cell => (value === null ? null : { type: Number, value, format: '0.0%' })
const header = (names: readonly string[]) =>
  names.map((value): Cell => ({ type: String, value, fontWeight: 'bold', backgroundColor: '#e8eef9' }))

function overviewSheet(figures: Figures, period: Period, { statistics: words }: Text): Sheet {
  return {
    sheet: words.overview,
    data: [
      [label(words.period), label(`${period.from} – ${period.to}`)],
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
      ).map((name) => [label(words.figures[name]), count(figures[name])]),
      ...(['rent', 'net'] as const).map((name) => [label(words.figures[name]), money(figures[name])]),
      ...(['savedOnCeiling', 'savedOnMean'] as const).map((name) => [label(words.figures[name]), percent(figures[name])]),
    ],
    columns: [{ width: 28 }, { width: 24 }],
  }
}

function groupSheet(groups: readonly Group[], by: ReportGroup, { statistics: words, locale }: Text): Sheet {
  const { demands, awarded, machines, quotes, rent, net, savedOnMean } = words.figures
  return {
    sheet: words.by[by],
    data: [
      header([words.by[by], demands, awarded, machines, quotes, rent, net, savedOnMean]),
      ...groups.map((group) => [
        label(locale === 'zh-CN' ? group.name : group.nameEn),
        count(group.demands),
        count(group.awarded),
        count(group.machines),
        count(group.quotes),
        money(group.rent),
        money(group.net),
        percent(group.savedOnMean),
      ]),
    ],
    columns: [{ width: 28 }, ...Array.from({ length: 7 }, () => ({ width: 14 }))],
  }
}

function rowsSheet(rows: readonly Row[], { statistics: words, demand, site }: Text): Sheet {
  return {
    sheet: words.rows,
    data: [
      header([
        demand.code,
        demand.form.titleField,
        demand.project,
        site.common.status,
        demand.publishedAt,
        demand.quoteCount,
        words.figures.rent,
        words.figures.net,
      ]),
      ...rows.map((row) => [
        label(row.demandCode),
        label(row.title),
        label(row.projectName),
        label(demand.status[row.status]),
        label(row.publishTime),
        count(row.quoteCount),
        money(row.rent),
        money(row.net),
      ]),
    ],
    columns: [18, 40, 24, 12, 20, 12, 16, 16].map((width) => ({ width })),
  }
}
