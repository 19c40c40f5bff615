import { useEffect, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DraftNote } from './form-bar.tsx'
import { isTyping, shortcutsOn } from './list-settings.ts'
import { useText } from './text.tsx'
import type { LocalDraftOf } from './use-local-draft.ts'
import { useNextPage } from './use-next-page.ts'
import { Waited } from './waited.tsx'
import { reserveBarHeight } from '../ui/bar-height.ts'
import { Link } from '../ui/link.tsx'
import { Popup } from '../ui/popup.tsx'
import { toast } from '../ui/toast.tsx'
import './review-bar.css'

/** Rows of the queue that a review page knows: the longest waiting ones. */
export const queueSize = 100

export type ReviewQueue = { at: number; total: number; next: string | null; previous: string | null; leave: () => Promise<void> }

/** The place of an object in the queue of its reviews. `leave` goes on to the next one, or to the list once nothing is left. */
export function useReviewQueue({
  ids,
  id,
  to,
  list,
}: {
  ids: readonly number[]
  id: number
  to: (id: number) => string
  list: string
}): ReviewQueue {
  const goOn = useNextPage()
  const { list: words } = useText()
  const at = ids.indexOf(id)
  const others = ids.filter((one) => one !== id)
  const following = at === -1 ? others[0] : (ids[at + 1] ?? others[0])
  return {
    at,
    total: ids.length,
    next: following === undefined ? null : to(following),
    previous: at > 0 ? to(ids[at - 1] ?? id) : null,
    leave: async () => {
      if (following === undefined) toast('info', words.review.queueDone)
      await goOn(following === undefined ? list : to(following))
    },
  }
}

/** The reason of a decision; `draft` is what this browser stores of the review. */
type ReviewReason = {
  label: string
  usual: readonly string[]
  value: string
  error: string | undefined
  draft: LocalDraftOf
  onChange: (reason: string) => void
}
type Decision = { label: string; run: () => void }

/**
 * The bar of a review, which stays in view: how long the object has waited, the reason with the usual ones to choose from, the decision and the way to
 * the next object. The keys 1, 2, J, K and E do the same; a pass by key asks first, because a key is hit by accident more easily.
 */
export function ReviewBar({
  name,
  since,
  queue,
  reason,
  pass,
  sendBack,
  busy,
  children,
}: {
  name: string
  /** Since when it has waited; null once it is decided. */
  since: string | null
  queue: ReviewQueue
  reason: ReviewReason
  pass?: Decision & { question: string }
  sendBack?: Decision
  busy: boolean
  children?: ReactNode
}) {
  const text = useText()
  const words = text.list.review
  const field = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  useReviewKeys({
    '1': () => pass && !busy && setAsking(true),
    '2': () => (sendBack && reason.value.trim() !== '' && !busy ? sendBack.run() : field.current?.focus()),
    next: queue.next,
    previous: queue.previous,
  })
  return (
    <section ref={reserveBarHeight} className="action-bar review-bar" aria-label={name}>
      <ReviewNote draft={reason.draft} />
      <ReasonField reason={reason} field={field} />
      <div className="row gap-8">
        {since && (
          <span className="review-since">
            <Waited since={since} />
          </span>
        )}
        {queue.at !== -1 && <span className="small soft num">{words.queue(queue.at + 1, queue.total)}</span>}
        {queue.previous && (
          <Link className="button button-small" to={queue.previous}>
            {words.previous}
          </Link>
        )}
        {queue.next && (
          <Link className="button button-small" to={queue.next}>
            {words.next}
          </Link>
        )}
        {children}
        {sendBack && (
          <button type="button" className="button button-danger" aria-disabled={busy} onClick={sendBack.run}>
            {sendBack.label}
          </button>
        )}
        {pass && (
          <button type="button" className="button button-primary" aria-disabled={busy} onClick={pass.run}>
            {pass.label}
          </button>
        )}
      </div>
      {shortcutsOn() && (pass ?? queue.next) && (
        <p className="small faint review-keys">
          {[pass && `1 ${pass.label}`, sendBack && `2 ${sendBack.label}`, words.keys].filter(Boolean).join(comma(text))}
        </p>
      )}
      {pass && (
        <ConfirmDialog
          open={isAsking}
          onClose={() => setAsking(false)}
          title={pass.label}
          kind="success"
          action={pass.label}
          busy={busy}
          onConfirm={() => {
            setAsking(false)
            pass.run()
          }}
        >
          <p>{pass.question}</p>
          <p className="soft">{name}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** The reason in the reviewer's own words, and the usual ones to add. */
function ReasonField({ reason, field }: { reason: ReviewReason; field: RefObject<HTMLInputElement | null> }) {
  const text = useText()
  const words = text.list.review
  const id = useId()
  return (
    <div className={`review-reason ${reason.error ? 'field-bad' : ''}`}>
      <input
        ref={field}
        className="input"
        aria-label={reason.label}
        placeholder={reason.label}
        aria-invalid={reason.error ? true : undefined}
        aria-describedby={reason.error ? id : undefined}
        maxLength={500}
        value={reason.value}
        onChange={(event) => reason.onChange(event.target.value)}
      />
      <Popup menu label={words.reasons} button={words.reasons}>
        {(close) =>
          reason.usual.map((usual) => (
            <button
              key={usual}
              type="button"
              role="menuitem"
              onClick={() => {
                close()
                reason.onChange([reason.value.trim(), usual].filter(Boolean).join(semicolon(text)))
              }}
            >
              {usual}
            </button>
          ))
        }
      </Popup>
      {reason.error && (
        <p id={id} className="field-error">
          {reason.error}
        </p>
      )}
    </div>
  )
}

/** Says in the first line of the bar that reasons are there again. The bar grows upwards, so no button moves. */
function ReviewNote({ draft }: { draft: LocalDraftOf }) {
  return ['offered', 'restored', 'failed'].includes(draft.state.kind) && <DraftNote draft={draft} />
}

function useReviewKeys(keys: { '1': () => void; '2': () => void; next: string | null; previous: string | null }): void {
  const navigate = useNavigate()
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !shortcutsOn()) return
      const { next, previous } = current.current
      const go = (to: string | null) => to && void navigate(to)
      const act = {
        '1': current.current['1'],
        '2': current.current['2'],
        j: () => go(next),
        e: () => go(next),
        k: () => go(previous),
      }[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [navigate])
}
