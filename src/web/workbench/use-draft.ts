import { useCallback, useEffect, useRef, useState } from 'react'
import { saveDraft } from '#shared/demand/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import type { DemandForm } from './draft.ts'

/** Milliseconds of quiet after which a draft is saved. */
const quietMs = 1200

type Kept = { id: number; version: number } | null
export type DraftState = { kind: 'idle' | 'saving' | 'failed' | 'conflict' } | { kind: 'saved'; at: string }

/**
 * Saves the form by itself once a project is chosen. If somebody else saved the same draft meanwhile, nothing is
 * overwritten: the person is told, keeps what he typed, and may save it as a new draft.
 */
export function useDraft(form: DemandForm, first: Kept, dirty: boolean, onSaved: (kept: NonNullable<Kept>) => void) {
  const text = useText()
  const [state, setState] = useState<DraftState>({ kind: 'idle' })
  const kept = useRef<Kept>(first)
  const busy = useRef(false)
  const stopped = useRef(false)
  const overtaken = useRef(false)

  const save = useCallback(
    async (asNew = false) => {
      if (form.deptId === null || busy.current || stopped.current) return
      busy.current = true
      setState({ kind: 'saving' })
      try {
        const base = asNew ? null : kept.current
        const saved = await call(saveDraft, {
          body: {
            ...(base && { id: base.id, version: base.version }),
            deptId: form.deptId,
            form: JSON.parse(JSON.stringify(form)) as never,
          },
        })
        kept.current = saved
        overtaken.current = false
        setState({ kind: 'saved', at: new Date().toLocaleTimeString(text.locale, { hour: '2-digit', minute: '2-digit' }) })
        onSaved(saved)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        overtaken.current = error.code === 409
        setState({ kind: overtaken.current ? 'conflict' : 'failed' })
      } finally {
        busy.current = false
      }
    },
    [form, onSaved, text.locale],
  )

  useEffect(() => {
    if (!dirty || overtaken.current) return
    const timer = setTimeout(() => void save(), quietMs)
    return () => clearTimeout(timer)
    // A change of the form starts the wait again.
  }, [save, dirty])

  return { state, save, draftId: () => kept.current?.id, stop: () => void (stopped.current = true) }
}
