import { useNavigate, useSearchParams } from 'react-router'
import { forgetPassword } from '#shared/account/contract.ts'
import { PasswordReset } from '#shared/account/input.ts'
import { call } from '../app/api.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { leadingTo, paths } from '#shared/paths.ts'
import { useSiteName } from '../app/site.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { useText } from '../app/text.tsx'
import { useTabDraft } from '../app/use-tab-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useFirstField } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export default function ResetPasswordPage() {
  const { register } = useText().personal
  const site = useSiteName()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const wanted = params.get('redirect')
  const form = useFields(PasswordReset, { phonenumber: '', smsCode: '', password: '' })
  const { values, set, busy } = form
  const { phonenumber } = values
  const forget = useTabDraft('reset', { phonenumber }, (stored) => form.setValues((before) => ({ ...before, ...stored })))
  useFirstField()
  const submit = () =>
    void form.submit(async (body) => {
      await call(forgetPassword, { body })
      forget()
      toast('success', register.resetDone)
      await navigate(leadingTo(paths.login(), wanted), { replace: true })
    })
  return (
    <SubmitForm onSubmit={submit}>
      <Head title={register.reset} description={register.resetLead} site={site} index={false} />
      <div>
        <h1>{register.reset}</h1>
        <p className="soft">{register.resetLead}</p>
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
      <SmsFields type="forget" phonenumber={values.phonenumber} value={values.smsCode} onChange={set('smsCode')} form={form} />
      <NewPasswordField label={register.newPassword} error={form.errors.password} value={values.password} onChange={set('password')} />
      <button type="submit" className="button button-primary" aria-disabled={busy}>
        {register.reset}
      </button>
      <p className="small">
        <Link to={leadingTo(paths.login(), wanted)}>{register.toLogin}</Link>
      </p>
    </SubmitForm>
  )
}
