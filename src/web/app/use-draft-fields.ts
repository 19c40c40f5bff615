import { useEffect } from 'react'
import type { z } from 'zod'
import { useDialogDraft } from './use-dialog-draft.ts'
import { useFields } from './use-form.ts'

/** Like useFields; what is typed stays in this tab until it is sent. `draft` names the form and its object. */
export function useDraftFields<S extends z.ZodType, V extends Record<string, unknown>>(schema: S, blank: V, draft: string) {
  const [draftValues, storeDraft, forgetDraft] = useDialogDraft(draft, blank)
  const form = useFields(schema, draftValues)
  const { values, setValues } = form
  useEffect(() => storeDraft(values), [storeDraft, values])
  const submit = (send: (body: z.input<S>) => Promise<void>, beside: object = {}, onOutdated?: () => unknown): Promise<void> =>
    form.submit(
      async (body) => {
        await send(body)
        forgetDraft()
        // In a form that goes on, what was typed meanwhile stays and is stored again. A dialog that closes once it was sent ends with what was typed.
        setValues((now) => (now === values ? blank : { ...now }))
      },
      beside,
      onOutdated,
    )
  return { ...form, submit }
}
