import { useRef, type ReactNode } from 'react'
import { toMoment } from '#shared/calendar.ts'
import { minute } from './format.ts'
import { goToMark, useMarks, wrongFields } from './form-marks.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { useText } from './text.tsx'
import type { LocalDraftOf } from './use-local-draft.ts'
import { reserveBarHeight } from '../ui/bar-height.ts'

/** The bar at the end of a form: on the left what is stored and what is to be corrected, on the right the buttons. */
export function FormBar({
  draft,
  status,
  errors = 0,
  children,
}: {
  /** The text that this browser stores. */
  draft?: LocalDraftOf
  /** Words about a draft that the server stores. */
  status?: ReactNode
  /** How many names have an error; the bar lists the fields that are marked. */
  errors?: number
  children: ReactNode
}) {
  return (
    <div ref={reserveBarHeight} className="action-bar">
      <div className="small stack gap-4" role="status">
        <Problems errors={errors} />
        {status}
        {draft && <DraftState draft={draft} />}
      </div>
      <span className="row">{children}</span>
      {draft?.state.kind === 'failed' && <UnstoredGuard when={draft.isUnstored} />}
    </div>
  )
}

/** Says in the bar that the server did not store the draft, and why where it refused it. */
export function SaveFailed({ words, why }: { words: string; why: string }) {
  return (
    <span className="bar-error">
      {words}
      {why !== '' && <span className="block">{why}</span>}
    </span>
  )
}

/** Says beside a form without a bar what this browser stores. */
export function DraftNote({ draft }: { draft: LocalDraftOf }) {
  return (
    <div className="small span-all" role="status">
      <DraftState draft={draft} />
      {draft.state.kind === 'failed' && <UnstoredGuard when={draft.isUnstored} />}
    </div>
  )
}

export function DraftState({ draft: { state, accept, discard } }: { draft: Pick<LocalDraftOf, 'state' | 'accept' | 'discard'> }) {
  const { draft: words } = useText().site
  const button = (label: string, run: () => void) => (
    <button type="button" className="link" onClick={run}>
      {label}
    </button>
  )
  switch (state.kind) {
    case 'none':
      // Holds the line of the words to come, so that no button moves while it is pressed.
      return <span aria-hidden="true">&nbsp;</span>
    case 'saved':
      return <span className="faint">{words.saved}</span>
    case 'failed':
      return <span className="bar-error">{words.failed}</span>
    case 'restored':
      return (
        <span>
          {words.restored(minute(toMoment(new Date(state.at))))} {button(words.discard, discard)}
        </span>
      )
    case 'offered':
      return (
        <span>
          {words.offered(minute(toMoment(new Date(state.at))))} {button(words.accept, accept)} {button(words.discard, discard)}
        </span>
      )
  }
}

/** Asks before text is left that the browser could not store. */
function UnstoredGuard({ when }: { when: () => boolean }) {
  const { draft, common } = useText().site
  return (
    <LeaveGuard when={when} title={draft.leave}>
      {common.unsaved}
    </LeaveGuard>
  )
}

/** The marked fields of the form around, as links to them. Their number is that of the marks. */
function Problems({ errors }: { errors: number }) {
  const words = useText().demand.form
  const place = useRef<HTMLDivElement>(null)
  const marks = useMarks(place, { within: 'form', marked: wrongFields, on: errors > 0 })
  return (
    <div ref={place} className="row gap-8">
      {marks.length > 0 && <span className="bar-error">{words.fix(marks.length)}</span>}
      {marks.map(({ label, element }, index) => (
        <button key={`${label}-${index}`} type="button" className="link bar-mark" onClick={() => goToMark(element)}>
          {label}
        </button>
      ))}
    </div>
  )
}
