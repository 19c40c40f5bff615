import { useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { Credentials, webLogin } from '#shared/account/contract.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import { ApiError, call } from '../api.ts'
import { safeRedirect } from '../paths.ts'
import { useSiteName } from '../site.ts'
import { storeSignIn } from '../session.ts'
import { useText } from '../text.tsx'
import { Field, Head } from '../ui/parts.tsx'
import { useForm } from '../use-form.ts'
import { callAsVisitor } from '../visit.ts'
import { ImageCode } from './image-code.tsx'

export const loader = async ({ context }: LoaderFunctionArgs) => ({ demo: await callAsVisitor(context)(getDemoSignIns, {}) })
export const clientLoader = async () => ({ demo: await call(getDemoSignIns, {}) })

export default function LoginPage() {
  const { demo } = useLoaderData<typeof loader>()
  const text = useText()
  const { account } = text
  const site = useSiteName()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const [values, setValues] = useState({ username: '', password: '' })
  const [shown, setShown] = useState(false)
  const [captcha, setCaptcha] = useState(false)
  const [code, setCode] = useState({ uuid: '', code: '' })
  const [round, setRound] = useState(0)
  const [busy, setBusy] = useState(false)
  const form = useForm(Credentials)

  const signIn = async (credentials: typeof values) => {
    const body = form.check({ ...credentials, ...(captcha && code) })
    if (!body) return
    setBusy(true)
    try {
      storeSignIn(await call(webLogin, { body }))
      await navigate(safeRedirect(params.get('redirect')), { replace: true })
    } catch (error) {
      if (error instanceof ApiError && (error.data as { captcha?: boolean } | null)?.captcha) setCaptcha(true)
      setRound((before) => before + 1)
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  const set = (name: keyof typeof values) => (event: { target: { value: string } }) => {
    setValues((before) => ({ ...before, [name]: event.target.value }))
    form.clear(name)
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void signIn(values)
      }}
    >
      <Head title={account.title} site={site} index={false} />
      <div>
        <h1>{account.title}</h1>
        <p className="soft">{account.lead}</p>
      </div>
      <Field label={account.userName} error={form.errors.username} required>
        {(control) => (
          <input
            {...control}
            className="input"
            autoComplete="username"
            autoCapitalize="none"
            value={values.username}
            onChange={set('username')}
          />
        )}
      </Field>
      <Field label={account.password} error={form.errors.password} required>
        {(control) => (
          <div style={{ position: 'relative' }}>
            <input
              {...control}
              className="input"
              type={shown ? 'text' : 'password'}
              autoComplete="current-password"
              value={values.password}
              onChange={set('password')}
              style={{ paddingRight: 52 }}
            />
            <button
              type="button"
              className="icon-button"
              style={{ position: 'absolute', right: 2, top: 2 }}
              aria-label={shown ? account.hide : account.show}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12z" />
                <circle cx="12" cy="12" r="3" />
                {!shown && <path d="M4 4l16 16" />}
              </svg>
            </button>
          </div>
        )}
      </Field>
      {captcha && <ImageCode type="login" value={code} onChange={setCode} error={form.errors.code} round={round} />}
      <button type="submit" className="button button-primary" disabled={busy}>
        {account.submit}
      </button>
      {demo.accounts.length > 0 && (
        <section>
          <h2 style={{ fontSize: '1rem' }}>{account.demo}</h2>
          <p className="small soft">{account.demoHint(demo.password)}</p>
          <div className="demo-accounts">
            {demo.accounts.map(({ userName, kind }) => (
              <button
                key={userName}
                type="button"
                className="button button-small"
                disabled={busy}
                onClick={() => void signIn({ username: userName, password: demo.password })}
              >
                {account.kinds[kind]}
              </button>
            ))}
          </div>
        </section>
      )}
    </form>
  )
}
