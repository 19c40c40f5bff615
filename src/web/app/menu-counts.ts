import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isOfConsole } from '#shared/account/rules.ts'
import type { Answered } from '#shared/endpoint.ts'
import { getWorkPanel } from '#shared/statistics/panel.ts'
import { getOverview, type WaitingKind } from '#shared/system/contract.ts'
import { call, whenWritten } from './api.ts'
import { invalidate, queries } from './queries.ts'
import { contractRoleIn, roleIn, useSession } from './session.ts'

type TaskKind = Answered<typeof getWorkPanel>['tasks'][number]['kind']
export type TaskCounts = Partial<Record<TaskKind, number>>
export type WaitingCounts = Partial<Record<WaitingKind, number>>

/** What waits for the person, for the counters of the menu: the tasks of organisations, or the queues of the console. */
export function useMenuCounts(): { tasks: TaskCounts; waiting: WaitingCounts } {
  const session = useSession()
  const { info, messageChanges } = session
  const role = info?.setup === null ? (roleIn(session) ?? contractRoleIn(session)) : null
  const isConsole = isOfConsole(role)
  // Whatever the person does may end a task.
  useEffect(() => whenWritten(() => void invalidate(getWorkPanel, getOverview)), [])
  const refresh = { staleTime: 30_000, retry: false, placeholderData: <T>(before: T) => before }
  const panel = useQuery(
    {
      ...refresh,
      queryKey: [getWorkPanel.url, messageChanges],
      queryFn: () => call(getWorkPanel, {}, true),
      enabled: role !== null && !isConsole,
    },
    queries,
  )
  const overview = useQuery(
    {
      ...refresh,
      queryKey: [getOverview.url, messageChanges],
      queryFn: () => call(getOverview, {}, true),
      enabled: role === 'operator',
    },
    queries,
  )
  return {
    tasks: Object.fromEntries(panel.data?.tasks.map(({ kind, count }) => [kind, count]) ?? []),
    waiting: Object.fromEntries(overview.data?.waiting.map(({ kind, count }) => [kind, count]) ?? []),
  }
}
