import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { audienceRoles, countAudience, listBroadcasts, pickCompanies, sendBroadcast, type Audience } from '#shared/broadcast/contract.ts'
import { getRegionTree, type RegionNode } from '#shared/region/contract.ts'
import { comma } from '#shared/text/punctuation.ts'
import { call } from '../app/api.ts'
import { isConflict } from '../app/outdated.ts'
import { ConfirmDialog } from '../app/confirm-dialog.tsx'
import { CheckField, SubmitForm, TextareaField, TextField } from '../ui/form-fields.tsx'
import { colon } from '../app/colon.ts'
import { minute, named, number } from '../app/format.ts'
import { ListBody, ListTotal, UnloadedOptions, useList } from '../app/list-frame.tsx'
import { invalidate } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { FormBar } from '../app/form-bar.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { MultiCombobox } from '../ui/combobox.tsx'
import { Field, Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields, useFirstField } from '../app/use-form.ts'
import { CompanyPick } from './company-pick.tsx'

const pageSize = 20
const nobody: Audience = { everybody: false, roles: [], provinceIds: [], companyIds: [] }

const isChosen = ({ everybody, roles, provinceIds, companyIds }: Audience) =>
  everybody || roles.length + provinceIds.length + companyIds.length > 0

export default function BroadcastPage() {
  const text = useText()
  const words = text.admin.broadcasts
  const site = useSiteName()
  const [isConfirming, setConfirming] = useState(false)
  const form = useFields(sendBroadcast.body, { title: '', content: '', link: '', audience: nobody })
  const { values, set, errors } = form
  const { audience } = values
  useFirstField()
  const draft = useValuesDraft('broadcast', values, form.setValues)
  const count = useQuery({
    queryKey: [countAudience.url, audience],
    queryFn: () =>
      call(countAudience, {
        query: {
          everybody: audience.everybody ? 'true' : '',
          roles: audience.roles.join(','),
          provinceIds: audience.provinceIds.join(','),
          companyIds: audience.companyIds.join(','),
        },
      }),
    placeholderData: (before) => before,
  })
  const provinces = useQuery({
    queryKey: [getRegionTree.url, 'provinces'],
    queryFn: () => call(getRegionTree, { query: { level: 1 } }),
    staleTime: Infinity,
  })
  const people = count.data?.people ?? 0
  const send = async () => {
    setConfirming(false)
    await form.submit(
      async (body) => {
        try {
          const sent = await call(sendBroadcast, { body })
          toast('success', sent.isSent ? words.sent(sent.people) : words.sending(sent.people))
          const next = { ...values, title: '', content: '', link: '', audience: nobody }
          draft.done(next)
          // The next one may be typed while this one is sent.
          form.setValues((now) => (now === values ? next : now))
        } catch (problem) {
          // The audience has changed since it was counted.
          if (isConflict(problem)) await invalidate(countAudience)
          throw problem
        }
        await invalidate(listBroadcasts)
      },
      { people },
    )
  }
  const names = new Map(provinces.data?.map((region) => [region.code, named(text, region)]))
  return (
    <div className="stack">
      <Head title={text.admin.menu.broadcasts} site={site} index={false} />
      <div>
        <h1>{text.admin.menu.broadcasts}</h1>
        <p className="soft">{words.lead}</p>
      </div>
      <SubmitForm className="panel stack" onSubmit={() => form.check({ ...values, people: Math.max(1, people) }) && setConfirming(true)}>
        <TextField label={words.title} required value={values.title} onChange={set('title')} error={errors.title} maxLength={80} />
        <TextareaField
          label={words.content}
          required
          value={values.content}
          onChange={set('content')}
          error={errors.content}
          maxLength={1000}
        />
        <TextField
          label={words.link}
          hint={words.linkHint}
          value={values.link}
          onChange={set('link')}
          error={errors.link}
          maxLength={200}
        />
        <AudienceFields audience={audience} provinces={provinces.data ?? []} onChange={set('audience')} />
        <UnloadedOptions queries={[count, provinces]} />
        <FormBar draft={draft} errors={Object.keys(errors).length}>
          <strong role="status">
            {!isChosen(audience)
              ? words.choose
              : count.data === undefined
                ? ''
                : people === 0
                  ? words.nobody
                  : words.count(people, count.data?.companies ?? 0)}
          </strong>
          <button type="submit" className="button button-primary" aria-disabled={form.busy || people === 0 || !isChosen(audience)}>
            {words.send}
          </button>
        </FormBar>
      </SubmitForm>
      <History names={names} />
      <ConfirmDialog
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={words.send}
        action={words.send}
        busy={form.busy}
        onConfirm={() => void send()}
      >
        <p>{words.sendAsk(people)}</p>
        <p>
          {words.scope}
          {colon(text)}
          <Scope audience={audience} names={names} />
        </p>
        <p className="soft">{values.title}</p>
      </ConfirmDialog>
    </div>
  )
}

type AudienceProps = { audience: Audience; provinces: readonly RegionNode[]; onChange: (audience: Audience) => void }

/** Everybody is a choice of its own: an audience that nobody has chosen reaches nobody. */
function AudienceFields({ audience, provinces, onChange }: AudienceProps) {
  const words = useText().admin.broadcasts
  return (
    <>
      <CheckField
        label={words.everybody}
        hint={words.everybodyHint}
        value={audience.everybody}
        onChange={(everybody) => onChange({ ...nobody, everybody })}
      />
      {!audience.everybody && <NarrowedAudience audience={audience} provinces={provinces} onChange={onChange} />}
    </>
  )
}

function NarrowedAudience({ audience, provinces, onChange }: AudienceProps) {
  const text = useText()
  const words = text.admin.broadcasts
  const narrow = (change: Partial<Audience>) => onChange({ ...audience, ...change })
  const nameOf = (province: number) => {
    const found = provinces.find(({ code }) => code === province)
    return found ? named(text, found) : String(province)
  }
  return (
    <>
      <fieldset className="field">
        <legend>{words.roles}</legend>
        <div className="duties">
          {audienceRoles.map((role) => (
            <CheckField
              key={role}
              label={words.role[role]}
              value={audience.roles.includes(role)}
              onChange={(on) => narrow({ roles: on ? [...audience.roles, role] : audience.roles.filter((one) => one !== role) })}
            />
          ))}
        </div>
      </fieldset>
      <div className="form-grid">
        <Field label={words.provinces}>
          {(control) => (
            <MultiCombobox
              id={control.id}
              label={words.provinces}
              placeholder={words.all}
              none={text.site.common.empty}
              remove={text.site.common.delete}
              values={audience.provinceIds.map((code) => ({ value: code, label: nameOf(code) }))}
              options={provinces.map((region) => ({ value: region.code, label: named(text, region) }))}
              onChange={(chosen) => narrow({ provinceIds: chosen.map(({ value }) => value) })}
            />
          )}
        </Field>
        <Field label={words.companies}>
          {(control) => (
            <CompanyPick
              id={control.id}
              pick={pickCompanies}
              label={words.companies}
              value={audience.companyIds}
              onChange={(companyIds) => narrow({ companyIds })}
            />
          )}
        </Field>
      </div>
    </>
  )
}

/** Who an audience is, in words. Companies are named where there are few. */
function Scope({ audience, names }: { audience: Audience; names: ReadonlyMap<number, string> }) {
  const text = useText()
  const words = text.admin.broadcasts
  const { roles, provinceIds, companyIds } = audience
  const companies = useQuery({
    queryKey: [pickCompanies.url, '', companyIds.join(',')],
    queryFn: () => call(pickCompanies, { query: { ids: companyIds.join(',') } }),
    enabled: companyIds.length > 0,
    staleTime: Infinity,
  })
  const named = (companies.data ?? []).filter(({ id }) => companyIds.includes(id)).slice(0, 3)
  if (!isChosen(audience) || audience.everybody) return words.everybody
  return [
    roles.map((role) => words.role[role]).join(comma(text)),
    provinceIds.map((code) => names.get(code) ?? code).join(comma(text)),
    companyIds.length > 0
      ? words.companyNames(named.map(({ enterpriseName }) => enterpriseName).join(comma(text)), companyIds.length - named.length)
      : '',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The broadcasts that were sent; `names` are those of the provinces. */
function History({ names }: { names: ReadonlyMap<number, string> }) {
  const words = useText().admin.broadcasts
  const list = useList(listBroadcasts, pageSize)
  return (
    <>
      <h2>
        {words.history} <ListTotal list={list} />
      </h2>
      <ListBody
        list={list}
        empty={words.empty}
        pageSize={pageSize}
        keyOf={({ id }) => id}
        columns={[
          {
            label: words.title,
            whole: true,
            cell: (one) => (
              <>
                <strong>{one.title}</strong>
                <p className="small soft">{one.content}</p>
              </>
            ),
          },
          { label: words.audience, cell: (one) => <Scope audience={one.audience} names={names} /> },
          { label: words.people, num: true, cell: (one) => (one.isSent ? number(one.people) : `${number(one.people)} · ${words.unsent}`) },
          { label: words.read, num: true, cell: (one) => number(one.read) },
          { label: words.who, cell: (one) => one.who },
          { label: words.at, cell: (one) => <span className="num">{minute(one.at)}</span> },
        ]}
      />
    </>
  )
}
