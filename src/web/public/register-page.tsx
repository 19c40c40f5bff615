import { useNavigate, useSearchParams } from 'react-router'
import { foregroundRegister } from '#shared/account/contract.ts'
import { Registration } from '#shared/account/input.ts'
import { call } from '../app/api.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { goalOf } from '#shared/account/landing.ts'
import { leadingTo, paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { storeSignIn } from '../app/session.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { useText } from '../app/text.tsx'
import { useTabDraft } from '../app/use-tab-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useFirstField } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

const blank = { phonenumber: '', smsCode: '', password: '', agreeTerms: false, agreePrivacy: false }

export default function RegisterPage() {
  const text = useText()
  const { register } = text.personal
  const site = useSiteName()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const wanted = params.get('redirect')
  const form = useFields(Registration, blank)
  const { values, set, busy } = form
  const { phonenumber } = values
  const forget = useTabDraft('register', { phonenumber }, (stored) => form.setValues((before) => ({ ...before, ...stored })))
  useFirstField()
  const submit = () =>
    void form.submit(async (body) => {
      storeSignIn(await call(foregroundRegister, { body }))
      forget()
      toast('success', register.welcome)
      await navigate(goalOf(null, wanted), { replace: true })
    })
  return (
    <SubmitForm onSubmit={submit}>
      <Head title={register.title} description={register.lead} site={site} index={false} />
      <div>
        <h1>{register.title}</h1>
        <p className="soft">{register.lead}</p>
      </div>
      <TextField
        label={register.phone}
        error={form.errors.phonenumber}
        required
        type="tel"
        autoComplete="tel-national"
        maxLength={11}
        value={values.phonenumber}
        onChange={set('phonenumber')}
      />
      <SmsFields type="register" phonenumber={values.phonenumber} value={values.smsCode} onChange={set('smsCode')} form={form} />
      <NewPasswordField label={register.password} error={form.errors.password} value={values.password} onChange={set('password')} />
      {(
        [
          ['agreeTerms', paths.terms, text.site.agreement.terms],
          ['agreePrivacy', paths.privacy, text.site.agreement.privacy],
        ] as const
      ).map(([name, to, label]) => (
        <div key={name} className={form.errors[name] ? 'field field-bad' : 'field'}>
          <label className="check">
            <input
              type="checkbox"
              checked={values[name]}
              aria-invalid={form.errors[name] ? true : undefined}
              onChange={(event) => set(name)(event.target.checked)}
            />
            <span>
              {register.agreeTerms}{' '}
              <Link to={to} target="_blank">
                {label}
              </Link>
            </span>
          </label>
          {form.errors[name] && <p className="field-error">{form.errors[name]}</p>}
        </div>
      ))}
      <button type="submit" className="button button-primary" aria-disabled={busy}>
        {register.submit}
      </button>
      <p className="small">
        <Link to={leadingTo(paths.login(), wanted)}>{register.toLogin}</Link>
      </p>
    </SubmitForm>
  )
}
