import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { lookAtContract } from '#shared/contract/manage.ts'
import { lookMinutes } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { ApiError, call } from '../../app/api.ts'
import { invalidate } from '../../app/queries.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useDialogDraft } from '../../app/use-dialog-draft.ts'
import { TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { callsOfContracts } from './contract-calls.ts'
import './contract.css'

/** An operator says why before a contract is shown. Also stands in the place of a contract that does not exist, and then the call says so. */
export function ContractLook({ id }: { id: string }) {
  const text = useText()
  const words = text.contract.record.look
  const site = useSiteName()
  const [{ reason }, setValues, forget] = useDialogDraft(`contract-look-${id}`, { reason: '' })
  const [error, setError] = useState<string>()
  const look = useMutation({
    mutationFn: () => call(lookAtContract, { params: { id }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      forget()
      return invalidate(...callsOfContracts)
    },
    onError: (problem) => {
      if (!(problem instanceof ApiError)) throw problem
      setError(problem.fields[0]?.message)
    },
  })
  return (
    <div className="stack">
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.allContracts()}>{text.contract.title}</Link>
      </nav>
      <form
        className="panel stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim().length < 2) setError(text.rule.text_min(2))
          else look.mutate()
        }}
      >
        <Head title={words.title} site={site} index={false} />
        <h1>{words.title}</h1>
        <p>{words.hint(lookMinutes)}</p>
        <div className="one-column">
          <TextareaField
            label={words.reason}
            hint={words.reasonHint}
            required
            maxLength={500}
            value={reason}
            onChange={(value) => {
              setValues({ reason: value })
              setError(undefined)
            }}
            error={error}
          />
        </div>
        <div>
          <button type="submit" className="button button-primary" aria-disabled={look.isPending}>
            {words.action}
          </button>
        </div>
      </form>
    </div>
  )
}
