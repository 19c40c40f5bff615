import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { addStaff, editStaff, getAccount, listAccounts, type ManagedAccount } from '#shared/account/manage.ts'
import { pickAuditedCompanies } from '#shared/broadcast/contract.ts'
import { operatorDuties, userType, type OperatorDuty } from '#shared/account/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { CheckField, SelectField, SubmitForm, TextField } from '../ui/form-fields.tsx'
import { paths } from '#shared/paths.ts'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { Unloaded } from '../app/list-frame.tsx'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Field, Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { CompanyPick } from './company-pick.tsx'
import { Link } from '../ui/link.tsx'

/** Adds an operator or an auditor, or edits one (`id`). */
export default function StaffPage() {
  const text = useText()
  const [params] = useSearchParams()
  const id = params.get('id')
  const found = useQuery({
    queryKey: [getAccount.url, id, 'staff'],
    queryFn: () => call(getAccount, { params: { id: id ?? '0' } }),
    enabled: id !== null,
    staleTime: Infinity,
    gcTime: 0,
  })
  if (id !== null && !found.data)
    return <Unloaded queries={[found]} rows={5} back={<Link to={paths.accounts()}>{text.admin.menu.accounts}</Link>} />
  return <StaffEditor key={id ?? 'new'} account={found.data ?? null} />
}

type StaffBody = z.input<typeof addStaff.body> | z.input<typeof editStaff.body>

/** Stores an account. A new one stays where the SMS with its first password is not sent (`isUnsent`): the refusal names it. */
async function store(body: StaffBody): Promise<{ id: number; isUnsent: boolean }> {
  try {
    if (!('userId' in body)) return { id: (await call(addStaff, { body })).id, isUnsent: false }
    await call(editStaff, { body })
    return { id: Number(body.userId), isUnsent: false }
  } catch (error) {
    const id = error instanceof ApiError ? (error.data as { id?: number } | null)?.id : undefined
    if (id === undefined) throw error
    return { id, isUnsent: true }
  }
}

function StaffEditor({ account }: { account: ManagedAccount | null }) {
  const text = useText()
  const words = text.admin.accounts
  const site = useSiteName()
  const goOn = useNextPage()
  const title = account ? words.editStaff : words.addStaff
  // The fields begin with the account of this version; one that is fetched later has others.
  const [version] = useState(account?.version)
  const form = useFields(account ? editStaff.body : addStaff.body, {
    userName: '',
    name: account?.name ?? '',
    phonenumber: '',
    userType: account?.userType === userType.auditor ? userType.auditor : userType.operator,
    duties: (account?.duties ?? []) as OperatorDuty[],
    isAdmin: account?.isAdmin ?? false,
    companyId: account?.companyId ?? null,
  })
  const { values, set, errors } = form
  const draft = useValuesDraft(`staff-${account?.userId ?? 'new'}`, values, form.setValues)
  const auditor = values.userType === userType.auditor
  const send = async (body: StaffBody) => {
    const { id, isUnsent } = await store(body)
    draft.saved(values, {
      name: `staff-${id}`,
      address: paths.staff(id),
      convert: (typed) => ({ ...typed, userName: '', phonenumber: '' }),
    })
    if (!isUnsent) toast('success', account ? words.staffSaved : words.staffAdded)
    await invalidate(listAccounts, getAccount)
    await goOn(isUnsent ? paths.account(id) : paths.accounts())
  }
  return (
    <div className="stack">
      <Head title={title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.accounts()}>{text.admin.menu.accounts}</Link>
      </nav>
      <h1>{title}</h1>
      <SubmitForm className="panel stack" onSubmit={() => void form.submit(send, account ? { userId: account.userId, version } : {})}>
        <div className="form-grid">
          <SelectField
            label={words.staffKind}
            value={values.userType}
            onChange={set('userType')}
            options={[userType.operator, userType.auditor].map((type) => [type, words.types[type]])}
          />
          <TextField label={words.name} required value={values.name} onChange={set('name')} error={errors.name} maxLength={20} />
          {!account && (
            <>
              <TextField
                label={words.userName}
                required
                value={values.userName}
                onChange={set('userName')}
                error={errors.userName}
                autoComplete="off"
                maxLength={30}
              />
              <TextField
                label={words.phone}
                required
                type="tel"
                value={values.phonenumber}
                onChange={set('phonenumber')}
                error={errors.phonenumber}
                maxLength={11}
              />
            </>
          )}
        </div>
        {auditor ? (
          <Field label={words.auditOf} required error={errors.companyId}>
            {(control) => (
              <CompanyPick
                id={control.id}
                pick={pickAuditedCompanies}
                label={words.auditOf}
                single
                value={values.companyId === null ? [] : [values.companyId]}
                onChange={([chosen]) => set('companyId')(chosen ?? null)}
              />
            )}
          </Field>
        ) : (
          <fieldset className={`field ${errors.duties ? 'field-bad' : ''}`}>
            <legend>{words.duties}</legend>
            <div className="duties">
              {operatorDuties.map((duty) => (
                <CheckField
                  key={duty}
                  label={words.duty[duty]}
                  value={values.duties.includes(duty)}
                  onChange={(on) => set('duties')(on ? [...values.duties, duty] : values.duties.filter((one) => one !== duty))}
                />
              ))}
            </div>
            {errors.duties && <p className="field-error">{errors.duties}</p>}
            <CheckField label={words.staffAdmin} value={values.isAdmin} onChange={set('isAdmin')} />
          </fieldset>
        )}
        <DraftNote draft={draft} />
        <p className="row">
          <button type="submit" className="button button-primary" aria-disabled={form.busy}>
            {text.site.common.save}
          </button>
          <Link className="button" to={paths.accounts()}>
            {text.site.common.cancel}
          </Link>
        </p>
      </SubmitForm>
    </div>
  )
}
