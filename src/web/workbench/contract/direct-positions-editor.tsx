import { useState } from 'react'
import type { Contract } from '#shared/contract/contract.ts'
import { editDirectPositions } from '#shared/contract/direct.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { isConflict } from '../../app/outdated.ts'
import { FormBar } from '../../app/form-bar.tsx'
import { FormProblems } from '../../app/form-problems.tsx'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useCallDraft } from '../../app/use-local-draft.ts'
import { useNextPage } from '../../app/use-next-page.ts'
import { SubmitForm } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { useThrottle } from '../../ui/throttle.ts'
import { toast } from '../../ui/toast.tsx'
import { refreshContracts } from './contract-calls.ts'
import { OvertakenDraft } from './contract-locked.tsx'
import { ReturnComment } from './contract-notices.tsx'
import { likeContract } from './direct-contract.ts'
import { DirectLines, useDirectForm } from './direct-lines.tsx'

/** Edits the machines, days and rents of a draft that a unit writes down itself. Its title and clauses have a page of their own. */
export function DirectPositionsEditor({ contract }: { contract: Contract }) {
  const text = useText()
  const words = text.contract.pages.direct
  const site = useSiteName()
  const goOn = useNextPage()
  // The version that the form was filled from: a later one is somebody else's.
  const [version] = useState(contract.version)
  const { form, machines, saving } = useDirectForm(likeContract(contract))
  const local = useCallDraft(form, `contract-positions-${contract.id}`)
  const save = useThrottle(
    saving(async ({ lines }) => {
      // What is typed while the call is under way is not saved with it.
      const sent = structuredClone(form.getValues())
      try {
        await call(editDirectPositions, { params: { id: contract.id }, body: { version, lines } })
      } catch (error) {
        if (isConflict(error)) void refreshContracts()
        throw error
      }
      local.saved(sent)
      toast('success', text.contract.pages.form.saved)
      // The page of the contract first: this one would say of the new version that it is somebody else's.
      await goOn(paths.contract(contract.id))
      await refreshContracts()
    }),
  )
  return (
    <SubmitForm onSubmit={save}>
      <Head title={words.edit} site={site} index={false} />
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.contracts()}>{text.contract.title}</Link> / <Link to={paths.contract(contract.id)}>{contract.contractCode}</Link>
      </nav>
      <header>
        <h1>{words.edit}</h1>
        <p className="soft">
          {contract.title} · {contract.lessor.companyName}
        </p>
      </header>
      {contract.version !== version && <OvertakenDraft to={paths.directPositions(contract.id)} />}
      <FormProblems />
      <ReturnComment contract={contract} />
      <DirectLines form={form} machines={machines} />
      <FormBar draft={local} errors={form.errorCount}>
        <Link className="button" to={paths.editContract(contract.id)}>
          {text.contract.action.edit}
        </Link>
        <button type="submit" className="button button-primary" aria-disabled={form.formState.isSubmitting}>
          {text.contract.pages.form.saveOpen}
        </button>
      </FormBar>
    </SubmitForm>
  )
}
