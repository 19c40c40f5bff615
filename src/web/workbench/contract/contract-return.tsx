import { useState } from 'react'
import { printedClauses, type ClauseKey } from '#shared/contract/clauses.ts'
import { returnContract } from '#shared/contract/moves.ts'
import { call } from '../../app/api.ts'
import { ConfirmDialog } from '../../app/confirm-dialog.tsx'
import { useText } from '../../app/text.tsx'
import { useDraftFields } from '../../app/use-draft-fields.ts'
import { SelectField, TextareaField } from '../../ui/form-fields.tsx'
import { toast } from '../../ui/toast.tsx'
import { closeOutdated, refreshContracts, type AboutContract } from './contract-calls.ts'

type Comment = { key: ClauseKey; comment: string }
const blank: { comment: string; clauses: Comment[] } = { comment: '', clauses: [] }

/** Sends the contract back with a comment, and with others on single clauses. */
export function ReturnDialog({ contract, onClose }: AboutContract) {
  const text = useText()
  const words = text.contract
  const { pages } = words
  // Of the text that the comments are about; another one may be sent meanwhile.
  const [textHash] = useState(contract.textHash ?? undefined)
  const form = useDraftFields(returnContract.body, blank, `contract-return-${contract.id}`)
  const { comment, clauses } = form.values
  const change = (at: number, next: Partial<Comment>) =>
    form.set('clauses')(clauses.map((one, index) => (index === at ? { ...one, ...next } : one)))
  const send = async () => {
    await call(returnContract, { params: { id: contract.id }, body: { ...form.values, textHash } })
    toast('success', pages.returned)
    onClose()
    await refreshContracts()
  }
  return (
    <ConfirmDialog
      open
      wide
      onClose={onClose}
      title={words.action.return}
      action={words.action.return}
      busy={form.busy}
      onConfirm={() => void form.submit(send, {}, () => closeOutdated(onClose))}
    >
      <p>{pages.returnAsk}</p>
      <TextareaField
        label={pages.returnComment}
        required
        maxLength={500}
        value={comment}
        onChange={form.set('comment')}
        error={form.errors.comment}
      />
      {clauses.map((one, index) => (
        <div key={index} className="line-editor">
          <SelectField
            label={pages.clause}
            value={one.key}
            onChange={(key) => change(index, { key })}
            options={printedClauses.map((key) => [key, words.clause[key]])}
          />
          <TextareaField
            label={pages.clauseComment}
            required
            maxLength={500}
            value={one.comment}
            onChange={(next) => change(index, { comment: next })}
            error={form.errors[`clauses.${index}.comment`]}
          />
          <p>
            <button type="button" className="link" onClick={() => form.set('clauses')(clauses.filter((_, at) => at !== index))}>
              {pages.remove}
              <span className="visually-hidden">: {words.clause[one.key]}</span>
            </button>
          </p>
        </div>
      ))}
      <p>
        <button
          type="button"
          className="button button-small"
          disabled={clauses.length >= 40}
          onClick={() => form.set('clauses')([...clauses, { key: printedClauses[0] ?? 'startRule', comment: '' }])}
        >
          {pages.addClause}
        </button>
      </p>
    </ConfirmDialog>
  )
}
