import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#shared/paths.ts'
import { personSignedIn, whenPersonChanges } from '../../app/session.ts'
import { nameOfNew } from '../../app/use-local-draft.ts'
import { useStoredDraft } from '../../app/use-stored-draft.ts'
import type { DemandForm, DemandFormState } from './draft.ts'
import { draftSaves, type StoredDraft } from './draft-saves.ts'

/** Milliseconds without a change after which a draft is saved. */
const quietMs = 1200

type LeftDraft = StoredDraft & { form: DemandForm }

/** The drafts of forms that were left, as the server has them, by the key of their place in the history. */
const left = new Map<string, Promise<LeftDraft | null>>()
/** The newest of them by draft: it may have been opened at several places. */
const newest = new Map<number, LeftDraft>()
whenPersonChanges(() => {
  left.clear()
  newest.clear()
})

/**
 * The draft of a form that was left at this place of the history, once the save under way has ended: whoever goes back there goes on with it, also
 * without a network. Null where the server has none.
 */
export const draftLeftAt = (place: string): Promise<LeftDraft | null> | undefined => left.get(place)

/** The newest text of a draft that was left, also at another place. */
export const newestLeft = (draft: LeftDraft): LeftDraft => newest.get(draft.id) ?? draft

const hasProject = ({ deptId }: DemandForm) => deptId !== null

/**
 * Saves the form as a draft on the server whenever it changes, once a project is chosen. After a conflict the person may save their text as a new
 * draft. `isOpen` says whether the form is still on the page when the save has come through.
 */
export function useDraft(
  form: DemandFormState,
  first: StoredDraft | null,
  enabled: boolean,
  onSaved: (saved: StoredDraft, isOpen: boolean) => void,
) {
  const { getValues } = form
  const [start] = useState(() => structuredClone(getValues()))
  const saved = useRef(start)
  const { search, key: place } = useLocation()
  const [saves] = useState(() => draftSaves(first, nameOfNew(search)))
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    saves.open()
    return () => {
      isOpen.current = false
    }
  }, [saves])
  const send = useCallback(
    async (values: DemandForm, asNew: boolean) => {
      const { deptId } = values
      if (deptId === null) return
      const stored = await saves.save({ ...values, deptId }, asNew)
      saved.current = values
      onSaved(stored, isOpen.current)
    },
    [saves, onSaved],
  )
  const draft = useStoredDraft(form, {
    enabled,
    quietMs,
    name: saves.name,
    version: () => String(saves.stored()?.version ?? ''),
    address: (current) => {
      const stored = saves.stored()
      return stored ? paths.addDemand(`?draft=${stored.id}`) : current
    },
    canSave: hasProject,
    send,
  })
  const { whenSaved, isStopped } = draft
  // Comes after the effect that saves the form when it is left.
  useEffect(() => {
    const person = personSignedIn()
    return () => {
      // A draft that was published is none any more. The next person gets nothing: their drafts are cleared before this form is taken off the page.
      if (enabled && !isStopped() && personSignedIn() === person)
        left.set(
          place,
          whenSaved().then(() => {
            const stored = saves.stored()
            if (!stored) return null
            const draft = { ...stored, form: saved.current }
            if (draft.version >= (newest.get(draft.id)?.version ?? 0)) newest.set(draft.id, draft)
            return draft
          }),
        )
    }
  }, [enabled, place, saves, whenSaved, isStopped])
  return { ...draft, name: saves.name, settle: saves.settle }
}
