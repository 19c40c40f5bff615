import { useCallback, useEffect, useState } from 'react'
import { validImageCode } from '#shared/account/contract.ts'
import { ImageCodeCheck } from '#shared/account/input.ts'
import type { SmsType } from '#shared/account/rules.ts'
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
  type: SmsType
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
      <Field label={register.smsCode} error={form.errors.smsCode} required>
        {(control) => (
          <div className="row nowrap">
            <input
              {...control}
              className="input num"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={value}
              onChange={(event) => {
                onChange(event.target.value)
                form.clear('smsCode')
              }}
            />
            <button type="button" className="button" style={{ flex: 'none' }} disabled={left > 0} onClick={() => void send()}>
              {left > 0 ? register.again(left) : register.send}
            </button>
          </div>
        )}
      </Field>
    </>
  )
}

function useSecondsTo(until: number): number {
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
