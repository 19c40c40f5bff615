import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from './api.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { useText } from './text.tsx'
import { invalidate } from './queries.ts'
import { toast } from '../ui/toast.tsx'

/** A question before something is done. `run` gets the reason that was typed; `done` gives the words of the toast. */
export type Confirmation = {
  title: string
  ask: string
  /** The name of the object. */
  subject?: string
  /** The reason that must be typed; without it none is asked for. */
  note?: { label: string; hint?: string }
  harmless?: boolean
  run: (note: string) => Promise<unknown>
  done: (result: unknown) => string
}

/** Asks, takes the reason, runs it, and fetches anew the calls that it `changes`. Errors stand beside the reason. */
export function useConfirm(...changes: [Endpoint, ...Endpoint[]]): { ask: (confirmation: Confirmation) => void; dialog: ReactNode } {
  const text = useText()
  const [pending, setPending] = useState<Confirmation | null>(null)
  const [note, setNote] = useState('')
  const [error, setError] = useState<string>()
  const act = useMutation({
    mutationFn: (one: Confirmation) => one.run(note.trim()),
    onSuccess: async (result, one) => {
      setPending(null)
      toast('success', one.done(result))
      await invalidate(...changes)
    },
    onError: async (problem) => {
      if (!(problem instanceof ApiError)) throw problem
      const [field] = problem.fields
      setError(field?.message)
      // It was refused because the object has changed: the page shows it as it is now.
      if (!field) {
        setPending(null)
        await invalidate(...changes)
      }
    },
  })
  return {
    ask: (next) => {
      setNote('')
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
        onConfirm={() => {
          if (!pending) return
          if (pending.note && note.trim().length < 2) setError(text.rule.text_min(2))
          else act.mutate(pending)
        }}
      >
        <p>{pending?.ask}</p>
        {pending?.subject && <p className="soft">{pending.subject}</p>}
        {pending?.note && (
          <TextareaField
            label={pending.note.label}
            hint={pending.note.hint}
            required
            maxLength={500}
            value={note}
            onChange={(value) => {
              setNote(value)
              setError(undefined)
            }}
            error={error}
          />
        )}
      </ConfirmDialog>
    ),
  }
}
