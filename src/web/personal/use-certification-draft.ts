import type { Query } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { listOwnCertifications, saveCertificationDraft, type Certification } from '#shared/certification/contract.ts'
import type { CertificationKind } from '#shared/certification/rules.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../app/api.ts'
import { queries } from '../app/queries.ts'
import { personSignedIn } from '../app/session.ts'
import { useStoredDraft } from '../app/use-stored-draft.ts'
import { answerMs, within } from '../app/within.ts'
import { certificationInputOf, type CertificationFormState, type CertificationValues } from './certification-values.ts'

/** Milliseconds without a change after which the draft is saved. */
const quietMs = 2000

/** What this tab has saved last, by account and kind: the save of a form that was left may come through after it opened again. */
const savedHere = new Map<string, { version: number; values: CertificationValues }>()

/** The last save of this tab. Saves follow each other, so none is refused for one that is still on its way. */
let underWay: Promise<unknown> = Promise.resolve()

/** The draft of a first application. `version` is that of the certification when the form opened, 0 where there is none. */
export function useCertificationDraft<B>(
  form: CertificationFormState<B>,
  { kind, version, enabled }: { kind: CertificationKind; version: number; enabled: boolean },
) {
  const [opened] = useState(version)
  const key = `${personSignedIn() ?? ''}:${kind}`
  const newest = useCallback(() => Math.max(opened, savedHere.get(key)?.version ?? 0), [opened, key])
  const send = useCallback(
    async (values: CertificationValues) => {
      const person = personSignedIn()
      const saving = underWay.then(() => {
        // The save before it may have hung until somebody else signed in.
        if (personSignedIn() !== person) throw new ApiError(0, '', null)
        return call(saveCertificationDraft, { body: { kind, ...certificationInputOf(values), version: newest() } }, true)
      })
      underWay = saving.then(
        ({ version: next }) => savedHere.set(key, { version: next, values }),
        () => undefined,
      )
      const saved = await saving
      // Who comes back to the form gets this draft and no older one, also where an answer with an older one is on its way.
      const fetched = { queryKey: [listOwnCertifications.url], predicate: ({ state }: Query) => state.data !== undefined }
      await queries.cancelQueries(fetched)
      queries.setQueriesData<Certification[]>(fetched, (own) =>
        own?.some(({ id }) => id === saved.id) ? own.map((one) => (one.id === saved.id ? saved : one)) : own && [...own, saved],
      )
    },
    [kind, key, newest],
  )
  const draft = useStoredDraft<CertificationValues>(form, {
    enabled,
    quietMs,
    name: () => `certification-${kind}`,
    version: () => String(newest()),
    savedSince: () => {
      const saved = savedHere.get(key)
      return saved && saved.version > opened ? saved.values : undefined
    },
    address: () => paths.certificationOf(kind),
    send,
  })
  /** Gives the version to hand in, once every save that was sent is answered, or what is known of it after a while. */
  const settle = async (): Promise<number> => {
    await within(answerMs, underWay)
    return newest()
  }
  return { ...draft, settle }
}
