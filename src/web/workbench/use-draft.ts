import { useCallback, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { saveDraft } from '#shared/demand/contract.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { useStoredDraft } from '../app/use-stored-draft.ts'
import type { DemandForm, DemandFormState } from './draft.ts'

/** Milliseconds without a change after which a draft is saved. */
const quietMs = 1200

type StoredDraft = { id: number; version: number } | null

/** The drafts of forms that were left, by the key of their place in the history, once the save under way has ended. */
const left = new Map<string, Promise<StoredDraft>>()

/** The draft of a form that was left at this place of the history: whoever goes back there goes on with it. Null where the server has none. */
export const draftLeftAt = (place: string): Promise<StoredDraft> | undefined => left.get(place)

const hasProject = ({ deptId }: DemandForm) => deptId !== null

/**
 * Saves the form as a draft on the server whenever it changes, once a project is chosen. After a conflict the person may save their text as a new
 * draft. `isOpen` says whether the form is still on the page when the save has come through.
 */
export function useDraft(
  form: DemandFormState,
  first: StoredDraft,
  enabled: boolean,
  onSaved: (saved: NonNullable<StoredDraft>, isOpen: boolean) => void,
) {
  const stored = useRef<StoredDraft>(first)
  const { search, key: place } = useLocation()
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const send = useCallback(
    async (values: DemandForm, asNew: boolean) => {
      const { deptId } = values
      if (deptId === null) return
      const base = asNew ? null : stored.current
      const body = { ...(base && { id: base.id, version: base.version }), deptId, form: values }
      const saved = await call(saveDraft, { body }, true)
      stored.current = saved
      onSaved(saved, isOpen.current)
    },
    [onSaved],
  )
  const draft = useStoredDraft(form, {
    enabled,
    quietMs,
    name: () => `demand-${stored.current?.id ?? search}`,
    version: () => String(stored.current?.version ?? ''),
    address: (current) => (stored.current ? paths.addDemand(`?draft=${stored.current.id}`) : current),
    canSave: hasProject,
    send,
  })
  const { whenSaved } = draft
  // Comes after the effect that saves the form when it is left.
  useEffect(
    () => () => {
      if (enabled)
        left.set(
          place,
          whenSaved().then(() => stored.current),
        )
    },
    [enabled, place, whenSaved],
  )
  return { ...draft, draftId: () => stored.current?.id }
}
