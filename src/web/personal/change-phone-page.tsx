import { useNavigate } from 'react-router'
import { resetPhoneNumber } from '#shared/account/contract.ts'
import { PhoneChange } from '#shared/account/input.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { call } from '../app/api.ts'
import { PasswordField } from '../account/password-field.tsx'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { refetchUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export default function ChangePhonePage() {
  const { safety } = useText().personal
  const site = useSiteName()
  const navigate = useNavigate()
  const { info } = useSession()
  const form = useFields(PhoneChange, { password: '', phonenumber: '', smsCode: '' })
  const { values, set, busy } = form
  const submit = () =>
    void form.submit(async (body) => {
      await call(resetPhoneNumber, { body })
      await refetchUser()
      toast('success', safety.phoneChanged)
      await navigate(paths.safety)
    })
  return (
    <div className="stack">
      <Head title={safety.changePhone} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{safety.changePhone}</h1>
      <SubmitForm className="panel stack narrow" onSubmit={submit}>
        <p className="soft">
          {safety.phone} <span className="num">{maskPhone(info?.user.phonenumber ?? '')}</span>
        </p>
        <PasswordField
          label={safety.oldPassword}
          error={form.errors.password}
          autoComplete="current-password"
          value={values.password}
          onChange={set('password')}
        />
        <TextField
          label={safety.newPhone}
          error={form.errors.phonenumber}
          required
          type="tel"
          autoComplete="tel-national"
          maxLength={11}
          value={values.phonenumber}
          onChange={set('phonenumber')}
        />
        <SmsFields type="phone" phonenumber={values.phonenumber} value={values.smsCode} onChange={set('smsCode')} form={form} />
        <p>
          <button type="submit" className="button button-primary" disabled={busy}>
            {safety.changePhone}
          </button>
        </p>
      </SubmitForm>
    </div>
  )
}
