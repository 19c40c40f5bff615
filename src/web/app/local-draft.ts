import { dayMs } from '#shared/calendar.ts'
import { sortedJson } from '#shared/sorted-json.ts'

/** What somebody typed into a form and has not sent, as this browser stores it. */
export type LocalDraft<V> = {
  /** The state that the form started from, as JSON. A record that has changed since has another one. */
  base: string
  /** The version of the record that the form was opened on, where its state does not tell. */
  version?: string | undefined
  /** Milliseconds since 1970. */
  at: number
  values: V
  /** Saves that the server had not answered, each as `sortedJson`. A record that equals one of them was saved from this browser. */
  sent?: readonly string[]
}

/** Days after which a draft is no longer offered. */
const offeredDays = 14

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Reads the draft of a form, and deletes one that is old or unreadable. */
export function readDraft<V>(store: Store, key: string, now: number): LocalDraft<V> | null {
  const stored = store.getItem(key)
  if (stored === null) return null
  try {
    const draft = JSON.parse(stored) as LocalDraft<V>
    if (typeof draft.base === 'string' && now - draft.at < offeredDays * dayMs && typeof draft.values === 'object') return draft
  } catch (error) {
    // Somebody edited the storage: the text is lost either way.
    if (!(error instanceof SyntaxError)) throw error
  }
  store.removeItem(key)
  return null
}

/**
 * Whether a form that starts from `start` goes on with a draft: the draft was typed on the same version and the same state. Fields that the form of
 * the draft did not have yet, because an update of the pages has brought them, keep their start.
 */
function isContinued<V extends object>(found: LocalDraft<V>, start: V, version?: string): boolean {
  if (found.version !== version) return false
  const state = JSON.stringify(start)
  if (found.base === state) return true
  try {
    const base = JSON.parse(found.base) as unknown
    // The base of a draft that continues one on the server is a version.
    return typeof base === 'object' && base !== null && JSON.stringify({ ...start, ...base }) === state
  } catch {
    return false
  }
}

type Opened<V> = { kind: 'none' } | { kind: 'restored' | 'offered'; at: number; values: V }

/**
 * What becomes of the draft that a form finds which starts from `start`: restored where the form goes on with it, and otherwise offered, because the
 * record has changed since. `carry` picks what holds of a draft of another version; where nothing does, there is no offer.
 */
export function openDraft<V extends object>(
  found: LocalDraft<V> | null,
  start: V,
  { version, carry }: { version: string | undefined; carry: (values: V) => Partial<V> },
): Opened<V> {
  if (!found) return { kind: 'none' }
  const values = { ...start, ...(found.version === version ? found.values : carry(found.values)) }
  if (isContinued(found, start, version)) return { kind: 'restored', at: found.at, values }
  return JSON.stringify(values) === JSON.stringify(start) ? { kind: 'none' } : { kind: 'offered', at: found.at, values }
}

/** Stores a draft; one that equals the start of the form is deleted. Returns false if the browser refuses to store it. */
export function writeDraft<V>(store: Store, key: string, draft: LocalDraft<V>): boolean {
  try {
    if (JSON.stringify(draft.values) === draft.base) store.removeItem(key)
    else store.setItem(key, JSON.stringify(draft))
    return true
  } catch (error) {
    if (error instanceof DOMException) return false
    throw error
  }
}

/** What a form has sent, and the state from which it goes on, which is another one where sending empties it. */
export type SentForm<V> = { sent: V; start: V }

/** `at`: when the form that was left stored its draft. `to` is another key than `from` where the save has made a record, whose form starts from `convert`. */
type LeftForm<V> = { from: string; to: string; at: number; convert: (values: V) => V }

/**
 * Leaves of the draft of a form that was left before its save was answered what was typed after it. This goes on from `start`, under the key `to`.
 * What another new form has stored under the same key meanwhile is not of this record, and stays.
 */
export function keepTypedLater<V extends object>(
  store: Store,
  { from, to, at, convert }: LeftForm<V>,
  { sent, start }: SentForm<V>,
  now: number,
): void {
  const found = readDraft<V>(store, from, now)
  if (!found) return
  const isLater = JSON.stringify(found.values) !== JSON.stringify(sent)
  if (isLater && from !== to && found.at !== at) return
  store.removeItem(from)
  if (isLater) writeDraft(store, to, { ...found, base: JSON.stringify(convert(start)), values: convert(found.values) })
}

/**
 * What becomes of a draft found beside the record of the server: nothing where the record holds it, restored where it continues the record, and
 * otherwise offered, because somebody else has changed the record.
 */
export function stateOf<V>(found: LocalDraft<V>, version: string, record: V): 'none' | 'restored' | 'offered' {
  const opened = sortedJson(record)
  if (sortedJson(found.values) === opened) return 'none'
  return found.base === version || found.sent?.includes(opened) ? 'restored' : 'offered'
}
