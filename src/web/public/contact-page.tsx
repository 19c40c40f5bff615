import { useState } from 'react'
import { ContactInput, contactTypes, sendContact } from '#shared/contact/contract.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../app/api.ts'
import { ImageCode } from '../account/image-code.tsx'
import { useSite, useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useTabDraft } from '../app/use-tab-draft.ts'
import { SubmitForm } from '../ui/form-fields.tsx'
import { Field, Head } from '../ui/parts.tsx'
import { Link } from '../ui/link.tsx'
import { toast } from '../ui/toast.tsx'
import { useForm } from '../app/use-form.ts'

const blank = { name: '', company: '', phone: '', email: '', type: 'project', content: '' }

export default function ContactPage() {
  const text = useText()
  const { contact } = text.site
  const site = useSiteName()
  const [values, setValues] = useState(blank)
  const [code, setCode] = useState({ uuid: '', code: '' })
  const [round, setRound] = useState(0)
  const [busy, setBusy] = useState(false)
  const form = useForm(ContactInput)
  const forget = useTabDraft('contact', values, (stored) => setValues((before) => ({ ...before, ...stored })))
  const send = async () => {
    const body = form.check({ ...values, ...code })
    if (!body) return
    setBusy(true)
    try {
      await call(sendContact, { body })
      setValues(blank)
      forget()
      toast('success', contact.sent)
    } catch (error) {
      form.refused(error)
    } finally {
      setBusy(false)
      setRound((before) => before + 1)
    }
  }
  const set = (name: keyof typeof blank) => (event: { target: { value: string } }) => {
    setValues((before) => ({ ...before, [name]: event.target.value }))
    form.clear(name)
  }
  return (
    <div className="wrap page">
      <Head title={contact.title} description={contact.lead} site={site} />
      <header className="page-head">
        <h1>{contact.title}</h1>
        <p>{contact.lead}</p>
      </header>
      <SubmitForm className="panel form-grid" onSubmit={() => void send()}>
        {(['name', 'company', 'phone', 'email'] as const).map((name) => (
          <Field key={name} label={contact[name]} error={form.errors[name]} required={name !== 'email'}>
            {(control) => (
              <input
                {...control}
                className="input"
                value={values[name]}
                onChange={set(name)}
                autoComplete={{ name: 'name', company: 'organization', phone: 'tel', email: 'email' }[name]}
              />
            )}
          </Field>
        ))}
        <Field label={contact.type} error={form.errors.type} required>
          {(control) => (
            <select {...control} className="select" value={values.type} onChange={set('type')}>
              {contactTypes.map((type) => (
                <option key={type} value={type}>
                  {contact.types[type]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ImageCode type="contact" value={code} onChange={setCode} form={form} round={round} />
        <Field label={contact.content} error={form.errors.content} hint={contact.contentHint} required className="span-all">
          {(control) => <textarea {...control} className="textarea" value={values.content} onChange={set('content')} maxLength={1000} />}
        </Field>
        <p className="span-all">
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {contact.send}
          </button>
        </p>
      </SubmitForm>
      <OtherWays />
    </div>
  )
}

/** Phone, hours and address, as far as they are configured. */
function OtherWays() {
  const { contact, footer, help } = useText().site
  const { phone, hours, company, address } = useSite()
  return (
    <section className="panel mt-16">
      <h2>{phone || address ? contact.ways : contact.more}</h2>
      <dl className="facts">
        {phone && (
          <div>
            <dt>{footer.phone}</dt>
            <dd className="num">
              <a href={`tel:${phone}`}>{phone}</a>
            </dd>
          </div>
        )}
        {phone && hours && (
          <div>
            <dt>{contact.hours}</dt>
            <dd>{hours}</dd>
          </div>
        )}
        {address && (
          <div>
            <dt>{contact.address}</dt>
            <dd>
              {company} {address}
            </dd>
          </div>
        )}
      </dl>
      <p className="row mt-8">
        <Link to={paths.helpHome}>{help.title}</Link>
        <Link to={paths.help('faq')}>{footer.faq}</Link>
      </p>
    </section>
  )
}
