import { paths } from '#shared/paths.ts'
import { draftPrefix, getSession } from '../../app/session.ts'
import { readTab, writeTab } from '../../app/tab-storage.ts'

/** Under it the tab notes the draft that was named last; signing out removes it. */
const noteKey = `${draftPrefix}named`
/** `from`: the address before the draft stood in it. `document` tells the load of the page that wrote the note from later ones. */
type Note = { from: string; document: number; owner: string; id: number }

/** The person and the project that they work for: only there a draft is found again. */
const ownerOfSession = (): string => {
  const user = getSession().info?.user
  return `${user?.userId} ${user?.deptId}`
}

/**
 * Puts a draft into the address of its form, so that a reload opens it; the router need not know. A reload that is under way keeps the address with which
 * it began, so the tab notes the draft as well.
 */
export function nameDraft(id: number): void {
  const { pathname, search, href } = window.location
  const address = paths.addDemand(`?draft=${id}`)
  if (pathname + search === address) return
  window.history.replaceState(window.history.state, '', address)
  writeTab(noteKey, { from: href, document: performance.timeOrigin, owner: ownerOfSession(), id } satisfies Note)
}

/** The draft of the form that this page showed before its reload, where it was named only after the reload had begun. */
export function draftNamedDuringReload(): string | null {
  const note = readTab(noteKey) as Note | undefined
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isReloaded =
    load?.type === 'reload' &&
    note?.document !== performance.timeOrigin &&
    [load.name, window.location.href].every((at) => at === note?.from)
  return isReloaded && note?.owner === ownerOfSession() ? String(note.id) : null
}

/** Runs once a form has opened: the note is about the form before it. */
export const forgetNamedDraft = (): boolean => writeTab(noteKey, undefined)
