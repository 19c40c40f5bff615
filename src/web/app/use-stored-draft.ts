import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { toMoment } from '#shared/calendar.ts'
import { ApiError, maySendAgain } from './api.ts'
import type { CallForm } from './call-form.ts'
import { readDraft, stateOf, writeDraft, type LocalDraft } from './local-draft.ts'
import { draftKey, getSession, personSignedIn } from './session.ts'
import { noteSave, unansweredSaves } from './unanswered-saves.ts'
import { useAutosave } from './use-autosave.ts'
import { useDraftState, type LocalDraftOf } from './use-local-draft.ts'
import { useLatest } from './use-latest.ts'
import { useLeftToast } from './use-left-toast.ts'
import { usePageEnd } from './use-page-end.ts'

/** `why`: of a save that failed, the words of a server that refused it, empty where it did not answer or failed; of a conflict, why no copy was stored. */
export type StoredDraftState = { kind: 'idle' | 'saving' } | { kind: 'conflict' | 'failed'; why: string } | { kind: 'saved'; at: string }
type Form<V extends FieldValues> = Pick<CallForm<V>, 'getValues' | 'subscribe' | 'change'>

type Source<V> = {
  enabled: boolean
  quietMs: number
  /** Names the draft in this browser. A new draft may get another name with its first save. */
  name: () => string
  /** The version of the draft that the form continues; empty while the server has none. */
  version: () => string
  /** The address that opens the form again. */
  address: (current: string) => string
  /** What this tab has saved since the record was read that the form opened with; the form goes on from there. */
  savedSince?: () => V | undefined
  /** Whether enough is typed to be saved; always, where it is absent. */
  canSave?: (values: V) => boolean
  /** Sends the values, and shows nothing: `afterFailure` says what becomes of the draft. */
  send: (values: V, asNew: boolean) => Promise<void>
}

/** What is being saved, by draft. */
const underWay = new Map<string, object>()

/** The form opened last, by draft. A save of a form that was left may end after its draft was opened again, and then touches nothing. */
const openedLast = new Map<string, object>()

/**
 * The draft of a form which the server stores: it is saved whenever the form changes and when the form is left. If the draft was saved elsewhere
 * meanwhile, the state becomes `conflict` and nothing is overwritten. What the server has not confirmed yet is stored in this browser when a
 * save begins or fails and when the form is left (`local`).
 */
export function useStoredDraft<V extends FieldValues>(form: Form<V>, source: Source<V>) {
  const [state, setState] = useState<StoredDraftState>({ kind: 'idle' })
  const busy = useRef(false)
  const isQueued = useRef(false)
  const stopped = useRef(false)
  const saving = useRef<Promise<boolean>>(Promise.resolve(true))
  const whenSaved = useCallback(() => saving.current, [])
  const isStopped = useCallback(() => stopped.current, [])
  const { enabled, quietMs, send, canSave } = source
  const { getValues } = form
  const { mark, keep, forget, restore, local, keyOf, isOvertaken, rename } = useUnsaved(form, source, whenSaved)

  const run = useCallback(
    async (asNew: boolean): Promise<boolean> => {
      const key = keyOf()
      // The form that was opened since has what this one would save, and may have saved more.
      if (stopped.current || isOvertaken(key) || getSession().token === null || canSave?.(getValues()) === false) return true
      busy.current = true
      const values = structuredClone(getValues())
      const stored = noteSave(key, values)
      mark(false)
      keep(true)
      setState({ kind: 'saving' })
      underWay.set(key, values)
      try {
        await send(values, asNew)
        stored()
        if (keyOf() !== key) {
          rename(key)
          forget(key)
        }
        forget()
        // What was typed meanwhile continues the new version.
        keep()
        setState({ kind: 'saved', at: toMoment(new Date()).slice(11, 16) })
        return true
      } catch (error) {
        mark(true)
        keep()
        if (!(error instanceof ApiError)) throw error
        const next = afterFailure(error, asNew)
        setState(next)
        return next.kind === 'conflict'
      } finally {
        busy.current = false
        if (underWay.get(key) === values) underWay.delete(key)
      }
    },
    [getValues, send, canSave, mark, keep, forget, keyOf, isOvertaken, rename],
  )
  const save = useCallback(
    (asNew = false): Promise<boolean> => {
      // The save under way may not have the newest text, so one more follows it.
      const next = () => {
        isQueued.current = false
        return run(asNew)
      }
      if (!busy.current) saving.current = run(asNew)
      else if (!isQueued.current) {
        isQueued.current = true
        saving.current = saving.current.then(next, next)
      }
      return saving.current
    },
    [run],
  )

  useAutosave(form, { enabled: enabled && state.kind !== 'conflict', quietMs, save })
  // Comes after the automatic save has begun to listen, so that what is put back is saved.
  useEffect(() => {
    if (enabled) restore()
  }, [enabled, restore])

  return { state, save, local, whenSaved, isStopped, stop: (whether: boolean) => void (stopped.current = whether) }
}

/**
 * The state after a save that failed. Code 409 means that somebody else has saved or published the draft meanwhile, 404 that they deleted it; any other
 * refusal says what to do.
 * That a copy (`asNew`) was not stored ends no conflict: nothing tries it again, so its button stays, with the reason.
 */
export function afterFailure(error: ApiError, asNew: boolean): StoredDraftState {
  if (asNew) return { kind: 'conflict', why: error.message }
  return [404, 409].includes(error.code) ? { kind: 'conflict', why: '' } : { kind: 'failed', why: maySendAgain(error) ? '' : error.message }
}

/**
 * What the server does not have yet, as this browser stores it. It is put back when the form opens again; if the draft was saved elsewhere
 * meanwhile, the person decides. It is stored under the person for whom the form opened: while the project is switched nobody is known for a moment.
 */
function useUnsaved<V extends FieldValues>(
  { getValues, subscribe, change }: Form<V>,
  source: Source<V>,
  /** Resolves when the save under way has ended. */
  whenSaved: () => Promise<boolean>,
) {
  const { state, setState, isUnstored } = useDraftState()
  const unsaved = useRef(false)
  /** Whether something is unsaved or in a save that is under way. */
  const isUnconfirmed = useRef(false)
  const [own] = useState(() => ownDraft<V>())
  /** Whether the person still has to decide about what was found. */
  const isOffered = useRef(false)
  const [opened] = useState(() => structuredClone(getValues()))
  const start = useRef(opened)
  const latest = useLatest({ source, change })
  const mark = useCallback((whether: boolean) => {
    unsaved.current = whether
    if (whether) isUnconfirmed.current = true
  }, [])
  const [person] = useState<number | ''>(() => personSignedIn() ?? '')
  const keyOf = useCallback(() => draftKey(latest().source.name(), person), [latest, person])
  const { claim, isOvertaken, rename } = useOwner(keyOf)
  const keep = useCallback(
    (isSaving = false) => {
      // A save that begins keeps what it sends, as the page may end before the answer; it does not write over what is offered.
      if ((isSaving ? isOffered.current : !unsaved.current) || isOvertaken(keyOf()) || getSession().token === null) return
      const draft = { base: latest().source.version(), at: Date.now(), values: getValues(), sent: unansweredSaves(keyOf()) }
      if (!own.write(keyOf(), draft)) setState({ kind: 'failed' })
    },
    [getValues, keyOf, isOvertaken, latest, setState, own],
  )
  const forget = useCallback(
    (key = keyOf()) => {
      if (isOvertaken(key)) return
      // What was typed during the save is not on the server yet, and what is offered waits for a decision.
      if (key === keyOf() && (unsaved.current || isOffered.current)) return
      if (key === keyOf()) isUnconfirmed.current = false
      own.remove(key)
      setState({ kind: 'none' })
    },
    [keyOf, isOvertaken, setState, own],
  )
  const address = useCallback((current: string) => latest().source.address(current), [latest])
  const isUnsettled = useCallback(() => isUnconfirmed.current, [])
  useLeaving(source.enabled ? subscribe : null, { mark, keep, isUnsettled, address, whenSaved })

  const restore = useCallback(() => {
    claim()
    const saved = latest().source.savedSince?.()
    if (saved) start.current = saved
    const { draft, kind, going = saved } = openUnsaved<V>(keyOf(), latest().source.version(), start.current)
    own.find(draft)
    isOffered.current = kind === 'offered'
    if (going) latest().change(going)
    if (draft && kind !== 'none') setState({ kind, at: draft.at })
  }, [keyOf, claim, latest, setState, own])

  const drop = () => {
    mark(false)
    isOffered.current = false
    forget()
  }
  const local: LocalDraftOf = {
    state,
    isUnstored,
    accept: () => {
      if (!own.found) return
      isOffered.current = false
      change(own.found.values)
      setState({ kind: 'restored', at: own.found.at })
    },
    discard: () => {
      if (state.kind === 'restored') change(start.current)
      drop()
    },
    done: drop,
  }
  return { mark, keep, forget, restore, local, keyOf, isOvertaken, rename }
}

/**
 * What this browser has of a draft whose form opens with `record`. `going`: the values with which the form goes on; a save under way may have no other
 * place, because beside an offer nothing else is stored, and a browser may refuse to store.
 */
function openUnsaved<V>(key: string, version: string, record: V) {
  const draft = readDraft<V>(localStorage, key, Date.now())
  const kind = draft ? stateOf(draft, version, record) : 'none'
  if (kind === 'none') localStorage.removeItem(key)
  return { draft, kind, going: kind === 'restored' ? draft?.values : (underWay.get(key) as V | undefined) }
}

/** The draft in this browser as a form found and wrote it. One of another moment was written by another tab since, and is not removed. */
export function ownDraft<V>(store: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = () => localStorage) {
  let at: number | undefined
  const own = {
    found: null as LocalDraft<V> | null,
    find: (draft: LocalDraft<V> | null) => {
      own.found = draft
      at = draft?.at
    },
    write: (key: string, draft: LocalDraft<V>) => {
      const isStored = writeDraft(store(), key, draft)
      if (isStored) at = draft.at
      return isStored
    },
    remove: (key: string) => {
      if (readDraft<V>(store(), key, Date.now())?.at === at) store().removeItem(key)
    },
  }
  return own
}

/** Whether the form is the one opened last for its draft. */
function useOwner(keyOf: () => string) {
  const [self] = useState(() => ({}))
  const claim = useCallback(() => void openedLast.set(keyOf(), self), [keyOf, self])
  const isOvertaken = useCallback((key: string) => (openedLast.get(key) ?? self) !== self, [self])
  /** Whoever has the form of a new draft has that of the draft, too, once its first save has given it another name. */
  const rename = useCallback(
    (from: string) => {
      if (!openedLast.has(keyOf())) openedLast.set(keyOf(), openedLast.get(from) ?? self)
    },
    [keyOf, self],
  )
  return { claim, isOvertaken, rename }
}

type Leaving = {
  mark: (whether: boolean) => void
  keep: () => void
  /** Whether something is unsaved, or in a save that is under way. */
  isUnsettled: () => boolean
  address: (current: string) => string
  whenSaved: () => Promise<boolean>
}

/** Marks what changes, stores it where the page or the session ends, and leads back where the form is left. Without `subscribe` it does nothing. */
function useLeaving<V extends FieldValues>(
  subscribe: Form<V>['subscribe'] | null,
  { mark, keep, isUnsettled, address, whenSaved }: Leaving,
): void {
  const sayLeft = useLeftToast()
  const end = useCallback(() => keep(), [keep])
  usePageEnd(subscribe && end)
  useEffect(() => {
    if (!subscribe) return
    const unsubscribe = subscribe({ formState: { values: true }, callback: () => mark(true) })
    return () => {
      unsubscribe()
      keep()
      // The save under way, or the one that begins now, gives a new draft its address and every draft another version: the way back waits for it.
      if (isUnsettled() && getSession().token !== null) sayLeft(address, whenSaved)
    }
  }, [subscribe, mark, keep, isUnsettled, address, whenSaved, sayLeft])
}
