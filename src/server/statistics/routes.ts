import { dayOf } from '#shared/calendar.ts'
import * as contract from '#shared/statistics/contract.ts'
import * as panelContract from '#shared/statistics/panel.ts'
import * as reportContract from '#shared/statistics/report.ts'
import type { Actor } from '../actor/actor.ts'
import type { Api } from '../api.ts'
import { takenByStaff } from '../audit/log.ts'
import { textOf } from '../http/locale.ts'
import { writeWorkbook } from '../workbook/list-workbook.ts'
import { listExceptions } from './exceptions.ts'
import { countHome } from './home.ts'
import { findReportSheets } from './report-workbook.ts'
import { findFigures, findGroups, inSnapshot, listRows } from './report.ts'
import { findTasks } from './tasks.ts'
import { findDates } from './work-calendar.ts'
import { findWorkFigures } from './work-figures.ts'

export function statisticsRoutes(api: Api): void {
  api.handle(contract.getHomeFigures, ({ db, answerCache }) => answerCache.figure('home', () => countHome(db)))
  api.handle(panelContract.getWorkPanel, async ({ db, actor, now }) => ({ tasks: await findTasks(db, actor, now) }))
  api.handle(panelContract.getWorkFigures, ({ db, actor, now, answerCache }) =>
    answerCache.figure(`work ${actor.accountId} ${actor.role} ${actor.deptId}`, () =>
      inSnapshot({ db, actor }, (tx) => findWorkFigures(tx, actor, now)),
    ),
  )
  api.handle(panelContract.getWorkCalendar, async ({ db, actor, now }) => ({ from: dayOf(now), dates: await findDates(db, actor, now) }))
  api.handle(panelContract.listExceptions, ({ db, actor, now }, { query }) => listExceptions(db, { ...query, actor, now }))

  // The figures of a large organisation take a second (decision 21), so repeated calls get the figures of a moment ago.
  const keyOf = ({ accountId, role, deptId }: Actor, query: object) => `report ${accountId} ${role} ${deptId} ${JSON.stringify(query)}`
  api.handle(reportContract.getReport, ({ db, actor, answerCache }, { query }) =>
    answerCache.figure(keyOf(actor, query), () => inSnapshot({ db, actor }, (tx) => findFigures(tx, actor, query))),
  )
  api.handle(reportContract.getReportGroups, ({ db, actor, answerCache }, { query }) =>
    answerCache.figure(keyOf(actor, query), () => inSnapshot({ db, actor }, (tx) => findGroups(tx, actor, query, query.by))),
  )
  api.handle(reportContract.listReportRows, ({ db, actor }, { query }) => listRows(db, actor, query))
  api.handle(reportContract.exportReport, (context, { query }) =>
    takenByStaff(context, { action: 'demand.report', bizType: 'demand', after: query }, async () => {
      const { actor } = context
      const text = textOf(context.locale)
      const sheets = await inSnapshot(context, (tx) => findReportSheets(tx, actor, query, text))
      return writeWorkbook(text.statistics.file(query.from, query.to), sheets)
    }),
  )
}
