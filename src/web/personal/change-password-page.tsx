import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { PasswordChange, resetPassword } from '#shared/account/contract.ts'
import { call } from '../api.ts'
import { NewPasswordFields, PasswordField } from '../form-fields.tsx'
import { paths } from '../paths.ts'
import { useSession } from '../session.ts'
import { useSiteName } from '../site.ts'
import { refetchUser } from '../socket.ts'
import { useText } from '../text.tsx'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../use-form.ts'

export default function ChangePasswordPage() {
  const { safety, register } = useText().personal
  const site = useSiteName()
  const navigate = useNavigate()
  const { info } = useSession()
  const [values, setValues] = useState({ oldPassword: '', password: '' })
  const [repeat, setRepeat] = useState('')
  const [busy, setBusy] = useState(false)
  const form = useForm(PasswordChange)
  const set = (name: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    form.clear(name)
  }
  const submit = async () => {
    const body = form.check(values)
    if (!body) return
    if (repeat !== values.password) return form.setErrors({ repeat: register.repeatWrong })
    setBusy(true)
    try {
      await call(resetPassword, { body })
      await refetchUser()
      toast('success', safety.passwordChanged)
      await navigate(paths.safety)
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <Head title={safety.changePassword} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{safety.changePassword}</h1>
      {info?.isDefaultModifyPwd && <p className="notice notice-warn">{safety.first}</p>}
      {info?.isPasswordExpired && <p className="notice notice-warn">{safety.expired}</p>}
      <form
        className="panel stack narrow"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <PasswordField
          label={safety.oldPassword}
          error={form.errors.oldPassword}
          autoComplete="current-password"
          value={values.oldPassword}
          onChange={set('oldPassword')}
        />
        <NewPasswordFields
          label={register.newPassword}
          value={values.password}
          onChange={set('password')}
          repeat={repeat}
          onRepeat={(value) => {
            setRepeat(value)
            form.clear('repeat')
          }}
          errors={form.errors}
        />
        <p>
          <button type="submit" className="button button-primary" disabled={busy}>
            {safety.changePassword}
          </button>
        </p>
      </form>
    </div>
  )
}
