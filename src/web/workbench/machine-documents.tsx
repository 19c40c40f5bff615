import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { datedDocuments, documentKinds, type DocumentKind } from '#shared/equipment/rules.ts'
import { neededDocuments } from '#shared/equipment/upload.ts'
import { useText } from '../app/text.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { documentTypes, UploadButton } from '../file/upload-button.tsx'
import { uploadFiles } from '../file/upload-files.ts'
import { TextField } from '../ui/form-fields.tsx'
import { kindsOf, newDocument, type MachineFormState, type MachineDocumentForm } from './machine-form.ts'

/** The documents of a machine: the required ones first, then those that have a value, then the others. */
export function MachineDocuments({ form, category, disabled }: { form: MachineFormState; category: Category; disabled: boolean }) {
  const words = useText().equipment.upload
  const [specs, outFactoryDate, prices, papers] = useWatch({
    control: form.control,
    name: ['specs', 'outFactoryDate', 'prices', 'papers'],
  })
  const needed = neededDocuments({ categoryId: category.id, specs, outFactoryDate, prices }, category, dayOf(new Date()))
  const error = form.errorAt('papers')
  return (
    <>
      <p className="small soft">{words.papersHint}</p>
      {error && <p className="field-error">{error}</p>}
      <div className="papers">
        {[...new Set<DocumentKind>([...needed, ...kindsOf(papers), ...documentKinds])].map((kind) => (
          <MachineDocument key={kind} form={form} kind={kind} required={needed.includes(kind)} disabled={disabled} />
        ))}
      </div>
    </>
  )
}

/** One document of a machine: its file, number, issuing office and last day. */
function MachineDocument({
  form,
  kind,
  required,
  disabled,
}: {
  form: MachineFormState
  kind: DocumentKind
  required: boolean
  disabled: boolean
}) {
  const text = useText()
  const words = text.equipment.upload
  const [busy, setBusy] = useState(false)
  const label = text.equipment.document[kind]
  const error = form.errorAt(`papers.${kind}`)
  const paper = useWatch({ control: form.control, name: `papers.${kind}` })
  const set = (change: Partial<MachineDocumentForm>) => {
    const papers = form.getValues('papers')
    form.change({ papers: { ...papers, [kind]: { ...newDocument(), ...papers[kind], ...change } } })
  }
  const remove = () => {
    const { [kind]: _, ...others } = form.getValues('papers')
    form.change({ papers: others })
  }
  const add = async (files: readonly File[]) => {
    setBusy(true)
    await uploadFiles(files.slice(0, 1), ({ fileId, mime }) => set({ fileId, mime }))
    setBusy(false)
  }
  return (
    <fieldset className={`paper ${error ? 'paper-bad' : ''}`} disabled={disabled}>
      <legend className="visually-hidden">{label}</legend>
      <div className="row between">
        <strong>{label}</strong>
        <span className="small faint">{required ? text.certification.required : text.certification.optional}</span>
      </div>
      <div className="row" style={{ flexWrap: 'nowrap', alignItems: 'start' }}>
        {paper?.fileId && <FileThumbnail key={paper.fileId} fileId={paper.fileId} mime={paper.mime} label={label} />}
        <div className="row" style={{ gap: 8 }}>
          <UploadButton accept={documentTypes} mark={{ 'data-paper': kind }} disabled={busy} onPick={(files) => void add(files)}>
            {busy ? text.site.common.loading : paper?.fileId ? text.certification.replace : text.certification.upload}
            <span className="visually-hidden">: {label}</span>
          </UploadButton>
          {paper && (
            <button type="button" className="link" onClick={remove}>
              {words.remove}
              <span className="visually-hidden">: {label}</span>
            </button>
          )}
        </div>
      </div>
      <TextField label={words.paperNumber} maxLength={60} value={paper?.number ?? ''} onChange={(number) => set({ number })} />
      <TextField label={words.paperOffice} maxLength={60} value={paper?.issuedBy ?? ''} onChange={(issuedBy) => set({ issuedBy })} />
      <TextField
        label={words.paperValidTo}
        type="date"
        required={datedDocuments.includes(kind)}
        value={paper?.validTo ?? ''}
        onChange={(validTo) => set({ validTo })}
      />
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}
