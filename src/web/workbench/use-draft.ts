import { useCallback, useRef, useState } from 'react'
import { saveDraft } from '#shared/demand/contract.ts'
import { ApiError, call } from '../app/api.ts'
import type { ContractForm } from '../app/contract-form.ts'
import { useText } from '../app/text.tsx'
import { useAutosave } from '../app/use-autosave.ts'
import type { DemandForm } from './draft.ts'

/** Milliseconds without a change after which a draft is saved. */
const quietMs = 1200

type StoredDraft = { id: number; version: number } | null
export type DraftState = { kind: 'idle' | 'saving' | 'failed' | 'conflict' } | { kind: 'saved'; at: string }

/**
 * Saves the form as a draft whenever it changes, once a project is chosen. If somebody else has saved the same draft meanwhile, the state becomes
 * `conflict`: nothing is overwritten, and the person may save their text as a new draft.
 */
export function useDraft(
  form: Pick<ContractForm<DemandForm>, 'getValues' | 'subscribe'>,
  first: StoredDraft,
  enabled: boolean,
  onSaved: (saved: NonNullable<StoredDraft>) => void,
) {
  const text = useText()
  const [state, setState] = useState<DraftState>({ kind: 'idle' })
  const stored = useRef<StoredDraft>(first)
  const busy = useRef(false)
  const stopped = useRef(false)
  const { getValues } = form

  const save = useCallback(
    async (asNew = false): Promise<boolean> => {
      const values = getValues()
      if (values.deptId === null || stopped.current) return true
      // The save under way may not have the newest text.
      if (busy.current) return false
      busy.current = true
      setState({ kind: 'saving' })
      try {
        const base = asNew ? null : stored.current
        const body = { ...(base && { id: base.id, version: base.version }), deptId: values.deptId, form: values }
        const saved = await call(saveDraft, { body }, true)
        stored.current = saved
        setState({ kind: 'saved', at: new Date().toLocaleTimeString(text.locale, { hour: '2-digit', minute: '2-digit' }) })
        onSaved(saved)
        return true
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        setState({ kind: error.code === 409 ? 'conflict' : 'failed' })
        return error.code === 409
      } finally {
        busy.current = false
      }
    },
    [getValues, onSaved, text.locale],
  )

  useAutosave(form, { enabled: enabled && state.kind !== 'conflict', quietMs, save })

  return { state, save, draftId: () => stored.current?.id, stop: () => void (stopped.current = true) }
}
