import { z } from 'zod'
import { OwnDemandCard } from '../demand/contract.ts'
import type { Endpoint } from '../endpoint.ts'
import { Day, optionalId, paging, YuanOut } from '../fields.ts'

/** The groupings of a report. */
export const reportGroups = ['month', 'unit', 'category', 'region', 'lessor'] as const
export type ReportGroup = (typeof reportGroups)[number]

/** How many groups are listed, those with the most demands, or the lessors that won most. */
export const mostGroups: Record<ReportGroup, number> = { month: 500, unit: 500, category: 200, region: 500, lessor: 50 }

const period = {
  /** Days of publication, the last one included. */
  from: Day,
  to: Day,
  /** A department below the viewer's, with everything under it. */
  deptId: optionalId,
}
const share = z.number().nullable()

const Figures = z.object({
  /** Demands published. */
  demands: z.number(),
  lines: z.number(),
  /** Demands awarded, wholly or in part, of which something is still awarded. */
  awarded: z.number(),
  failed: z.number(),
  cancelled: z.number(),
  /** Quotes for each demand that was opened. */
  quotesPerDemand: z.number().nullable(),
  /** Median days from publication to the opening, and to the award. */
  daysToOpen: z.number().nullable(),
  daysToAward: z.number().nullable(),
  /** Machines awarded. */
  machines: z.number(),
  /** Quotes received. */
  quotes: z.number(),
  /** Rents of the contracts: what the lessors get for their machines, tax included. */
  rent: YuanOut,
  /** Landed cost of what was awarded, after deductible VAT: it also counts the lessee's own diesel and operators. */
  net: YuanOut,
  /** (ceiling − award) ÷ ceiling, of the rents of the lines with a ceiling in the same unit; null to operators, who do not read ceilings. */
  savedOnCeiling: share,
  /** (mean of the offers − award) ÷ mean, of landed cost. */
  savedOnMean: share,
})
export type Figures = z.output<typeof Figures>

export const getReport = {
  method: 'GET',
  url: '/business/statistics/report',
  summary: 'The figures of a period for the own departments',
  access: 'statistics:view',
  form: 'data',
  query: z.object(period).refine(({ from, to }) => from <= to, { path: ['to'], error: 'ends_before_start' }),
  answer: Figures,
} as const satisfies Endpoint

const Group = z.object({
  /** Month `yyyy-MM`, or an id. */
  key: z.string(),
  name: z.string(),
  nameEn: z.string(),
  demands: z.number(),
  awarded: z.number(),
  machines: z.number(),
  /** Null by category, because a quote answers the whole demand. */
  quotes: z.number().nullable(),
  rent: YuanOut,
  net: YuanOut,
  savedOnMean: share,
})
export type Group = z.output<typeof Group>

export const getReportGroups = {
  method: 'GET',
  url: '/business/statistics/groups',
  summary: 'The period by month, unit, category, region or lessor',
  access: 'statistics:view',
  form: 'data',
  query: z.object({ ...period, by: z.enum(reportGroups).default('month') }),
  answer: z.array(Group),
} as const satisfies Endpoint

/** The sets of demands that figures count; `onCeiling` and `onMean` are those whose saving is known. */
export const reportFigures = ['demands', 'awarded', 'failed', 'cancelled', 'opened', 'onCeiling', 'onMean'] as const
type ReportFigure = (typeof reportFigures)[number]

/** The demands that each figure was counted from. */
export const rowsOfFigure: Record<keyof Figures, ReportFigure> = {
  demands: 'demands',
  lines: 'demands',
  awarded: 'awarded',
  failed: 'failed',
  cancelled: 'cancelled',
  quotesPerDemand: 'opened',
  daysToOpen: 'opened',
  daysToAward: 'awarded',
  machines: 'awarded',
  quotes: 'demands',
  rent: 'awarded',
  net: 'awarded',
  savedOnCeiling: 'onCeiling',
  savedOnMean: 'onMean',
}

export const listReportRows = {
  method: 'GET',
  url: '/business/statistics/rows',
  summary: 'The demands behind a figure, or behind one group of it',
  access: 'statistics:view',
  form: 'list',
  query: z.object({
    ...period,
    ...paging(),
    figure: z.enum(reportFigures).default('demands'),
    by: z.enum(reportGroups).optional(),
    key: z
      .string()
      .regex(/^(\d{4}-(0[1-9]|1[0-2])|\d{1,15})$/)
      .optional(),
  }),
  answer: OwnDemandCard.extend({ rent: YuanOut.nullable(), net: YuanOut.nullable(), savedOnMean: share, awardTime: z.string().nullable() }),
} as const satisfies Endpoint

export const exportReport = {
  method: 'GET',
  url: '/business/statistics/export',
  summary: 'The report as a workbook: the figures, every breakdown, and the demands (10,000 at most)',
  access: 'statistics:view',
  limit: 10,
  form: 'file',
  query: z.object(period),
  answer: z.null(),
} as const satisfies Endpoint

export const reportRowLimit = 10_000
