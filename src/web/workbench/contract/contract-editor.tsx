import { useState } from 'react'
import { FormProvider, useWatch } from 'react-hook-form'
import {
  clauseGroupNames,
  clauseGroups,
  companyScales,
  isProtected,
  scaleProblems,
  type CompanyScale,
  type ScaleKey,
} from '#shared/contract/clauses.ts'
import type { Contract } from '#shared/contract/contract.ts'
import { editContract } from '#shared/contract/moves.ts'
import { contractSource } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { isConflict, isOutdated } from '../../app/outdated.ts'
import { useCallForm } from '../../app/call-form.ts'
import { colon } from '../../app/colon.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems, MarkedHeading } from '../../app/form-problems.tsx'
import { SelectField, TextField } from '../../app/form.tsx'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useCallDraft } from '../../app/use-local-draft.ts'
import { useNextPage } from '../../app/use-next-page.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { FactRows } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts } from './contract-calls.ts'
import { ClauseFields, type LiveClauses } from './contract-clauses.tsx'
import { draftInputOf, fromContract, lateRateOf, maxLateRate, type DraftFormState } from './contract-draft.ts'
import { useLiveClauses } from './contract-live-clauses.ts'
import { OvertakenDraft } from './contract-locked.tsx'
import { ReturnComment } from './contract-notices.tsx'
import { OwnFormField } from './contract-own-form.tsx'
import { openComment } from './contract-status.ts'

/** Edits a draft: its head and every clause, each with the sentence that it makes. */
export function ContractEditor({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract.pages.form
  const site = useSiteName()
  const goOn = useNextPage()
  const [version, setVersion] = useState(contract.version)
  const [overtaken, setOvertaken] = useState(false)
  const [isAttaching, setAttaching] = useState(false)
  const form: DraftFormState = useCallForm({
    schema: editContract.body,
    values: fromContract(contract),
    body: (typed) => ({ ...draftInputOf(typed), id: contract.id, version }),
    problems: ({ clauses }) =>
      lateRateOf(clauses.lateRate) === undefined ? [{ field: 'clauses.lateRate', message: text.rule.number_max(maxLateRate) }] : [],
  })
  const local = useCallDraft(form, `contract-${contract.id}`)
  // While the own save is under way, its version is not known here yet.
  const isOvertaken = overtaken || (contract.version > version && !form.formState.isSubmitting)
  // Each save of the draft names the version that the one before has made.
  const isSaving = form.formState.isSubmitting || isAttaching
  const live = useDraftClauses(form, contract)
  const save = (opens: boolean) =>
    form.submitting(
      async (body) => {
        // What is typed while the call is under way is not saved with it.
        const sent = structuredClone(form.getValues())
        try {
          const saved = await call(editContract, { body })
          setVersion(saved.version)
          setOvertaken(false)
          local.saved(sent)
          toast('success', words.saved)
          await refreshContracts()
          if (opens) await goOn(paths.contract(contract.id))
        } catch (error) {
          setOvertaken(isConflict(error))
          if (isOutdated(error)) void refreshContracts()
          throw error
        }
      },
      () => toast('warning', text.refusal.invalid),
    )
  const saveAndOpen = useThrottle(save(true))
  return (
    <SubmitForm onSubmit={saveAndOpen}>
      <Head title={words.title} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.contracts()}>{text.contract.title}</Link> / <Link to={paths.contract(contract.id)}>{contract.contractCode}</Link>
      </nav>
      <h1>{words.title}</h1>
      <FormProblems />
      {isOvertaken && <OvertakenDraft to={paths.editContract(contract.id)} />}
      <ReturnComment contract={contract} />
      {contract.source === contractSource.direct && (
        <p className="notice row between">
          {text.contract.pages.direct.fixed}
          <span className="row">
            <Link className="button button-small" to={paths.addContract(`?copy=${contract.id}`)}>
              {text.contract.pages.direct.copy}
            </Link>
            <Link className="button button-small" to={paths.directPositions(contract.id)}>
              {text.contract.pages.direct.edit}
            </Link>
          </span>
        </p>
      )}
      <Basics form={form} contract={contract} />
      <FormProvider {...form}>
        {clauseGroupNames.map((group) => (
          <section key={group} className="panel stack">
            <MarkedHeading>{text.contract.clauseGroup[group]}</MarkedHeading>
            <ClauseFields keys={clauseGroups[group]} live={live} />
          </section>
        ))}
      </FormProvider>
      <OwnFormField
        contract={contract}
        version={version}
        busy={isSaving}
        onBusy={setAttaching}
        onSaved={setVersion}
        onOvertaken={() => setOvertaken(true)}
      />
      <FormBar draft={local} errors={form.errorCount}>
        <button type="button" className="button" aria-disabled={isSaving} onClick={() => void save(false)()}>
          {words.save}
        </button>
        <button type="submit" className="button button-primary" aria-disabled={isSaving}>
          {words.saveOpen}
        </button>
      </FormBar>
    </SubmitForm>
  )
}

function Basics({ form, contract }: { form: DraftFormState; contract: Contract }) {
  const words = useText().contract
  const { form: labels, externalNo, place } = words.pages
  return (
    <section className="panel stack">
      <MarkedHeading>{labels.basics}</MarkedHeading>
      <div className="form-grid">
        <TextField form={form} name="title" label={words.name} required maxLength={60} className="span-all" />
        <TextField form={form} name="externalNo" label={externalNo} maxLength={40} />
        <TextField form={form} name="address" label={place} required maxLength={200} />
        <Scale form={form} name="scaleLessee" hint={labels.scaleHint} />
        {contract.isLessorScaleCertified && contract.scaleLessor ? (
          <dl className="facts">
            <FactRows facts={[[labels.scaleLessor, labels.lessorScale(words.scale[contract.scaleLessor])]]} />
          </dl>
        ) : (
          <Scale form={form} name="scaleLessor" hint={labels.lessorScaleHint} />
        )}
      </div>
    </section>
  )
}

/** The size of a side. Whether the law protects the lessor is decided by both, so without one the contract is not sent. */
function Scale({ form, name, hint }: { form: DraftFormState; name: ScaleKey; hint: string }) {
  const words = useText().contract
  const scales = useScales(form)
  const [problem] = scaleProblems(scales).filter(({ key }) => key === name)
  return (
    <div className="stack" data-problem={problem ? '' : undefined}>
      <SelectField
        form={form}
        name={name}
        label={words.pages.form[name]}
        hint={hint}
        blank={words.pages.form.scaleNone}
        options={companyScales.map((scale) => [scale, words.scale[scale]])}
      />
      {problem && (
        <p className="notice notice-warn small" role="alert" data-problem-text>
          {{ ...words.rule, ...words.scaleRule }[problem.rule]}
        </p>
      )}
    </div>
  )
}

/** The sizes as they are chosen. */
function useScales(form: DraftFormState): Record<ScaleKey, CompanyScale | null> {
  const [lessee, lessor] = useWatch({ control: form.control, name: ['scaleLessee', 'scaleLessor'] })
  const chosen = (value: string) => companyScales.find((one) => one === value) ?? null
  return { scaleLessee: chosen(lessee), scaleLessor: chosen(lessor) }
}

/** The clauses of the draft as they are typed, with what the law says of them and what the lessor wrote about them. */
function useDraftClauses(form: DraftFormState, contract: Contract): LiveClauses {
  const text = useText()
  const words = text.contract
  const { scaleLessee, scaleLessor } = useScales(form)
  const smeRule = isProtected(scaleLessee, scaleLessor)
  const { currentLprBp: lprBp, planStart, planEnd } = contract
  const comments = openComment(contract)?.clauses ?? []
  return useLiveClauses(form, {
    stored: contract.clauses,
    facts: { smeRule, lprBp, planStart, planEnd },
    notes: (key) => comments.filter((one) => one.key === key).map(({ comment }) => `${words.pages.clauseComment}${colon(text)}${comment}`),
  })
}
