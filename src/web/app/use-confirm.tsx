import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ApiError } from './api.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { TextareaField } from '../ui/form-fields.tsx'
import { useText } from './text.tsx'
import { toast } from '../ui/toast.tsx'

/** Something that is asked about before it is done. `run` gets what was typed; `done` is what the toast says. */
export type Deed = {
  title: string
  ask: string
  /** What it is done to. */
  subject?: string
  /** What must be written down with it; absent: nothing. */
  note?: { label: string; hint?: string }
  harmless?: boolean
  run: (note: string) => Promise<unknown>
  done: (result: unknown) => string
}

/** Asks, takes the reason, does it, and fetches anew what the page shows. Errors stand beside the reason. */
export function useDeed(): { ask: (deed: Deed) => void; dialog: ReactNode } {
  const text = useText()
  const client = useQueryClient()
  const [deed, setDeed] = useState<Deed | null>(null)
  const [note, setNote] = useState('')
  const [error, setError] = useState<string>()
  const act = useMutation({
    mutationFn: (one: Deed) => one.run(note.trim()),
    onSuccess: async (result, one) => {
      setDeed(null)
      toast('success', one.done(result))
      await client.invalidateQueries()
    },
    onError: async (problem) => {
      if (!(problem instanceof ApiError)) throw problem
      const [field] = problem.fields
      setError(field?.message)
      // It was refused for what the thing has become: shown as it is now.
      if (!field) {
        setDeed(null)
        await client.invalidateQueries()
      }
    },
  })
  return {
    ask: (next) => {
      setNote('')
      setError(undefined)
      setDeed(next)
    },
    dialog: (
      <ConfirmDialog
        open={deed !== null}
        onClose={() => setDeed(null)}
        title={deed?.title ?? ''}
        action={deed?.title ?? ''}
        kind={deed?.harmless ? 'info' : 'warning'}
        busy={act.isPending}
        onConfirm={() => {
          if (!deed) return
          if (deed.note && note.trim().length < 2) setError(text.rule.text_min(2))
          else act.mutate(deed)
        }}
      >
        <p>{deed?.ask}</p>
        {deed?.subject && <p className="soft">{deed.subject}</p>}
        {deed?.note && (
          <TextareaField
            label={deed.note.label}
            hint={deed.note.hint}
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
