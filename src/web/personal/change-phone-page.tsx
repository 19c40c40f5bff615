import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { resetPhoneNumber } from '#shared/account/contract.ts'
import { ImageCodeCheck, PhoneChange } from '#shared/account/input.ts'
import { maskPhone } from '#shared/account/rules.ts'
import { getSecondFactor } from '#shared/account/second-factor.ts'
import { call } from '../app/api.ts'
import { Loaded } from '../app/list-frame.tsx'
import { PasswordField } from '../account/password-field.tsx'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { refetchChangedUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useForm } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export default function ChangePhonePage() {
  const { safety } = useText().personal
  const site = useSiteName()
  const state = useQuery({ queryKey: [getSecondFactor.url], queryFn: () => call(getSecondFactor, {}) })
  return (
    <div className="stack">
      <Head title={safety.changePhone} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{safety.changePhone}</h1>
      <Loaded query={state} rows={4}>
        {({ isOn }) => <PhoneForm hasFactor={isOn} />}
      </Loaded>
    </div>
  )
}

function PhoneForm({ hasFactor }: { hasFactor: boolean }) {
  const { safety, factor } = useText().personal
  const navigate = useNavigate()
  const { info } = useSession()
  const form = useFields(PhoneChange, { password: '', phonenumber: '', smsCode: '', code: '' })
  // The picture code has the name of the code of the app, so its errors are kept apart.
  const picture = useForm(ImageCodeCheck)
  const smsCode = picture.errors.smsCode ?? form.errors.smsCode ?? ''
  const { values, set, busy } = form
  const submit = () =>
    void form.submit(
      async (body) => {
        await call(resetPhoneNumber, { body })
        await refetchChangedUser()
        toast('success', safety.phoneChanged)
        await navigate(paths.safety)
      },
      hasFactor ? {} : { code: undefined },
    )
  return (
    <SubmitForm className="panel stack narrow" onSubmit={submit}>
      <p className="soft">
        {safety.phone} <span className="num">{maskPhone(info?.user.phonenumber ?? '')}</span>
      </p>
      <p className="soft">{hasFactor ? safety.phoneHintFactor : safety.phoneHint}</p>
      <PasswordField
        label={safety.oldPassword}
        error={form.errors.password}
        autoComplete="current-password"
        value={values.password}
        onChange={set('password')}
      />
      <TextField
        label={safety.newPhone}
        error={form.errors.phonenumber ?? picture.errors.phonenumber}
        required
        type="tel"
        autoComplete="tel-national"
        maxLength={11}
        value={values.phonenumber}
        onChange={(phonenumber) => {
          set('phonenumber')(phonenumber)
          picture.clear('phonenumber')
        }}
      />
      <SmsFields
        type="phone"
        phonenumber={values.phonenumber}
        value={values.smsCode}
        onChange={set('smsCode')}
        form={{ ...picture, errors: { ...picture.errors, ...(smsCode && { smsCode }) } }}
      />
      {hasFactor && (
        <TextField
          label={factor.anyCode}
          error={form.errors.code}
          required
          autoComplete="one-time-code"
          maxLength={20}
          value={values.code}
          onChange={set('code')}
        />
      )}
      <p>
        <button type="submit" className="button button-primary" aria-disabled={busy}>
          {safety.changePhone}
        </button>
      </p>
    </SubmitForm>
  )
}
