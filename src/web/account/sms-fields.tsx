import { useEffect, useRef, useState, type Ref } from 'react'
import { validImageCode } from '#shared/account/contract.ts'
import { ImageCodeCheck } from '#shared/account/input.ts'
import type { AskedSmsType } from '#shared/account/rules.ts'
import { call } from '../app/api.ts'
import { ImageCode, type Code } from './image-code.tsx'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import type { FormState } from '../app/use-form.ts'

/** The picture code, the button that sends the SMS, and the field for the code in it. A complete picture code sends the SMS by itself. */
export function SmsFields({
  type,
  phonenumber,
  value,
  onChange,
  form,
}: {
  type: AskedSmsType
  phonenumber: string
  value: string
  onChange: (smsCode: string) => void
  form: FormState
}) {
  const { register } = useText().personal
  const [code, setCode] = useState({ uuid: '', code: '' })
  const [round, setRound] = useState(0)
  const [until, setUntil] = useState(0)
  const [busy, setBusy] = useState(false)
  const left = useSecondsTo(until)
  const field = useRef<HTMLInputElement>(null)
  const inputWith = (picture: Code) => ({ phonenumber, ...picture, type })
  const send = async (picture: Code) => {
    const body = form.checkPart(ImageCodeCheck, inputWith(picture))
    if (!body) return
    setBusy(true)
    try {
      const { resendAfter } = await call(validImageCode, { body })
      setUntil(Date.now() + resendAfter * 1000)
      for (const name of ['phonenumber', 'code', 'smsCode']) form.clear(name)
      toast('success', register.sent)
      field.current?.focus()
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
      setRound((before) => before + 1)
    }
  }
  return (
    <>
      {left === 0 && (
        <ImageCode
          type={type}
          value={code}
          onChange={setCode}
          // Without a number nothing is sent, and the cursor stays where it is.
          onComplete={(typed) => {
            if (ImageCodeCheck.safeParse(inputWith(typed)).success) void send(typed)
          }}
          form={form}
          round={round}
        />
      )}
      <SmsCodeField
        ref={field}
        value={value}
        onChange={(smsCode) => {
          onChange(smsCode)
          form.clear('smsCode')
        }}
        error={form.errors.smsCode}
        left={left}
        busy={busy}
        onSend={() => send(code)}
      />
    </>
  )
}

/** The field for the code of an SMS with the button that requests it, which waits `left` seconds before it does so again. */
export function SmsCodeField({
  value,
  onChange,
  error,
  left,
  busy = false,
  onSend,
  ref,
}: {
  value: string
  onChange: (smsCode: string) => void
  error: string | undefined
  left: number
  /** A code is being sent. */
  busy?: boolean
  onSend: () => unknown
  ref?: Ref<HTMLInputElement>
}) {
  const { register } = useText().personal
  return (
    <Field label={register.smsCode} error={error} required>
      {(control) => (
        <div className="row nowrap">
          <input
            {...control}
            ref={ref}
            className="input num"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button type="button" className="button" aria-disabled={left > 0 || busy} onClick={onSend}>
            {left > 0 ? register.again(left) : register.send}
          </button>
        </div>
      )}
    </Field>
  )
}

/** The whole seconds until a moment, 0 once it has passed. */
export function useSecondsTo(until: number): number {
  const [now, setNow] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const tick = () => setNow(Date.now())
    tick()
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [until])
  return Math.max(0, Math.ceil((until - now) / 1000))
}
