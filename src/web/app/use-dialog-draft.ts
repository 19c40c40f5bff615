import { useCallback, useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { draftKey } from './session.ts'
import { readTab, writeTab } from './tab-storage.ts'

type DialogDraft<V> = { key: string | null; blank: V; values: V }

/**
 * State for the fields of a dialog, which stays in this tab until it is sent (decision 43): a reload, a wrong click or a press beside the dialog
 * loses nothing. `name` names the dialog and its object; null where nothing is open or stored. With another name the state starts again, from what
 * was typed there before. Returns the values, their setter and the function that forgets those of this name.
 */
export function useDialogDraft<V extends object>(
  name: string | null,
  blank: V,
): [values: V, setValues: Dispatch<SetStateAction<V>>, forget: () => void] {
  const key = name === null ? null : draftKey(name)
  const [state, setState] = useState(() => openDraft(key, blank))
  if (state.key !== key) setState(openDraft(key, blank))
  useEffect(() => storeDraft(state), [state])
  const setValues = useCallback(
    (next: SetStateAction<V>) => setState((before) => ({ ...before, values: typeof next === 'function' ? next(before.values) : next })),
    [],
  )
  const forget = () => {
    // The dialog may close before its effects run again.
    storeDraft({ ...state, values: state.blank })
    // Another dialog may be open by now, whose values stay.
    setState((before) => (before.key === state.key ? { ...before, values: before.blank } : before))
  }
  return [state.values, setValues, forget]
}

/**
 * Moves what was typed into a dialog to another name, such as that of the record that its form has made; without `to` it is forgotten, because its form
 * was sent.
 */
export function moveDialogDraft(from: string, to?: string): void {
  const typed = readTab(draftKey(from))
  if (typed === undefined || from === to) return
  writeTab(draftKey(from), undefined)
  if (to !== undefined) writeTab(draftKey(to), typed)
}

function openDraft<V extends object>(key: string | null, blank: V): DialogDraft<V> {
  return { key, blank, values: { ...blank, ...(key !== null && (readTab(key) as object | undefined)) } }
}

/** Stores the fields that differ from the start, so a default that has changed since is not put back. */
function storeDraft<V extends object>({ key, blank, values }: DialogDraft<V>): void {
  if (key === null) return
  const start = new Map<string, unknown>(Object.entries(blank))
  const changed = Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(start.get(name)))
  writeTab(key, changed.length === 0 ? undefined : Object.fromEntries(changed))
}
