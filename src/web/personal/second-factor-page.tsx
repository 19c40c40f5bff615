import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { FactorCode, FactorEnd, FactorStart } from '#shared/account/input.ts'
import { confirmSecondFactor, endSecondFactor, getSecondFactor, startSecondFactor } from '#shared/account/second-factor.ts'
import type { Answered } from '#shared/endpoint.ts'
import { paths, safeRedirect } from '#shared/paths.ts'
import { PasswordField } from '../account/password-field.tsx'
import { ApiError, call } from '../app/api.ts'
import { copyText } from '../app/copy-text.ts'
import { LeaveGuard } from '../app/leave-guard.tsx'
import { Loaded } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { refetchChangedUser, refetchUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { useFields } from '../app/use-form.ts'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { Link } from '../ui/link.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'

export default function SecondFactorPage() {
  const { safety, factor } = useText().personal
  const site = useSiteName()
  const { info } = useSession()
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>([])
  const state = useQuery({ queryKey: [getSecondFactor.url], queryFn: () => call(getSecondFactor, {}) })
  return (
    <div className="stack">
      <Head title={factor.title} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{factor.title}</h1>
      <p className="soft">{factor.lead}</p>
      {info?.setup === 'factor' && <p className="notice notice-warn">{factor.required}</p>}
      {recoveryCodes.length > 0 ? (
        <RecoveryCodes codes={recoveryCodes} />
      ) : (
        <Loaded query={state} rows={3}>
          {({ isOn, recoveryCodes: left }) => (isOn ? <SwitchOff left={left} /> : <SwitchOn onDone={setRecoveryCodes} />)}
        </Loaded>
      )}
    </div>
  )
}

function SwitchOn({ onDone }: { onDone: (recoveryCodes: readonly string[]) => void }) {
  const { safety, factor } = useText().personal
  const [started, setStarted] = useState<Answered<typeof startSecondFactor> | null>(null)
  const form = useFields(FactorStart, { password: '' })
  if (started) return <Confirm {...started} onDone={onDone} />
  return (
    <SubmitForm
      className="panel stack narrow"
      onSubmit={() => void form.submit(async (body) => setStarted(await call(startSecondFactor, { body })))}
    >
      <PasswordField
        label={safety.oldPassword}
        error={form.errors.password}
        autoComplete="current-password"
        value={form.values.password}
        onChange={form.set('password')}
      />
      <p>
        <button type="submit" className="button button-primary" aria-disabled={form.busy}>
          {factor.start}
        </button>
      </p>
    </SubmitForm>
  )
}

function Confirm({ secret, uri, qr, onDone }: Answered<typeof startSecondFactor> & { onDone: (recoveryCodes: readonly string[]) => void }) {
  const { factor } = useText().personal
  const form = useFields(FactorCode, { code: '' })
  return (
    <SubmitForm
      className="panel stack narrow"
      onSubmit={() =>
        void form.submit(async (body) => {
          const { recoveryCodes } = await call(confirmSecondFactor, { body })
          onDone(recoveryCodes)
          // The codes are shown whatever becomes of these calls.
          await Promise.all([refetchUser(), invalidate(getSecondFactor)]).catch((error: unknown) => {
            if (!(error instanceof ApiError)) throw error
          })
        })
      }
    >
      <p>{factor.scan}</p>
      <a href={uri}>
        <img src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={factor.picture} width="200" height="200" />
      </a>
      <p>
        {factor.key} <code>{secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <TextField
        label={factor.code}
        hint={factor.codeHint}
        error={form.errors.code}
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        numeric
        value={form.values.code}
        onChange={form.set('code')}
      />
      <p>
        <button type="submit" className="button button-primary" aria-disabled={form.busy}>
          {factor.confirm}
        </button>
      </p>
    </SubmitForm>
  )
}

function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { factor } = useText().personal
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const { info } = useSession()
  const isStored = useRef(false)
  const finish = async () => {
    // The user could not be fetched when the factor was confirmed, and until then every other page leads back here.
    if (info?.setup) await refetchUser()
    isStored.current = true
    const wanted = params.get('redirect')
    await navigate(wanted ? safeRedirect(wanted) : paths.safety)
  }
  return (
    <section className="panel stack narrow">
      <h2>{factor.codes}</h2>
      <p>{factor.codesHint}</p>
      <ul className="num">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {/* The call has shown its refusal; the button stays. */}
      <p className="row">
        <button type="button" className="button" onClick={() => void copyText(codes.join('\n'), factor)}>
          {factor.copy}
        </button>
        <button type="button" className="button button-primary" onClick={() => void finish().catch(() => undefined)}>
          {factor.stored}
        </button>
      </p>
      <LeaveGuard when={() => !isStored.current} title={factor.leave}>
        {factor.leaveAsk}
      </LeaveGuard>
    </section>
  )
}

function SwitchOff({ left }: { left: number }) {
  const { safety, factor } = useText().personal
  const form = useFields(FactorEnd, { password: '', code: '' })
  const submit = () =>
    void form.submit(async (body) => {
      await call(endSecondFactor, { body })
      await refetchChangedUser()
      await invalidate(getSecondFactor)
      toast('success', factor.offDone)
    })
  return (
    <SubmitForm className="panel stack narrow" onSubmit={submit}>
      <p>
        <Tag tone="good">{factor.on}</Tag> {factor.left(left)}
      </p>
      <PasswordField
        label={safety.oldPassword}
        error={form.errors.password}
        autoComplete="current-password"
        value={form.values.password}
        onChange={form.set('password')}
      />
      <TextField
        label={factor.anyCode}
        error={form.errors.code}
        required
        autoComplete="one-time-code"
        maxLength={20}
        value={form.values.code}
        onChange={form.set('code')}
      />
      <p>
        <button type="submit" className="button button-danger" aria-disabled={form.busy}>
          {factor.off}
        </button>
      </p>
    </SubmitForm>
  )
}
