import { lookAtContract } from '#shared/contract/manage.ts'
import { lookMinutes } from '#shared/contract/rules.ts'
import { paths } from '#shared/paths.ts'
import { call } from '../../app/api.ts'
import { invalidate } from '../../app/queries.ts'
import { useSiteName } from '../../app/site.ts'
import { useText } from '../../app/text.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { SubmitForm, TextareaField } from '../../ui/form-fields.tsx'
import { Link } from '../../ui/link.tsx'
import { Head } from '../../ui/parts.tsx'
import { callsOfContracts } from './contract-calls.ts'
import './contract.css'

/** An operator says why before a contract is shown. Also stands in the place of a contract that does not exist, and then the call says so. */
export function ContractLook({ id }: { id: string }) {
  const text = useText()
  const words = text.contract.record.look
  const site = useSiteName()
  const { values, set, errors, busy, submit } = useDraftFields(lookAtContract.body, { reason: '' }, `contract-look-${id}`)
  const look = () =>
    submit(async (body) => {
      await call(lookAtContract, { params: { id }, body })
      await invalidate(...callsOfContracts)
    })
  return (
    <div className="stack">
      <nav className="small" aria-label={text.site.common.breadcrumb}>
        <Link to={paths.allContracts()}>{text.contract.title}</Link>
      </nav>
      <SubmitForm className="panel stack" onSubmit={() => void look()}>
        <Head title={words.title} site={site} index={false} />
        <h1>{words.title}</h1>
        <p>{words.hint(lookMinutes)}</p>
        <div className="one-column">
          <TextareaField
            label={words.reason}
            hint={words.reasonHint}
            required
            maxLength={500}
            value={values.reason}
            onChange={set('reason')}
            error={errors.reason}
          />
        </div>
        <div>
          <button type="submit" className="button button-primary" aria-disabled={busy}>
            {words.action}
          </button>
        </div>
      </SubmitForm>
    </div>
  )
}
