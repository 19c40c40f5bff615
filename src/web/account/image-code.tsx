import { useCallback, useEffect, useState } from 'react'
import { getImageCode } from '#shared/account/contract.ts'
import { imageCodeLength, type codeTypes } from '#shared/account/rules.ts'
import { call } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import type { FormState } from '../app/use-form.ts'
import { Field } from '../ui/parts.tsx'
import { repeatMs } from '../ui/throttle.ts'

export type Code = { uuid: string; code: string }

/** A picture code with its field. A new code is fetched at a click, after each failed try (`round`) and whenever `onChange` is another function. */
export function ImageCode({
  type,
  value,
  onChange,
  onComplete,
  form,
  round,
}: {
  type: (typeof codeTypes)[number]
  value: Code
  onChange: (code: Code) => void
  /** Called when all letters have been typed. */
  onComplete?: (code: Code) => void
  form: Pick<FormState, 'errors' | 'clear'>
  round: number
}) {
  const text = useText()
  const [picture, setPicture] = useState<string | null>(null)
  const refresh = useCallback(async () => {
    const { uuid, img, mime } = await call(getImageCode, { query: { type } })
    setPicture(`data:${mime};base64,${img}`)
    onChange({ uuid, code: '' })
  }, [type, onChange])
  useEffect(() => void refresh().catch(() => undefined), [refresh, round])
  return (
    <Field label={text.site.contact.code} error={form.errors.code} required>
      {(control) => (
        <div className="row nowrap">
          <input
            {...control}
            className="input"
            autoComplete="off"
            maxLength={6}
            // What is typed before the picture comes would belong to none.
            readOnly={!picture}
            value={value.code}
            onChange={(event) => {
              const typed = { ...value, code: event.target.value }
              onChange(typed)
              // A refusal stays when the next picture comes, and until somebody types.
              form.clear('code')
              if (typed.code.trim().length === imageCodeLength) onComplete?.(typed)
            }}
          />
          <button
            type="button"
            className="link image-code"
            data-repeat-ms={repeatMs}
            onClick={() => void refresh().catch(() => undefined)}
            aria-label={text.site.contact.refresh}
          >
            {picture ? <img src={picture} alt="" width="136" height="48" /> : text.site.contact.refresh}
          </button>
        </div>
      )}
    </Field>
  )
}
