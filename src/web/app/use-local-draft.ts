import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { CallForm } from './call-form.ts'
import { keepTypedLater, openDraft, readDraft, writeDraft, type SentForm } from './local-draft.ts'
import { draftKey, getSession } from './session.ts'
import { useAutosave } from './use-autosave.ts'
import { useLatest } from './use-latest.ts'
import { useLeftToast } from './use-left-toast.ts'
import { usePageEnd } from './use-page-end.ts'

/** Milliseconds without a change after which the form is stored. */
const quietMs = 600

type LocalDraftState =
  | { kind: 'none' | 'saved' | 'failed' }
  /** The form shows what was typed at `at`. */
  | { kind: 'restored'; at: number }
  /** Something typed at `at` is there, but the record has changed since, so the person decides. */
  | { kind: 'offered'; at: number }

export type LocalDraftOf = {
  state: LocalDraftState
  /** Whether leaving at this moment would lose what is typed, also before the page shows that it was sent. */
  isUnstored: () => boolean
  /** Puts the offered text into the form. */
  accept: () => void
  /** Deletes the draft and puts the form back to its start. */
  discard: () => void
  /**
   * Ends the draft of what was `sent`, which is what the form holds now unless it is given; that, or `start`, is the new start of the form. What was
   * typed later stays, also where the form has been left since.
   */
  done: (start?: object, sent?: object) => void
}

type SavedDraft<V> = LocalDraftOf & {
  /** As `done`, for a form that goes on with what it has `sent`. `record` names the draft from now on, where the form has made its record. */
  saved: (sent: V, record?: DraftOfRecord<V>) => void
}

type DraftOfRecord<V> = {
  name: string
  /** Where the record has its form, which finds what was typed meanwhile; absent where this form goes on with the record. */
  address?: string
  /** Gives values of this form as that of the record starts from them, where it lacks a field or the server stores one in another way. */
  convert?: (values: V) => V
}

/** A form and its draft. `at`: when it stored the draft; `isOpen` is false once it was left, which may be before what it sends is answered. */
type DraftedForm<V> = {
  key: string
  base: string
  start: V
  offered: V | null
  at: number
  isOpen: boolean
  address?: string | undefined
  convert: (values: V) => V
}

type DraftOptions<V> = {
  /** The version of the record, where another one makes what was typed doubtful although the form starts from the same state. */
  version?: string
  /** What holds of a draft of another version; without it, all of it is offered. */
  carry?: (values: V) => Partial<V>
  /** Leaving says nothing: the form is a dialog or a part of a page, which no address opens. */
  quiet?: boolean
}

type Source<V> = DraftOptions<V> & {
  /** Names the form and its record; null where nothing is to be stored. */
  name: string | null
  getValues: () => V
  restore: (values: V) => void
}

/**
 * Stores what is typed in this browser until the form is sent: a reload, a dead server, a closed tab or a wrong click loses nothing
 * (decision 43). Leaving the form says that the text is still there and leads back; if the browser cannot store, leaving asks first.
 */
function useDraftOf<V extends object>(source: Source<V>): SavedDraft<V> & { store: () => void } {
  const { name, getValues, restore, version, carry = asTheyAre, quiet = false } = source
  const { state, setState, isUnstored } = useDraftState()
  const latest = useLatest({ getValues, restore, carry })
  const sayLeft = useLeftToast()
  const form = useRef<DraftedForm<V> | null>(null)

  const store = useCallback(() => {
    if (!form.current?.isOpen) return
    const { key, base, offered, convert } = form.current
    const values = convert(latest().getValues())
    // Nothing is typed yet, so what is offered stays.
    if (offered !== null && JSON.stringify(values) === base) return
    form.current.offered = null
    const stored = writeNow(form.current, { version, values })
    setState(stored ? { kind: isStored(key) ? 'saved' : 'none' } : { kind: 'failed' })
  }, [latest, version, setState])

  useEffect(() => {
    if (name === null) return
    const start = latest().getValues()
    const key = draftKey(name)
    const base = JSON.stringify(start)
    const found = openDraft(readDraft<V>(localStorage, key, Date.now()), start, { version, carry: latest().carry })
    const offered = found.kind === 'offered' ? found.values : null
    form.current = { key, base, start, offered, at: 0, isOpen: true, convert: asTheyAre }
    if (found.kind === 'restored') latest().restore(found.values)
    if (found.kind !== 'none') setState({ kind: found.kind, at: found.at })
    return () => {
      const left = form.current
      if (!left) return
      left.isOpen = false
      if (getSession().token === null) return
      const values = left.convert(latest().getValues())
      if (JSON.stringify(values) === left.base) return
      writeNow(left, { version, values })
      if (isStored(left.key) && !quiet) sayLeft((current) => left.address ?? current)
    }
  }, [name, version, quiet, latest, sayLeft, setState])

  usePageEnd(store)

  const forget = () => {
    if (form.current) localStorage.removeItem(form.current.key)
    setState({ kind: 'none' })
  }
  const end = ({ sent, start }: SentForm<V>, record?: DraftOfRecord<V>) => {
    if (!form.current) return
    const { key: from, at, isOpen } = form.current
    const to = record === undefined ? from : draftKey(record.name)
    const { address, convert = asTheyAre } = record ?? {}
    if (!isOpen) {
      keepTypedLater(localStorage, { from, to, at, convert }, { sent, start }, Date.now())
      // The way back that was offered when the form was left leads to the record from now on.
      form.current.address = address
      return
    }
    forget()
    form.current = { key: to, base: JSON.stringify(convert(start)), start, offered: null, at: 0, isOpen, address, convert }
    // What was typed later may have been stored before the answer, and then nothing would store it again.
    if (JSON.stringify(latest().getValues()) !== JSON.stringify(sent)) store()
  }
  return {
    state,
    isUnstored,
    store,
    accept: () => {
      if (!form.current?.offered) return
      restore(form.current.offered)
      form.current.offered = null
      if (state.kind === 'offered') setState({ kind: 'restored', at: state.at })
    },
    discard: () => {
      if (form.current && state.kind !== 'offered') restore(form.current.start)
      forget()
    },
    done: (start, sent = getValues()) => end({ sent: sent as V, start: (start ?? sent) as V }),
    saved: (sent, record) => end({ sent, start: sent }, record),
  }
}

/** Stores the draft of a form and notes when; false if the browser refuses to store it. */
function writeNow<V>(form: DraftedForm<V>, typed: { version: string | undefined; values: V }): boolean {
  form.at = Date.now()
  return writeDraft(localStorage, form.key, { base: form.base, at: form.at, ...typed })
}

/** The state of a draft. Whether it could not be stored is known at once: a form that was sent is left before it is rendered again. */
export function useDraftState() {
  const [state, show] = useState<LocalDraftState>({ kind: 'none' })
  const newest = useRef(state)
  const setState = useCallback((next: LocalDraftState) => {
    newest.current = next
    show(next)
  }, [])
  const isUnstored = useCallback(() => newest.current.kind === 'failed', [])
  return { state, setState, isUnstored }
}

const asTheyAre = <V>(values: V): V => values

/**
 * The end of the name of a new record's draft. Somebody with several projects works for one at a time, and what was typed for one does not open in the
 * form of another. `like` tells new records apart that begin in different ways.
 */
export const nameOfNew = (like = ''): string => `new-${getSession().info?.user.deptId ?? ''}${like}`

const isStored = (key: string) => localStorage.getItem(key) !== null

/** The draft of a form of react-hook-form. */
export function useCallDraft<V extends FieldValues, B>(
  form: CallForm<V, B>,
  name: string | null,
  options: DraftOptions<V> = {},
): SavedDraft<V> {
  const { store, ...draft } = useDraftOf<V>({ name, getValues: () => structuredClone(form.getValues()), restore: form.change, ...options })
  useAutosave(form, { enabled: name !== null, quietMs, save: store })
  return draft
}

/** The draft of a form that holds its values itself. */
export function useValuesDraft<V extends object>(
  name: string | null,
  values: V,
  restore: (values: V) => void,
  options: DraftOptions<V> = {},
): SavedDraft<V> {
  const typed = JSON.stringify(values)
  const stored = useRef(typed)
  const restoreStored = (found: V) => {
    // It is stored already, so that the form goes on saying when it was typed, and that it can be discarded.
    stored.current = JSON.stringify(found)
    restore(found)
  }
  const { store, ...draft } = useDraftOf({ name, getValues: () => values, restore: restoreStored, ...options })
  useEffect(() => {
    if (typed === stored.current) return
    stored.current = typed
    const timer = setTimeout(store, quietMs)
    return () => clearTimeout(timer)
  }, [typed, store])
  return draft
}
