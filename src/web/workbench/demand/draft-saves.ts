import { saveDraft } from '#shared/demand/contract.ts'
import type { Answered, Call } from '#shared/endpoint.ts'
import { ApiError, call, maySendAgain } from '../../app/api.ts'
import { whenPersonChanges } from '../../app/session.ts'
import { moveDialogDraft } from '../../app/use-dialog-draft.ts'
import { answerMs, within } from '../../app/within.ts'
import type { DemandForm } from './draft.ts'

export type StoredDraft = Answered<typeof saveDraft>
/** A save that was sent. Until `stored` has the answer, it may have reached the server or not. */
type Save = { body: Call<typeof saveDraft>['body']; stored?: StoredDraft }

/** The last save without an answer, by the name of its draft. Its form may have been left since. */
const unanswered = new Map<string, Save>()
/** The newest version of a draft that this tab has stored: the save of a form that was left may come through after the draft was opened again. */
const newest = new Map<number, number>()
/** The last save of each name. Saves of one draft follow each other, so none is refused for one that is still on its way. */
const underWay = new Map<string, Promise<unknown>>()
whenPersonChanges(() => {
  for (const known of [unanswered, newest, underWay]) known.clear()
})

/** Names the rows that were pasted into the form of this draft and are not among its lines yet. */
export const nameOfPasted = (draft: string): string => `${draft}-paste`

/** The saves of one form, which continues the draft `first` or begins one; `start` says which form of a new draft it is. */
export function draftSaves(first: StoredDraft | null, start: string) {
  /** The draft as the form has saved it. */
  let own = first
  /** The first save of a draft, sent by a form that was left before or by an attempt without an answer; this form goes on with its text. */
  let begun: Save | undefined
  const name = () => nameOf(own?.id ?? start)
  /** Asks again for the answer to a save: under its idempotency key nothing is stored twice. */
  const repeat = async (): Promise<Save | undefined> => {
    const save = unanswered.get(name())
    if (!save) return undefined
    try {
      await send(name(), save)
      if (save.body.id === undefined) begun = save
      return save
    } catch (error) {
      // One that is refused was not stored, so the draft is as it was before.
      if (!isRefused(error)) throw error
      return undefined
    }
  }
  const store = async (values: DemandForm & { deptId: number }, asNew: boolean): Promise<StoredDraft> => {
    // A first save is known at once to the form that opens as this one is left.
    const repeated = unanswered.has(name()) ? await repeat() : undefined
    const { deptId } = values
    if (repeated?.stored && JSON.stringify([repeated.body.deptId, repeated.body.form]) === JSON.stringify([deptId, values]))
      return repeated.stored
    // A copy whose first attempt has come through goes on as that draft.
    const before = asNew && (!repeated || repeated.body.id !== undefined) ? null : newestOf(begun?.stored ?? own)
    return send(name(), { body: { ...before, deptId, form: values } })
  }
  return {
    name,
    /** The draft as the form continues it. */
    stored: () => newestOf(own),
    /** Runs when the form opens. */
    open: () => {
      const save = unanswered.get(name())
      if (save === undefined || save.body.id !== undefined) return
      // What was to be a copy of this draft is another one.
      if (own) unanswered.delete(name())
      else begun = save
    },
    /** Stores the form as the next version of its draft, or as a new draft. */
    save: (values: DemandForm & { deptId: number }, asNew: boolean): Promise<StoredDraft> =>
      inTurn(name(), async () => {
        const before = name()
        own = await store(values, asNew)
        begun = undefined
        moveDialogDraft(nameOfPasted(before), nameOfPasted(name()))
        return own
      }),
    /** Gives the draft once every save that was sent is answered, or what is known of it after a while. */
    settle: async (): Promise<StoredDraft | null> => {
      await within(answerMs, inTurn(name(), repeat))
      return newestOf(begun?.stored ?? own)
    },
  }
}

/** Resolves once the saves of that draft which this tab has sent are answered, or after a while: who opens it then gets what was saved. */
export const draftAnswered = (id: number): Promise<unknown> => within(answerMs, underWay.get(nameOf(id)))

const nameOf = (draft: number | string) => `demand-${draft}`

const newestOf = (draft: StoredDraft | null): StoredDraft | null =>
  draft && { id: draft.id, version: Math.max(draft.version, newest.get(draft.id) ?? 0) }

async function send(name: string, save: Save): Promise<StoredDraft> {
  unanswered.set(name, save)
  try {
    const stored = await call(saveDraft, { body: save.body }, true)
    save.stored = stored
    newest.set(stored.id, stored.version)
    unanswered.delete(name)
    return stored
  } catch (error) {
    if (isRefused(error)) unanswered.delete(name)
    throw error
  }
}

const isRefused = (error: unknown): boolean => error instanceof ApiError && !maySendAgain(error)

async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
  const before = underWay.get(name)
  const turn = before ? before.then(run) : run()
  const ended = turn.then(
    () => undefined,
    () => undefined,
  )
  underWay.set(name, ended)
  try {
    return await turn
  } finally {
    if (underWay.get(name) === ended) underWay.delete(name)
  }
}
