import { useCallback, useState } from 'react'
import type { z } from 'zod'
import { listDrafts, publishDemand, type OwnDemand } from '#shared/demand/contract.ts'
import { PublishInput } from '#shared/demand/input.ts'
import { amendDemand } from '#shared/demand/moves.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { paths } from '#shared/paths.ts'
import { problemErrors } from '#shared/text/validation.ts'
import { call } from '../../app/api.ts'
import { minute } from '../../app/format.ts'
import { isConflict } from '../../app/outdated.ts'
import { useCallForm } from '../../app/call-form.ts'
import { FormBar, SaveFailed } from '../../app/form-bar.tsx'
import { AreaField } from '../../app/form.tsx'
import { Held } from '../../app/held.tsx'
import { invalidate } from '../../app/queries.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useCallDraft } from '../../app/use-local-draft.ts'
import type { StoredDraftState } from '../../app/use-stored-draft.ts'
import { moveDialogDraft } from '../../app/use-dialog-draft.ts'
import { useNextPage } from '../../app/use-next-page.ts'
import { useCategories } from '../../category/category-tree.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { Head } from '../../ui/parts.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { BasicsSection, DutiesSection, MoreSection } from './demand-form-sections.tsx'
import { LinesSection } from './demand-lines.tsx'
import {
  nameInForm,
  demandInputOf,
  mainSpecProblems,
  type DemandBody,
  type DemandForm,
  type DemandFormState,
  type Project,
} from './draft.ts'
import { InternalChecks } from '../internal/internal-check.tsx'
import { refreshMatches } from '../internal/refused-matches.ts'
import { MatchPreview } from './match-preview.tsx'
import { nameDraft } from './draft-address.ts'
import { nameOfPasted } from './draft-saves.ts'
import { RestBefore } from './rest-before.tsx'
import { useDraft } from './use-draft.ts'
import { callsOfOwnDemands } from './own-demands.ts'

/** Edits a demand. A new one is stored as a draft while it is typed; a published one is sent as a change. */
export function DemandEditor({
  initial,
  stored,
  changing,
  projects,
  rests,
}: {
  initial: DemandForm
  /** The stored draft that this form continues. */
  stored: { id: number; version: number } | null
  changing: { demand: OwnDemand; reuse: 'amend' | 'revise' } | null
  projects: readonly Project[]
  /** The demands in which the rest that this form begins with was published before. */
  rests: OwnDemand['followers']
}) {
  const text = useText()
  const { form: words, own } = text.demand
  const site = useSiteName()
  const goOn = useNextPage()
  const [busy, setBusy] = useState(false)
  const [overtaken, setOvertaken] = useState(false)
  const categories = useCategories()
  const amended = changing?.reuse === 'amend' ? changing.demand : null
  // The fields begin with the demand of this version; one that is fetched later has others.
  const [version] = useState(changing?.demand.version)
  const form: DemandFormState = useCallForm({
    schema: amended ? amendDemand.body : PublishInput,
    values: initial,
    nameOf: nameInForm,
    problems: (typed) => problemErrors(text, mainSpecProblems(typed, categories)),
    body: (typed) => ({
      ...demandInputOf(typed),
      version,
      ...(amended ? { id: amended.id } : { draftId: changing?.demand.id }),
    }),
  })
  const onSaved = useCallback(
    ({ id }: { id: number }, isOpen: boolean) => {
      if (stored === null && isOpen) nameDraft(id)
      void invalidate(listDrafts)
    },
    [stored],
  )
  const draft = useDraft(form, stored, changing === null, onSaved)
  // A published demand has no draft on the server, so its change is stored in the browser.
  const draftName = () => (changing ? `demand-${changing.reuse}-${changing.demand.id}` : draft.name())
  const local = useCallDraft(form, changing && draftName())
  const send = async (body: DemandBody): Promise<number> => {
    if ('changeReason' in body) {
      const { quoteDeadline } = await call(amendDemand, { body })
      toast('success', own.amended(minute(quoteDeadline)))
      return Number(body.id)
    }
    // A draft whose first save is under way is published as well, and does not stay behind.
    const { id, demandCode, status } = await publishWith(body, changing ? null : await draft.settle())
    toast('success', status === demandStatus.submitted ? words.submitted(demandCode) : words.published(demandCode))
    return id
  }
  const publish = useThrottle(
    form.submitting(async (body) => {
      setBusy(true)
      setOvertaken(false)
      draft.stop(true)
      // What is typed while the call is under way is not sent with it.
      const sent = structuredClone(form.getValues())
      try {
        const id = await send(body)
        if (changing) local.saved(sent)
        else draft.local.done()
        moveDialogDraft(nameOfPasted(draftName()))
        void invalidate(listDrafts, ...callsOfOwnDemands)
        await goOn(paths.ownDemand(id))
      } catch (error) {
        draft.stop(false)
        setOvertaken(isConflict(error))
        // A draft that was saved elsewhere meanwhile refuses a save as well, whose conflict shows and leaves what is typed in this browser.
        if (!changing && isConflict(error)) void draft.save()
        await refreshMatches(error)
        throw error
      } finally {
        setBusy(false)
      }
    }),
  )
  return (
    <SubmitForm onSubmit={publish}>
      <Head title={amended ? words.amendTitle : words.title} site={site} index={false} />
      <h1>{amended ? words.amendTitle : words.title}</h1>
      <DraftConflict state={draft.state} onCopy={() => void draft.save(true)} />
      <RestBefore rests={rests} />
      {overtaken && changing && <Overtaken id={changing.demand.id} />}
      {amended && (
        <section className="panel stack">
          {amended.isDecidedAbove && <p className="notice">{own.amendApproved}</p>}
          <p className="soft">{own.amendHint}</p>
          <AreaField form={form} name="changeReason" label={own.amendReason} hint={own.amendReasonHint} required maxLength={500} />
        </section>
      )}
      {/* What is typed into a draft after it was sent would be neither published nor a draft. */}
      <Held when={busy && changing === null}>
        <BasicsSection form={form} fixed={amended !== null} held={amended?.quoteDeadline ?? null} projects={projects} />
        <LinesSection form={form} draft={draftName()} />
        {!amended && <InternalChecks form={form} />}
        <DutiesSection form={form} />
        <MoreSection form={form} fixed={amended !== null} />
      </Held>
      <FormBar
        errors={form.errorCount}
        {...(changing === null ? { status: <DraftStatus form={form} state={draft.state} />, draft: draft.local } : { draft: local })}
      >
        <button type="submit" className="button button-primary" aria-disabled={busy}>
          {busy ? words.submitting : amended ? words.amendSubmit : words.submit}
        </button>
      </FormBar>
    </SubmitForm>
  )
}

/** Publishes the demand with the draft that its form continues, if it has one. */
const publishWith = (body: z.input<typeof PublishInput>, draft: { id: number; version: number } | null) =>
  call(publishDemand, { body: { ...body, ...(draft && { draftId: draft.id, version: draft.version }) } })

function DraftStatus({ form, state }: { form: DemandFormState; state: StoredDraftState }) {
  return (
    <>
      <StoredDraft state={state} />
      <MatchPreview form={form} />
    </>
  )
}

/** Says whether the draft is stored on the server. */
function StoredDraft({ state }: { state: StoredDraftState }) {
  const words = useText().demand.form
  if (state.kind === 'failed') return <SaveFailed words={words.saveFailed} why={state.why} />
  return (
    <span className="faint">
      {state.kind === 'idle' && words.draft}
      {state.kind === 'saving' && words.saving}
      {state.kind === 'saved' && words.savedAt(state.at)}
    </span>
  )
}

/** Says that somebody else has saved, published or deleted the draft, and saves what is typed as a new one. */
function DraftConflict({ state, onCopy }: { state: StoredDraftState; onCopy: () => void }) {
  const words = useText().demand.form
  if (state.kind !== 'conflict') return null
  return (
    <div className="notice notice-warn row between" role="alert">
      <span>
        {words.conflict}
        {state.why !== '' && <span className="block">{state.why}</span>}
      </span>
      <button type="button" className="button button-small" onClick={onCopy}>
        {words.saveCopy}
      </button>
    </div>
  )
}

/** Says that somebody else has changed the demand, and links to it. The typed text stays here. */
function Overtaken({ id }: { id: number }) {
  const { own } = useText().demand
  return (
    <div className="notice notice-warn row between" role="alert">
      {own.changed}
      <a className="button button-small" href={paths.ownDemand(id)} target="_blank" rel="noreferrer">
        {own.changedOpen}
      </a>
    </div>
  )
}
