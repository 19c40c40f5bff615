import type { ReportGroup } from '#shared/statistics/report.ts'

/** The address of the report with a changed selection; its rows begin at their first page. */
export function select(params: URLSearchParams, change: Record<string, string | null>): string {
  const next = new URLSearchParams(params)
  next.delete('pageNum')
  for (const [name, value] of Object.entries(change)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return `?${next}`
}

/** Narrows the report to a unit with all below it. Null for the unit that it has already: that chosen in the address, or else the person's own. */
export function narrow(
  params: URLSearchParams,
  { key, name }: { key: string; name: string },
  own: number | null | undefined,
): string | null {
  if (key === (params.get('deptId') || String(own))) return null
  return select(params, { deptId: key, deptName: name, key: null, keyName: null })
}

const nothing = { figure: null, key: null, keyName: null }

export const selectTab = (params: URLSearchParams, by: ReportGroup): string => select(params, { ...nothing, by })

/** Opens all demands of a group, whatever figure was open before. A second choice of the group takes it back. */
export const selectGroup = (params: URLSearchParams, { key, name }: { key: string; name: string }): string =>
  select(params, { ...nothing, ...(key !== params.get('key') && { key, keyName: name }) })
