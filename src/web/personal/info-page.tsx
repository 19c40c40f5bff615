import { updateNickname } from '#shared/account/contract.ts'
import { Nickname } from '#shared/account/input.ts'
import { call } from '../app/api.ts'
import { day } from '../app/format.ts'
import { ProjectSwitch } from '../app/project-switch.tsx'
import { useSite, useSiteName } from '../app/site.ts'
import { roleIn, useSession } from '../app/session.ts'
import { refetchChangedUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { SubmitForm, TextField } from '../ui/form-fields.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'

export default function InfoPage() {
  const text = useText()
  const session = useSession()
  const site = useSiteName()
  const { personal } = text.account
  const user = session.info?.user
  const { name, nameEn } = useSite()
  const role = roleIn(session)
  const shownName = user?.nickName ?? ''
  /** Before certification the name of the site stands for a name, which nobody means to save as their own. */
  const isDefault = !role && [name, nameEn].includes(shownName)
  const form = useFields(Nickname, { nickName: isDefault ? '' : shownName })
  const save = async (body: { nickName: string }) => {
    await call(updateNickname, { body })
    await refetchChangedUser()
    toast('success', text.site.common.saved)
  }
  const facts: [string, string][] = [
    [personal.name, user?.name ?? ''],
    [personal.phone, (user?.phonenumber ?? '').replace(/^(\d{3})\d{4}/, '$1****')],
    [personal.roleLabel, role ? text.account.role[role] : text.account.defaults.deptName],
    [personal.company, user?.companyName || text.site.common.none],
    [personal.dept, user?.dept.name ?? ''],
    [personal.since, day(user?.createTime ?? '')],
  ]
  return (
    <div className="stack">
      <Head title={personal.info} site={site} index={false} />
      <h1>{personal.info}</h1>
      <section className="panel">
        <dl className="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {(user?.deptList.length ?? 0) > 1 && (
          <div className="mt-16 own-project">
            <p className="legend">{text.personal.safety.projects}</p>
            <ProjectSwitch />
          </div>
        )}
        <h2 className="mt-16">{personal.permissions}</h2>
        {role === 'driver' && <p className="soft">{text.personal.driver.text}</p>}
        <p className="row gap-6 mt-8">
          {session.info?.permissions.map((permission) => (
            <Tag key={permission}>{text.account.permission[permission]}</Tag>
          ))}
        </p>
      </section>
      <SubmitForm className="panel stack narrow" onSubmit={() => void form.submit(save)}>
        <TextField
          label={personal.nickName}
          error={form.errors.nickName}
          required
          maxLength={30}
          placeholder={shownName}
          value={form.values.nickName}
          onChange={form.set('nickName')}
        />
        <p>
          <button type="submit" className="button button-primary" aria-disabled={form.busy}>
            {text.site.common.save}
          </button>
        </p>
      </SubmitForm>
    </div>
  )
}
