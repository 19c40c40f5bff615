import { useState } from 'react'
import type { WorkList } from '#shared/saved-view/contract.ts'
import { filtersOf } from './visit.ts'

/** The sizes that a page of a list can be given. */
export const pageSizes = [10, 20, 50, 100] as const

/** The page size of the address, or the list's own. */
export function pageSizeOf(params: URLSearchParams, usual: number): number {
  const wanted = Number(params.get('pageSize'))
  return pageSizes.find((size) => size === wanted) ?? usual
}

/** The address of a list with one parameter changed, from its first page on. An empty value takes the parameter away. */
export function withParam(params: URLSearchParams, name: string, value: string): string {
  const next = new URLSearchParams(params)
  next.delete('pageNum')
  if (value) next.set(name, value)
  else next.delete(name)
  return `?${next}`
}

/** The filters of an address besides the one that the tabs of its list choose, under which their rows are counted. */
export function filtersBesides(tab: string, params: URLSearchParams): Record<string, string> {
  const { [tab]: _tab, pageNum: _page, pageSize: _size, sort: _sort, ...filters } = filtersOf(params)
  return filters
}

/** What a click on the heading of a column asks for: its sorting, then the other direction, then the usual order again. */
export function nextSort(current: string, name: string, largestFirst: boolean): string {
  const [first, second] = largestFirst ? [`-${name}`, name] : [name, `-${name}`]
  return current === first ? second : current === second ? '' : first
}

/** The columns that somebody has hidden on this device. */
export function useHiddenColumns(
  list: WorkList,
  usual: readonly string[],
): [ReadonlySet<string>, (hidden: readonly string[] | null) => void] {
  const key = `columns:${list}`
  const [stored, setStored] = useState<readonly string[] | null>(() => readColumns(localStorage.getItem(key)))
  return [
    new Set(stored ?? usual),
    (hidden) => {
      if (hidden) localStorage.setItem(key, JSON.stringify(hidden))
      else localStorage.removeItem(key)
      setStored(hidden)
    },
  ]
}

function readColumns(text: string | null): readonly string[] | null {
  if (!text) return null
  try {
    const columns: unknown = JSON.parse(text)
    return Array.isArray(columns) && columns.every((one) => typeof one === 'string') ? columns : null
  } catch {
    // Somebody has edited the storage by hand; the usual columns show.
    return null
  }
}

const shortcutsKey = 'shortcuts'

/** Whether single letters move through lists and reviews. They can be switched off, as WCAG 2.1.4 asks. */
export const shortcutsOn = (): boolean => localStorage.getItem(shortcutsKey) !== 'off'

export function switchShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(shortcutsKey)
  else localStorage.setItem(shortcutsKey, 'off')
}

/** Whether a key was meant for a field, a dialog or a menu rather than for the page. */
export function isTyping(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element)) return true
  return target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true], dialog, [popover]') !== null
}
