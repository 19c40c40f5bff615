import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { dayOf } from '#shared/calendar.ts'
import type { Category } from '#shared/category/contract.ts'
import { datedDocuments, usefulDocuments, type DocumentKind } from '#shared/equipment/rules.ts'
import { neededDocuments } from '#shared/equipment/upload.ts'
import { DateField } from '../../app/date-field.tsx'
import { useText } from '../../app/text.tsx'
import { FileThumbnail } from '../../file/private-file.tsx'
import { documentTypes, UploadButton } from '../../file/upload-button.tsx'
import { uploadFiles } from '../../file/upload-files.ts'
import { TextField } from '../../ui/form-fields.tsx'
import { kindsOf, newDocument, type MachineFormState, type MachineDocumentForm } from './machine-form.ts'

/** The documents of a machine: the required ones first, then those that have a value, then the others. */
export function MachineDocuments({ form, category }: { form: MachineFormState; category: Category }) {
  const text = useText()
  const words = text.equipment.upload
  const [specs, outFactoryDate, prices, papers] = useWatch({
    control: form.control,
    name: ['specs', 'outFactoryDate', 'prices', 'papers'],
  })
  const needed = neededDocuments({ categoryId: category.id, specs, outFactoryDate, prices }, category, dayOf(new Date()))
  const error = form.errorAt('papers')
  const open = [...new Set<DocumentKind>([...needed, ...kindsOf(papers)])]
  const others = usefulDocuments(category.id, category.flags).filter((kind) => !open.includes(kind))
  const list = (kinds: readonly DocumentKind[]) => (
    <div className="papers">
      {kinds.map((kind) => (
        <MachineDocument key={kind} form={form} kind={kind} required={needed.includes(kind)} />
      ))}
    </div>
  )
  return (
    <>
      <p className="small soft">{words.papersHint}</p>
      {error && <p className="field-error">{error}</p>}
      {list(open)}
      {others.length > 0 && (
        <details className="more-fields">
          <summary>{text.certification.otherPapers(others.length)}</summary>
          {list(others)}
        </details>
      )}
    </>
  )
}

/** One document of a machine: its file, number, issuing office and last day. */
function MachineDocument({ form, kind, required }: { form: MachineFormState; kind: DocumentKind; required: boolean }) {
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
    <fieldset
      className={`paper ${error ? 'paper-bad' : ''}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void add([...event.dataTransfer.files])
      }}
    >
      <legend className="visually-hidden">{label}</legend>
      <div className="row between">
        <strong>{label}</strong>
        <span className="small faint">{required ? text.certification.required : text.certification.optional}</span>
      </div>
      <div className="row nowrap top">
        {paper?.fileId && <FileThumbnail key={paper.fileId} fileId={paper.fileId} mime={paper.mime} label={label} />}
        <div className="row gap-8">
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
      <DateField
        label={words.paperValidTo}
        required={datedDocuments.includes(kind)}
        value={paper?.validTo ?? ''}
        onChange={(validTo) => set({ validTo })}
      />
      {error && <p className="field-error">{error}</p>}
    </fieldset>
  )
}
