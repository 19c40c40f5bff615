import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from './api.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { useText } from './text.tsx'
import { useDialogDraft } from './use-dialog-draft.ts'
import { isOutdated } from './outdated.ts'
import { invalidate } from './queries.ts'
import { focusOn } from '../ui/focus-on.ts'
import { toast } from '../ui/toast.tsx'

/** A question that precedes an action. `run` gets the typed reason, and `done` words the toast from the result. */
export type Confirmation = {
  title: string
  question: string
  /** The name of the object that is acted on. */
  subject?: string
  /** What else whoever confirms has to know, below the question. */
  details?: ReactNode
  /** The field for a reason, which is then required. `draft` names the action and its object: the reason stays in this tab until it is sent. */
  note?: { label: string; hint?: string; draft: string }
  harmless?: boolean
  /** Absent where nothing can be done, which the question explains: the way back alone is offered. */
  run?: (note: string) => Promise<unknown>
  done: (result: unknown) => string
  /** Runs when the action is refused, before the question closes. */
  onError?: (problem: ApiError) => unknown
}

/** `forgetNote` forgets the reason of this question, whichever is open by then. */
type Asked = { one: Confirmation; note: string; forgetNote: () => void }

/** The button that asked, which gets the focus back, may have gone with its row. */
function focusHeadingIfLost(): void {
  const heading = document.querySelector<HTMLElement>('#main h1')
  if (heading && document.activeElement === document.body) focusOn(heading)
}

/** Shows the question, runs the action and refetches the calls that it `changes`. Errors appear beside the reason. */
export function useConfirm(...changes: [Endpoint, ...Endpoint[]]): { confirm: (confirmation: Confirmation) => void; dialog: ReactNode } {
  const text = useText()
  const [pending, setPending] = useState<Confirmation | null>(null)
  const [{ note }, setValues, forget] = useDialogDraft(pending?.note ? pending.note.draft : null, { note: '' })
  const [error, setError] = useState<string>()
  /** While the action runs, its question may be closed and another one opened, which stays. */
  const close = (one: Confirmation) => setPending((now) => (now === one ? null : now))
  const act = useMutation({
    mutationFn: async ({ one, note: reason }: Asked) => one.run?.(reason),
    onSuccess: async (result, { one, forgetNote }) => {
      forgetNote()
      close(one)
      toast('success', one.done(result))
      await invalidate(...changes)
      requestAnimationFrame(focusHeadingIfLost)
    },
    onError: async (problem, { one }) => {
      if (!(problem instanceof ApiError)) throw problem
      one.onError?.(problem)
      if (one === pending) setError(problem.fields[0]?.message)
      if (!isOutdated(problem)) return
      close(one)
      await invalidate(...changes)
    },
  })
  return {
    confirm: (next) => {
      setError(undefined)
      setPending(next)
    },
    dialog: (
      <ConfirmDialog
        open={pending !== null}
        onClose={() => setPending(null)}
        title={pending?.title ?? ''}
        action={pending?.title ?? ''}
        kind={pending?.harmless ? 'info' : 'warning'}
        busy={act.isPending}
        onConfirm={
          pending?.run &&
          (() => {
            if (pending.note && note.trim().length < 2) setError(text.rule.text_min(2))
            else act.mutate({ one: pending, note: note.trim(), forgetNote: forget })
          })
        }
      >
        <p>{pending?.question}</p>
        {pending?.subject && <p className="soft">{pending.subject}</p>}
        {pending?.details}
        {pending?.note && (
          <TextareaField
            label={pending.note.label}
            hint={pending.note.hint}
            required
            maxLength={500}
            value={note}
            onChange={(value) => {
              setValues({ note: value })
              setError(undefined)
            }}
            error={error}
          />
        )}
      </ConfirmDialog>
    ),
  }
}
