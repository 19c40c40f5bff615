import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { listOwnCertifications, submitDept, submitLease, submitRentout, type Certification } from '#shared/certification/contract.ts'
import {
  certificationStatus,
  documentsOf,
  draftCertifications,
  paperStatus,
  fieldsToMend,
  missingDocuments,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { ruleWords } from '#shared/text/validation.ts'
import { ApiError, call } from '../app/api.ts'
import { isConflict } from '../app/outdated.ts'
import { invalidate } from '../app/queries.ts'
import { useCallForm } from '../app/call-form.ts'
import { colon } from '../app/colon.ts'
import { FormBar } from '../app/form-bar.tsx'
import { Held } from '../app/held.tsx'
import { roleIn, useSession } from '../app/session.ts'
import { refetchChangedUser } from '../app/refetch.ts'
import { useText } from '../app/text.tsx'
import { useCallDraft, type LocalDraftOf } from '../app/use-local-draft.ts'
import { namesOf, sectionsOf } from '../certification/certification-fields.tsx'
import { SubmitForm } from '../ui/form-fields.tsx'
import { toast } from '../ui/toast.tsx'
import { CertificationInput } from './certification-inputs.tsx'
import { CertificationSteps } from './certification-steps.tsx'
import {
  lacksParent,
  nameOfDocument,
  openCertification,
  certificationInputOf,
  unlocked,
  uploadedIn,
  type CertificationFormState,
  type CertificationValues,
} from './certification-values.ts'
import { DocumentUploads } from './document-uploads.tsx'
import { useCertificationDraft } from './use-certification-draft.ts'

type Props = {
  found: Certification | undefined
  onDone: () => void
  /** Opens the form again, because the draft has been saved elsewhere meanwhile. */
  onOvertaken: () => void
}

/** The steps of a first application or a change. After a rejection, only the rejected fields and documents. */
export function CertificationForm({ kind, ...rest }: Props & { kind: CertificationKind }) {
  switch (kind) {
    case 'rentout':
      return (
        <Application
          {...rest}
          kind={kind}
          schema={submitRentout.body}
          send={(body, version) => call(submitRentout, { body: { ...body, version } })}
        />
      )
    case 'lease':
      return (
        <Application
          {...rest}
          kind={kind}
          schema={submitLease.body}
          send={(body, version) => call(submitLease, { body: { ...body, version } })}
        />
      )
    case 'dept':
      return (
        <Application
          {...rest}
          kind={kind}
          schema={submitDept.body}
          send={(body, version) => call(submitDept, { body: { ...body, version } })}
        />
      )
  }
}

function Application<S extends z.ZodType>({
  kind,
  found,
  onDone,
  onOvertaken,
  schema,
  send,
}: Props & { kind: CertificationKind; schema: S; send: (body: z.input<S>, version: number) => Promise<unknown> }) {
  const text = useText()
  const session = useSession()
  const user = session.info?.user
  const form = useCallForm<CertificationValues, S>({
    schema,
    values: openCertification(kind, found, user?.phonenumber),
    body: certificationInputOf,
    nameOf: nameOfDocument,
    problems: (typed) => [
      ...(lacksParent(typed.form) ? [{ field: 'form.parentName', message: text.rule.required }] : []),
      ...missingDocuments(kind, { ownErection: typed.form.ownErection === true }, new Set(uploadedIn(typed.documents))).map((document) => ({
        field: `documents.${document}`,
        message: ruleWords(text, 'document_missing'),
      })),
    ],
  })
  // Who has a role without an application hands in a change of it, and that has no draft on the server.
  const isDraft = found ? isAmong(found.status, draftCertifications) : roleIn(session) === null
  const stored = useCertificationDraft(form, { kind, version: found?.version ?? 0, enabled: isDraft })
  // Another name than that of the draft, which would stay where the application was handed in elsewhere.
  const local = useCallDraft(form, isDraft ? null : `certified-${kind}`)
  const draft = isDraft ? stored.local : local
  const isOvertaken = stored.state.kind === 'conflict'
  useEffect(() => {
    if (isOvertaken) onOvertaken()
  }, [isOvertaken, onOvertaken])
  const rejected = found?.status === certificationStatus.rejected ? found : null
  /** Submits the form. `onWrong` gets the names with errors, whether the schema or the server found them. */
  const handIn = (onWrong: (names: readonly string[]) => void) =>
    form.submitting(async (body) => {
      stored.stop(true)
      // What is typed while the call is under way is not sent with it.
      const sent = structuredClone(form.getValues())
      try {
        await send(body, await stored.settle())
      } catch (error) {
        stored.stop(false)
        // A draft that was saved elsewhere meanwhile refuses a save as well, which leaves what is typed in this browser and opens the form again.
        if (isConflict(error)) void (isDraft ? stored.save() : invalidate(listOwnCertifications))
        if (error instanceof ApiError) onWrong(error.fields.map(({ field }) => field))
        throw error
      }
      if (isDraft) stored.local.done()
      else local.saved(sent)
      toast('success', text.certification.submitted)
      await refetchChangedUser()
      await invalidate(listOwnCertifications)
      onDone()
    }, onWrong)
  const sentBack = (rejected?.documents ?? []).filter(({ status }) => status === paperStatus.rejected).map((paper) => paper.kind)
  if (rejected && rejected.fieldReasons.length + sentBack.length > 0)
    return <MendForm kind={kind} form={form} found={rejected} sentBack={sentBack} draft={local} onSubmit={(onWrong) => handIn(onWrong)()} />
  return (
    <CertificationSteps
      kind={kind}
      form={form}
      rejection={rejected?.reason ?? ''}
      isChange={found?.status === certificationStatus.passed}
      draft={draft}
      stored={stored.state}
      handIn={handIn}
    />
  )
}

/** The fields and documents that the reviewer sent back, with their reasons. All others stay as they were submitted. */
function MendForm<B>({
  kind,
  form,
  found,
  sentBack,
  draft,
  onSubmit,
}: {
  kind: CertificationKind
  form: CertificationFormState<B>
  found: Certification
  sentBack: readonly CertificationDocument[]
  draft: LocalDraftOf
  onSubmit: (onWrong: (names: readonly string[]) => void) => Promise<void>
}) {
  const { certification, locale, refusal } = useText()
  // Accepted parts that turn out not to hold any more, such as a licence that has run out since: they are mended as well.
  const [lapsed, setLapsed] = useState<readonly string[]>([])
  const submit = () =>
    onSubmit((names) => {
      if (names.length > 0) toast('warning', refusal.invalid)
      setLapsed((before) => [...new Set([...before, ...names])])
      form.setValue('documents', unlocked(form.getValues('documents'), names))
    })
  const mendable = fieldsToMend([
    ...found.fieldReasons,
    ...lapsed.flatMap((name) => (name.startsWith('form.') ? [{ field: name.slice('form.'.length) }] : [])),
  ])
  const documents = documentsOf[kind].filter((document) => sentBack.includes(document) || lapsed.includes(`documents.${document}`))
  const fields = sectionsOf[kind]
    .flatMap((section) => section.fields)
    .filter((spec) => namesOf(spec).some((name) => mendable.includes(name)))
  return (
    <SubmitForm onSubmit={() => void submit()}>
      <p className="notice notice-warn" role="status">
        {found.reason ? `${certification.reasonLabel}${colon({ locale })}${found.reason} ` : ''}
        {certification.onlyRejected}
      </p>
      <Held when={form.formState.isSubmitting}>
        {fields.length > 0 && (
          <section className="panel">
            <div className="form-grid">
              {fields.map((spec) => (
                <CertificationInput
                  key={spec.name}
                  form={form}
                  spec={spec}
                  note={found.fieldReasons.find(({ field }) => namesOf(spec).includes(field))?.reason}
                />
              ))}
            </div>
          </section>
        )}
        {documents.length > 0 && (
          <section className="panel">
            <DocumentUploads kind={kind} form={form} documents={documents} />
          </section>
        )}
      </Held>
      <FormBar draft={draft} errors={form.errorCount}>
        <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
          {certification.submit}
        </button>
      </FormBar>
    </SubmitForm>
  )
}
