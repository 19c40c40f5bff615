import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { resetPassword } from '#shared/account/contract.ts'
import { PasswordChange } from '#shared/account/input.ts'
import { call, ignoreShown } from '../app/api.ts'
import { NewPasswordField } from '../account/new-password-field.tsx'
import { PasswordField } from '../account/password-field.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { paths, safeRedirect } from '#shared/paths.ts'
import { getSession, knownFirstPassword, rememberFirstPassword, storeInfo, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { refetchUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useFirstField } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

export default function ChangePasswordPage() {
  const { safety, register } = useText().personal
  const site = useSiteName()
  const navigate = useNavigate()
  const { info } = useSession()
  const [params] = useSearchParams()
  // Somebody who has just signed in with a first password does not type it again.
  const [known] = useState(() => (info?.isDefaultModifyPwd ? knownFirstPassword() : ''))
  const form = useFields(PasswordChange, { oldPassword: known, password: '' })
  const { values, set, busy } = form
  useFirstField()
  const submit = () =>
    void form.submit(async (body) => {
      await call(resetPassword, { body })
      await refetchUser().catch((error: unknown) => {
        ignoreShown(error)
        // The new password holds also where this answer does not come, and the way on is closed to a first one.
        if (info && getSession().token)
          storeInfo({ ...info, setup: info.setup === 'password' ? null : info.setup, isDefaultModifyPwd: false, isPasswordExpired: false })
      })
      toast('success', safety.passwordChanged)
      rememberFirstPassword('')
      const wanted = params.get('redirect')
      await navigate(wanted ? safeRedirect(wanted) : paths.safety)
    })
  return (
    <div className="stack">
      <Head title={safety.changePassword} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{safety.changePassword}</h1>
      {info?.isDefaultModifyPwd && <p className="notice notice-warn">{safety.first}</p>}
      {info?.isPasswordExpired && <p className="notice notice-warn">{safety.expired}</p>}
      <SubmitForm className="panel stack narrow" onSubmit={submit}>
        {(!known || form.errors.oldPassword) && (
          <PasswordField
            label={safety.oldPassword}
            error={form.errors.oldPassword}
            autoComplete="current-password"
            value={values.oldPassword}
            onChange={set('oldPassword')}
          />
        )}
        <NewPasswordField label={register.newPassword} error={form.errors.password} value={values.password} onChange={set('password')} />
        <p>
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {safety.changePassword}
          </button>
        </p>
      </SubmitForm>
    </div>
  )
}
