import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { checkCancellation, requestCancellation } from '#shared/account/contract.ts'
import { CancellationRequest } from '#shared/account/input.ts'
import { ApiError, call } from '../app/api.ts'
import { OwnTasks } from './own-tasks.tsx'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { TextareaField, SubmitForm } from '../ui/form-fields.tsx'
import { minute } from '../app/format.ts'
import { paths } from '#shared/paths.ts'
import { clearSession, setLeaving, useSession } from '../app/session.ts'
import { useSiteName } from '../app/site.ts'
import { SmsFields } from '../account/sms-fields.tsx'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'
import { Link } from '../ui/link.tsx'

/** Cancels the account: the check list, the consequences, the reason, the SMS code and a last confirmation. */
export default function CancelPage() {
  const text = useText()
  const { cancellation, safety } = text.personal
  const site = useSiteName()
  const navigate = useNavigate()
  const { info } = useSession()
  const [values, setValues] = useState({ reason: '', smsCode: '' })
  const [isConfirming, setConfirming] = useState(false)
  const [busy, setBusy] = useState(false)
  const form = useForm(CancellationRequest)
  useValuesDraft('cancel', { reason: values.reason }, ({ reason }) => setValues((before) => ({ ...before, reason })), { quiet: true })
  const check = useQuery({ queryKey: [checkCancellation.url], queryFn: () => call(checkCancellation, {}) })
  const waitingSince = check.data?.waitingSince ?? null
  const ready = (check.data?.points.every(({ count }) => count === 0) ?? false) && waitingSince === null
  const set = (name: keyof typeof values) => (value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    form.clear(name)
  }
  const submit = async () => {
    const body = form.check(values)
    if (!body) return
    setBusy(true)
    try {
      const { dueAt } = await call(requestCancellation, { body })
      setLeaving(true)
      clearSession()
      await navigate(paths.home, { replace: true })
      toast('success', cancellation.done(minute(dueAt)), { label: text.site.action.login, run: () => void navigate(paths.login()) })
    } catch (error) {
      if (error instanceof ApiError) await check.refetch()
      form.refused(error)
    } finally {
      setBusy(false)
      setConfirming(false)
    }
  }
  return (
    <div className="stack">
      <Head title={cancellation.title} site={site} index={false} />
      <p className="small">
        <Link to={paths.safety}>{safety.title}</Link>
      </p>
      <h1>{cancellation.title}</h1>
      <p className="notice notice-warn">{cancellation.lead}</p>
      <section className="panel">
        <h2>{cancellation.check}</h2>
        {!check.data ? (
          <Unloaded queries={[check]} rows={3} />
        ) : (
          <>
            {waitingSince === null ? (
              <p className={ready ? 'soft' : 'field-error'}>{ready ? cancellation.ready : cancellation.blocked}</p>
            ) : (
              <p className="notice notice-warn">{cancellation.waiting(minute(waitingSince))}</p>
            )}
            <ul className="settings">
              {check.data.points.map(({ kind, count, link }) => (
                <li key={kind} className="row between nowrap">
                  <span className="row nowrap">
                    <Tag tone={count === 0 ? 'good' : 'bad'}>{count === 0 ? '✓' : '✕'}</Tag>
                    {cancellation.points[kind]}
                  </span>
                  {count > 0 && (
                    <Link to={link} className="unshrunk">
                      {cancellation.go}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </>
        )}
        <OwnTasks />
        <p className="small soft mt-12">{cancellation.what}</p>
      </section>
      {ready && (
        <SubmitForm
          className="panel stack narrow"
          onSubmit={() => {
            if (form.check(values)) setConfirming(true)
          }}
        >
          <TextareaField
            label={cancellation.reason}
            hint={cancellation.reasonHint}
            error={form.errors.reason}
            required
            maxLength={500}
            value={values.reason}
            onChange={set('reason')}
          />
          <p className="small soft">{cancellation.codeTo(check.data?.phonenumber ?? '')}</p>
          <SmsFields
            type="cancel"
            phonenumber={info?.user.phonenumber ?? ''}
            value={values.smsCode}
            onChange={set('smsCode')}
            form={form}
          />
          <p>
            <button type="submit" className="button button-danger" aria-disabled={busy}>
              {cancellation.submit}
            </button>
          </p>
        </SubmitForm>
      )}
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={cancellation.submit}
        action={cancellation.submit}
        busy={busy}
        onConfirm={() => void submit()}
      >
        <p>{cancellation.ask}</p>
      </ConfirmDialog>
    </div>
  )
}
