import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { listMessageConfig, saveMessageConfig } from '#shared/message/contract.ts'
import { halfHoursWith, subjectGroups, type SubjectGroup } from '#shared/message/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { colon } from '../app/colon.ts'
import { invalidate } from '../app/queries.ts'
import { paths } from '#shared/paths.ts'
import { yesNo } from '#shared/rules.ts'
import { Loaded } from '../app/list-frame.tsx'
import { useSiteName } from '../app/site.ts'
import { useLanguage, useText } from '../app/text.tsx'
import { focusFirst } from '../app/use-form.ts'
import { reserveBarHeight } from '../ui/bar-height.ts'
import { SelectField } from '../ui/form-fields.tsx'
import { Head, Tag } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

type Config = z.infer<(typeof listMessageConfig)['answer']>

/** The groups of which some subject is sent, in their order. */
const groupsOf = (list: Config) => (Object.keys(subjectGroups) as SubjectGroup[]).filter((group) => list.some((one) => one.group === group))

/** The channels of each subject: in the app, as a pop-up, or by SMS outside the quiet hours. */
export default function SubscriptionsPage() {
  const { text, locale } = useLanguage()
  const words = text.personal.subscription
  const site = useSiteName()
  const stored = useQuery({
    queryKey: [listMessageConfig.url, locale],
    queryFn: () => call(listMessageConfig, {}),
    placeholderData: (before) => before,
  })
  // Beside the answer, which comes again whenever the language changes.
  const [changes, setChanges] = useState<Record<string, Partial<Config[number]>>>({})
  const list = stored.data?.map((one) => ({ ...one, ...changes[one.systemSubject] }))
  const [busy, setBusy] = useState(false)
  const quiet = list?.find(({ quietFrom }) => quietFrom !== '')
  const [hours, setHours] = useState<Hours | null>(null)
  const from = hours?.from ?? quiet?.quietFrom ?? ''
  const to = hours?.to ?? quiet?.quietTo ?? ''
  const [isChecked, setChecked] = useState(false)
  const missing = from && !to ? 'to' : to && !from ? 'from' : null
  const set = (subject: string, change: Partial<Config[number]>) =>
    setChanges((before) => ({ ...before, [subject]: { ...before[subject], ...change } }))
  const save = async () => {
    if (!list) return
    setChecked(missing !== null)
    if (missing) {
      focusFirst()
      return
    }
    setBusy(true)
    try {
      await call(saveMessageConfig, {
        body: list.map(({ systemSubject, inApp, push, sms }) => ({
          systemSubject,
          inApp,
          push,
          sms,
          quietFrom: from,
          quietTo: to,
        })),
      })
      toast('success', words.saved)
      await invalidate(listMessageConfig)
      // What was ticked meanwhile is not saved yet.
      setChanges((now) => Object.fromEntries(Object.entries(now).filter(([subject, change]) => change !== changes[subject])))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <Head title={words.title} site={site} index={false} />
      <p className="small">
        <Link to={paths.messages}>{text.account.personal.messages}</Link>
      </p>
      <h1>{words.title}</h1>
      <p className="soft">{words.hint}</p>
      {!list ? (
        <Loaded query={stored} rows={6}>
          {() => null}
        </Loaded>
      ) : (
        <>
          {groupsOf(list).map((group) => (
            <section key={group} className="panel">
              <h2>{words.groups[group]}</h2>
              <table className="table subscriptions">
                <thead>
                  <tr>
                    <th>{text.account.message.subject}</th>
                    {(['inApp', 'push', 'sms'] as const).map((way) => (
                      <th key={way}>{words[way]}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {list
                    .filter((one) => one.group === group)
                    .map((one) => (
                      <tr key={one.systemSubject}>
                        <td>{one.label}</td>
                        {(['inApp', 'push', 'sms'] as const).map((way) => (
                          <td key={way}>
                            {way === 'inApp' && one.locked ? (
                              <Tag>{words.locked}</Tag>
                            ) : (
                              <input
                                type="checkbox"
                                aria-label={`${one.label}${colon(text)}${words[way]}`}
                                checked={one[way] === yesNo.yes && (way !== 'push' || one.inApp === yesNo.yes)}
                                disabled={way === 'push' && one.inApp === yesNo.no}
                                onChange={(event) => set(one.systemSubject, { [way]: event.target.checked ? yesNo.yes : yesNo.no })}
                              />
                            )}
                          </td>
                        ))}
                      </tr>
                    ))}
                </tbody>
              </table>
            </section>
          ))}
          <QuietHours from={from} to={to} missing={isChecked ? missing : null} onChange={setHours} />
          <div ref={reserveBarHeight} className="action-bar">
            <span />
            <button type="button" className="button button-primary" aria-disabled={busy} onClick={() => void save()}>
              {text.site.common.save}
            </button>
          </div>
        </>
      )}
    </div>
  )
}

type Hours = { from: string; to: string }

/** The hours without an SMS: both of them, or neither. */
function QuietHours({ from, to, missing, onChange }: Hours & { missing: keyof Hours | null; onChange: (hours: Hours) => void }) {
  const words = useText().personal.subscription
  const hours = { from, to }
  return (
    <section className="panel">
      <h2>{words.quiet}</h2>
      <div className="row gap-8 mt-8 quiet-times" role="group" aria-label={words.quiet}>
        {(['from', 'to'] as const).map((side) => (
          <SelectField
            key={side}
            label={words[side]}
            error={missing === side ? words.bothHours : undefined}
            value={hours[side]}
            blank={words.noHour}
            onChange={(value) => onChange({ ...hours, [side]: value })}
            options={halfHoursWith(hours[side]).map((clock) => [clock, clock])}
          />
        ))}
      </div>
    </section>
  )
}
