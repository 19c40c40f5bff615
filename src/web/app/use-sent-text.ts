import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#shared/endpoint.ts'
import { isOutdated } from './outdated.ts'
import { invalidate } from './queries.ts'
import { useForm } from './use-form.ts'
import { useValuesDraft } from './use-local-draft.ts'
import { toast } from '../ui/toast.tsx'

type SentText = {
  /** The draft of the text, null where nothing is to be stored. */
  name: string | null
  /** The name of the text in the schema and in the draft. */
  field: string
  /** What the field begins with. */
  start?: string
  /** The rest of what the schema checks. */
  beside?: object
  send: (text: string) => Promise<unknown>
  /** The words of the toast. */
  done: string
  /** The calls that are fetched again once the text is sent, or refused because its object has changed. */
  changes: [Endpoint, ...Endpoint[]]
  quiet?: boolean
  onRestore?: () => void
  /** For a text that stays in its field: gets what was sent and what the field holds now. Without it the field is emptied for the next text. */
  onSent?: (sent: string, typed: string) => void
}

/** The state of one text that is sent again and again, such as a reply. The next may be typed while this one is sent, and stays. */
export function useSentText(schema: z.ZodType, options: SentText) {
  const { name, field, start = '', beside, send, done, changes, quiet = false, onRestore, onSent } = options
  const [typed, setTyped] = useState(start)
  const form = useForm(schema)
  const restore = (stored: Record<string, string>) => {
    setTyped(stored[field] ?? '')
    onRestore?.()
  }
  const draft = useValuesDraft(name, { [field]: typed }, restore, { quiet })
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (_, sent) => {
      toast('success', done)
      if (onSent) draft.saved({ [field]: sent })
      else draft.done({ [field]: '' }, { [field]: sent })
      if (onSent) onSent(sent, typed)
      else setTyped((now) => (now === sent ? '' : now))
      return invalidate(...changes)
    },
    onError: (error) => {
      form.refused(error)
      return isOutdated(error) ? invalidate(...changes) : undefined
    },
  })
  return {
    draft,
    setTyped,
    busy: sending.isPending,
    submit: () => {
      if (form.check({ ...beside, [field]: typed }) !== null) sending.mutate(typed)
    },
    /** For the field of the text. */
    input: {
      value: typed,
      error: form.errors[field],
      onChange: (value: string) => {
        setTyped(value)
        form.clear(field)
      },
    },
  }
}
