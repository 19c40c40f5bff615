import { useCallback, useEffect, useState } from 'react'
import { validImageCode } from '#shared/account/contract.ts'
import { ImageCodeCheck } from '#shared/account/input.ts'
import type { AskedSmsType } from '#shared/account/rules.ts'
import { call } from '../app/api.ts'
import { ImageCode, type Code } from './image-code.tsx'
import { useText } from '../app/text.tsx'
import { Field } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import type { FormState } from '../app/use-form.ts'

/** The picture code, the button that sends the SMS, and the field for the code in it. */
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
  const left = useSecondsTo(until)
  const { clear } = form
  const changeCode = useCallback(
    (next: Code) => {
      setCode(next)
      clear('code')
    },
    [clear],
  )
  const send = async () => {
    const body = form.checkPart(ImageCodeCheck, { phonenumber, ...code, type })
    if (!body) return
    try {
      const { resendAfter } = await call(validImageCode, { body })
      setUntil(Date.now() + resendAfter * 1000)
      for (const field of ['phonenumber', 'code', 'smsCode']) form.clear(field)
      toast('success', register.sent)
    } catch (error) {
      form.refused(error)
    } finally {
      setRound((before) => before + 1)
    }
  }
  return (
    <>
      {left === 0 && <ImageCode type={type} value={code} onChange={changeCode} error={form.errors.code} round={round} />}
      <SmsCodeField
        value={value}
        onChange={(smsCode) => {
          onChange(smsCode)
          form.clear('smsCode')
        }}
        error={form.errors.smsCode}
        left={left}
        onSend={send}
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
  onSend,
}: {
  value: string
  onChange: (smsCode: string) => void
  error: string | undefined
  left: number
  onSend: () => unknown
}) {
  const { register } = useText().personal
  return (
    <Field label={register.smsCode} error={error} required>
      {(control) => (
        <div className="row nowrap">
          <input
            {...control}
            className="input num"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button type="button" className="button" disabled={left > 0} onClick={onSend}>
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
