import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { saveDraft } from '#shared/demand/contract.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../app/api.ts'
import type { ContractForm } from '../app/contract-form.ts'
import { draftPrefix, readDraft, writeDraft, type LocalDraft } from '../app/local-draft.ts'
import { getSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { useAutosave } from '../app/use-autosave.ts'
import type { LocalDraftOf, LocalDraftState } from '../app/use-local-draft.ts'
import { toast } from '../ui/toast.tsx'
import type { DemandForm } from './draft.ts'

/** Milliseconds without a change after which a draft is saved. */
const quietMs = 1200

type StoredDraft = { id: number; version: number } | null
export type DraftState = { kind: 'idle' | 'saving' | 'failed' | 'conflict' } | { kind: 'saved'; at: string }
type Form = Pick<ContractForm<DemandForm>, 'getValues' | 'subscribe' | 'change'>

/**
 * Saves the form as a draft on the server whenever it changes, once a project is chosen. If somebody else has saved the same draft meanwhile, the
 * state becomes `conflict`: nothing is overwritten, and the person may save their text as a new draft. What the server does not have yet is
 * stored in this browser when a save fails and when the form is left (`local`).
 */
export function useDraft(form: Form, first: StoredDraft, enabled: boolean, onSaved: (saved: NonNullable<StoredDraft>) => void) {
  const text = useText()
  const [state, setState] = useState<DraftState>({ kind: 'idle' })
  const stored = useRef<StoredDraft>(first)
  const busy = useRef(false)
  const stopped = useRef(false)
  const { getValues } = form
  const { mark, keep, forget, restore, local } = useUnsaved(form, stored, enabled)

  const save = useCallback(
    async (asNew = false): Promise<boolean> => {
      const values = getValues()
      if (values.deptId === null || stopped.current) return true
      // The save under way may not have the newest text.
      if (busy.current) return false
      busy.current = true
      mark(false)
      setState({ kind: 'saving' })
      try {
        const base = asNew ? null : stored.current
        const body = { ...(base && { id: base.id, version: base.version }), deptId: values.deptId, form: values }
        const saved = await call(saveDraft, { body }, true)
        forget()
        stored.current = saved
        setState({ kind: 'saved', at: new Date().toLocaleTimeString(text.locale, { hour: '2-digit', minute: '2-digit' }) })
        onSaved(saved)
        return true
      } catch (error) {
        mark(true)
        keep()
        if (!(error instanceof ApiError)) throw error
        setState({ kind: error.code === 409 ? 'conflict' : 'failed' })
        return error.code === 409
      } finally {
        busy.current = false
      }
    },
    [getValues, onSaved, text.locale, mark, keep, forget],
  )

  useAutosave(form, { enabled: enabled && state.kind !== 'conflict', quietMs, save })
  // Comes after the automatic save has begun to listen, so that what is put back is saved.
  useEffect(() => {
    if (enabled) restore()
  }, [enabled, restore])

  return { state, save, local, draftId: () => stored.current?.id, stop: (whether: boolean) => void (stopped.current = whether) }
}

/**
 * What the server does not have yet, as this browser stores it: under the id of the draft, or under the address of a form that has no draft yet. It
 * is put back when the form opens again; if the draft was saved elsewhere meanwhile, the person decides.
 */
function useUnsaved({ getValues, subscribe, change }: Form, stored: { readonly current: StoredDraft }, enabled: boolean) {
  const { draft: words } = useText().site
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const [state, setState] = useState<LocalDraftState>({ kind: 'none' })
  const unsaved = useRef(false)
  const found = useRef<LocalDraft<DemandForm> | null>(null)
  const [start] = useState(() => structuredClone(getValues()))
  const mark = useCallback((whether: boolean) => void (unsaved.current = whether), [])
  const keyOf = useCallback(
    () => `${draftPrefix}${getSession().info?.user.userId ?? ''}:demand-${stored.current?.id ?? search}`,
    [stored, search],
  )
  const keep = useCallback(() => {
    if (!unsaved.current || getSession().token === null) return
    const base = String(stored.current?.version ?? '')
    if (!writeDraft(localStorage, keyOf(), { base, at: Date.now(), values: getValues() })) setState({ kind: 'failed' })
  }, [getValues, keyOf, stored])
  const forget = useCallback(() => {
    localStorage.removeItem(keyOf())
    setState({ kind: 'none' })
  }, [keyOf])

  const latest = useRef({ change, leave: keep })
  useEffect(() => {
    const leave = () => {
      keep()
      if (!unsaved.current || getSession().token === null) return
      const address = stored.current ? paths.addDemand(`?draft=${stored.current.id}`) : pathname + search
      toast('info', words.left, { label: words.goOn, run: () => void navigate(address) })
    }
    latest.current = { change, leave }
  })
  useEffect(() => {
    if (!enabled) return
    const unsubscribe = subscribe({ formState: { values: true }, callback: () => mark(true) })
    addEventListener('pagehide', keep)
    return () => {
      unsubscribe()
      removeEventListener('pagehide', keep)
      latest.current.leave()
    }
  }, [enabled, subscribe, mark, keep])

  const restore = useCallback(() => {
    found.current = readDraft<DemandForm>(localStorage, keyOf(), Date.now())
    if (!found.current) return
    const { at, base, values } = found.current
    const isNewest = base === String(stored.current?.version ?? '')
    if (isNewest) latest.current.change(values)
    setState({ kind: isNewest ? 'restored' : 'offered', at })
  }, [keyOf, stored])

  const local: LocalDraftOf = {
    state,
    accept: () => {
      if (!found.current) return
      change(found.current.values)
      setState({ kind: 'restored', at: found.current.at })
    },
    discard: () => {
      if (state.kind === 'restored') change(start)
      forget()
    },
    done: () => {
      mark(false)
      forget()
    },
  }
  return { mark, keep, forget, restore, local }
}
