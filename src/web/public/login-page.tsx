import { useState } from 'react'
import { useLoaderData, useNavigate, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import { messageLogin, webLogin, type SignedIn } from '#shared/account/contract.ts'
import { Credentials, CredentialsWithCode, FactorTicket, SmsCredentials } from '#shared/account/input.ts'
import { signInByFactor } from '#shared/account/second-factor.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import { ApiError, call } from '../app/api.ts'
import { PasswordField } from '../account/password-field.tsx'
import { TextField, SubmitForm } from '../ui/form-fields.tsx'
import { ImageCode } from '../account/image-code.tsx'
import { goalOf } from '#shared/account/landing.ts'
import { leadingTo, paths, safeRedirect, setupAddress } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { rememberFirstPassword, storeSignIn } from '../app/session.ts'
import { refetchUser } from '../app/refetch.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { useText } from '../app/text.tsx'
import { useTabDraft } from '../app/use-tab-draft.ts'
import { Head } from '../ui/parts.tsx'
import { clearToasts, toast } from '../ui/toast.tsx'
import { useFirstField, useForm } from '../app/use-form.ts'
import { callAsVisitor } from '../app/visit.ts'
import { Link } from '../ui/link.tsx'

export const loader = async ({ context }: LoaderFunctionArgs) => ({ demo: await callAsVisitor(context)(getDemoSignIns, {}) })
export const clientLoader = async () => ({ demo: await call(getDemoSignIns, {}) })

export default function LoginPage() {
  const { demo } = useLoaderData<typeof loader>()
  const text = useText()
  const { account } = text
  const { register } = text.personal
  const site = useSiteName()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const bySms = params.get('way') === 'sms'
  const wanted = params.get('redirect')
  const [busy, setBusy] = useState(false)
  /** Of somebody who owes the second factor. */
  const [ticket, setTicket] = useState('')

  /** Stores the session and opens the page that the person came for. */
  const enter = async (signIn: () => Promise<SignedIn>, password = '') => {
    setBusy(true)
    try {
      const signedIn = await signIn().catch((error: unknown) => {
        const owed = error instanceof ApiError ? (error.data as { ticket?: string } | null)?.ticket : undefined
        if (owed === undefined) throw error
        clearToasts()
        setTicket(owed)
        return null
      })
      if (!signedIn) return
      storeSignIn(signedIn)
      if (signedIn.cancellationWithdrawn) toast('success', text.personal.cancellation.withdrawn)
      await navigate(await nextPage(wanted, password), { replace: true })
    } finally {
      setBusy(false)
    }
  }
  useFirstField(`${bySms} ${ticket}`)
  const withWay = (way: string | null) => {
    const next = new URLSearchParams(params)
    if (way) next.set('way', way)
    else next.delete('way')
    return `?${next}`
  }
  if (ticket) return <ByFactor ticket={ticket} busy={busy} enter={enter} onBack={() => setTicket('')} />
  return (
    <div className="stack">
      <Head title={account.title} description={account.lead} site={site} index={false} />
      <div>
        <h1>{account.title}</h1>
        <p className="soft">{bySms ? account.smsLead : account.lead}</p>
      </div>
      <nav className="tabs" aria-label={account.title}>
        <Link to={withWay(null)} replace aria-current={bySms ? undefined : 'page'}>
          {register.passwordLogin}
        </Link>
        <Link to={withWay('sms')} replace aria-current={bySms ? 'page' : undefined}>
          {register.smsLogin}
        </Link>
      </nav>
      {bySms ? <BySms busy={busy} enter={enter} /> : <ByPassword busy={busy} enter={enter} />}
      <p className="row between small">
        <Link to={leadingTo(paths.register, wanted)}>{register.toRegister}</Link>
        <Link to={leadingTo(paths.resetPassword, wanted)}>{register.forgot}</Link>
      </p>
      {demo.accounts.length > 0 && (
        <section>
          <h2>{account.demo}</h2>
          <p className="small soft">{account.demoHint(demo.password)}</p>
          <div className="demo-accounts">
            {demo.accounts.map(({ userName, kind }) => (
              <button
                key={userName}
                type="button"
                className="button button-small"
                aria-disabled={busy}
                onClick={() =>
                  void enter(() => call(webLogin, { body: { username: userName, password: demo.password } })).catch(() => undefined)
                }
              >
                {account.kinds[kind]}
              </button>
            ))}
          </div>
        </section>
      )}
    </div>
  )
}

/** Where somebody goes who has just signed in: what is still to be set up comes first. */
async function nextPage(wanted: string | null, password: string): Promise<string> {
  try {
    const { roles, setup } = await refetchUser()
    if (setup === 'password') rememberFirstPassword(password)
    const to = goalOf(roles[0] ?? null, wanted)
    return setup ? setupAddress(setup, to) : to
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return wanted ? safeRedirect(wanted) : paths.personal
  }
}

type SignInProps = { busy: boolean; enter: (signIn: () => Promise<SignedIn>, password?: string) => Promise<void> }

function ByPassword({ busy, enter }: SignInProps) {
  const { account } = useText()
  const [values, setValues] = useState({ username: '', password: '' })
  const [captcha, setCaptcha] = useState(false)
  const [code, setCode] = useState({ uuid: '', code: '' })
  const [round, setRound] = useState(0)
  const form = useForm(captcha ? CredentialsWithCode : Credentials)
  const { username } = values
  useTabDraft('sign-in', { username }, (stored) => setValues((before) => ({ ...before, ...stored })))
  const submit = async () => {
    const body = form.check({ ...values, ...(captcha && code) })
    if (!body) return
    try {
      await enter(() => call(webLogin, { body }), body.password)
    } catch (error) {
      if (error instanceof ApiError && (error.data as { captcha?: boolean } | null)?.captcha) setCaptcha(true)
      setRound((before) => before + 1)
      form.refused(error)
    }
  }
  const set = (name: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    form.clear(name)
  }
  return (
    <SubmitForm onSubmit={() => void submit()}>
      <TextField
        label={account.userName}
        error={form.errors.username}
        required
        autoComplete="username"
        value={values.username}
        onChange={set('username')}
      />
      <PasswordField
        label={account.password}
        error={form.errors.password}
        autoComplete="current-password"
        value={values.password}
        onChange={set('password')}
      />
      {captcha && <ImageCode type="login" value={code} onChange={setCode} form={form} round={round} />}
      <button type="submit" className="button button-primary" aria-disabled={busy}>
        {account.submit}
      </button>
    </SubmitForm>
  )
}

function ByFactor({ ticket, busy, enter, onBack }: SignInProps & { ticket: string; onBack: () => void }) {
  const text = useText()
  const { factor } = text.personal
  const site = useSiteName()
  const [code, setCode] = useState('')
  const form = useForm(FactorTicket)
  const submit = async () => {
    const body = form.check({ ticket, code })
    if (!body) return
    try {
      await enter(() => call(signInByFactor, { body }))
    } catch (error) {
      form.refused(error)
    }
  }
  return (
    <div className="stack">
      <Head title={factor.signIn} description={factor.signInLead} site={site} index={false} />
      <div>
        <h1>{factor.signIn}</h1>
        <p className="soft">{factor.signInLead}</p>
      </div>
      <SubmitForm onSubmit={() => void submit()}>
        <TextField
          label={factor.anyCode}
          error={form.errors.code}
          required
          autoComplete="one-time-code"
          maxLength={20}
          value={code}
          onChange={(typed) => {
            setCode(typed)
            form.clear('code')
          }}
        />
        <button type="submit" className="button button-primary" aria-disabled={busy}>
          {text.account.submit}
        </button>
      </SubmitForm>
      <p className="small">
        <button type="button" className="link" onClick={onBack}>
          {factor.back}
        </button>
      </p>
    </div>
  )
}

function BySms({ busy, enter }: SignInProps) {
  const text = useText()
  const [values, setValues] = useState({ phonenumber: '', smsCode: '' })
  const form = useForm(SmsCredentials)
  const submit = async () => {
    const body = form.check(values)
    if (!body) return
    try {
      await enter(() => call(messageLogin, { body }))
    } catch (error) {
      form.refused(error)
    }
  }
  return (
    <SubmitForm onSubmit={() => void submit()}>
      <TextField
        label={text.personal.register.phone}
        error={form.errors.phonenumber}
        required
        type="tel"
        autoComplete="tel-national"
        maxLength={11}
        value={values.phonenumber}
        onChange={(phonenumber) => {
          setValues((before) => ({ ...before, phonenumber }))
          form.clear('phonenumber')
        }}
      />
      <SmsFields
        type="login"
        phonenumber={values.phonenumber}
        value={values.smsCode}
        onChange={(smsCode) => setValues((before) => ({ ...before, smsCode }))}
        form={form}
      />
      <button type="submit" className="button button-primary" aria-disabled={busy}>
        {text.account.submit}
      </button>
    </SubmitForm>
  )
}
