import { useRef, useState } from 'react'
import { datedDocuments, type DocumentKind } from '#shared/equipment/rules.ts'
import { turnImage } from '#shared/equipment/own.ts'
import { imageLimit } from '#shared/equipment/upload.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { ApiError, call, upload } from '../app/api.ts'
import { TextField } from '../ui/form-fields.tsx'
import { PaperView, PrivateImage } from '../file/paper-parts.tsx'
import { useText } from '../app/text.tsx'
import { Tag } from '../ui/parts.tsx'
import type { PaperForm } from './machine-form.ts'

type Uploaded = { fileId: string; name: string; mime: string }

/** Uploads one after the other; what failed has told so by a toast, what went before stays. */
async function sendAll(files: readonly File[], onDone: (file: Uploaded) => void): Promise<void> {
  try {
    for (const file of files) onDone(await upload<Uploaded>(uploadFile, file))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

/** One paper of a machine: file, number, office, last day. */
export function MachinePaper({
  kind,
  paper,
  required,
  error,
  disabled,
  onChange,
}: {
  kind: DocumentKind
  paper: PaperForm | undefined
  required: boolean
  error: string | undefined
  disabled: boolean
  onChange: (paper: PaperForm | undefined) => void
}) {
  const text = useText()
  const words = text.equipment.upload
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const label = text.equipment.document[kind]
  const blank: PaperForm = { number: '', issuedBy: '', validTo: '', fileId: null, mime: '' }
  const set = (change: Partial<PaperForm>) => onChange({ ...(paper ?? blank), ...change })
  const add = async (files: readonly File[]) => {
    setBusy(true)
    await sendAll(files.slice(0, 1), ({ fileId, mime }) => set({ fileId, mime }))
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
        {paper?.fileId && <PaperView key={paper.fileId} fileId={paper.fileId} mime={paper.mime} label={label} />}
        <div className="row" style={{ gap: 8 }}>
          <button type="button" className="button button-small" disabled={busy} onClick={() => input.current?.click()}>
            {busy ? text.site.common.loading : paper?.fileId ? text.certification.replace : text.certification.upload}
            <span className="visually-hidden">: {label}</span>
          </button>
          {paper && (
            <button type="button" className="link" onClick={() => onChange(undefined)}>
              {words.remove}
              <span className="visually-hidden">: {label}</span>
            </button>
          )}
        </div>
        <input
          ref={input}
          type="file"
          hidden
          accept="image/jpeg,image/png,image/webp,application/pdf"
          data-paper={kind}
          onChange={(event) => {
            void add([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
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

/** Pictures in their order; the first is the cover. */
export function MachinePhotos({
  ids,
  error,
  disabled,
  onChange,
}: {
  ids: readonly string[]
  error: string | undefined
  disabled: boolean
  onChange: (next: (before: readonly string[]) => string[]) => void
}) {
  const text = useText()
  const words = text.equipment.upload
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const add = async (files: readonly File[]) => {
    setBusy(true)
    await sendAll(files.slice(0, imageLimit - ids.length), ({ fileId }) => onChange((before) => [...before, fileId]))
    setBusy(false)
  }
  const move = (from: number, to: number) =>
    onChange((before) => {
      const next = before.filter((_, at) => at !== from)
      return [...next.slice(0, to), before[from] as string, ...next.slice(to)]
    })
  const turn = async (id: string) => {
    setBusy(true)
    try {
      const { fileId } = await call(turnImage, { params: { id } })
      onChange((before) => before.map((one) => (one === id ? fileId : one)))
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <p className="small soft">{words.photosHint}</p>
      {error && <p className="field-error">{error}</p>}
      <ul className="photo-grid">
        {ids.map((id, index) => (
          <li key={id} className="photo">
            <PrivateImage id={id} alt={text.equipment.photo(index + 1)} />
            {index === 0 && <Tag tone="blue">{words.cover}</Tag>}
            {!disabled && (
              <span className="row" style={{ gap: 8 }}>
                {index > 0 && (
                  <>
                    <button type="button" className="link" onClick={() => move(index, 0)}>
                      {words.makeCover}
                    </button>
                    <button type="button" className="link" onClick={() => move(index, index - 1)}>
                      {words.left}
                    </button>
                  </>
                )}
                {index < ids.length - 1 && (
                  <button type="button" className="link" onClick={() => move(index, index + 1)}>
                    {words.right}
                  </button>
                )}
                <button type="button" className="link" disabled={busy} onClick={() => void turn(id)}>
                  {words.turn}
                </button>
                <button type="button" className="link" onClick={() => onChange((before) => before.filter((one) => one !== id))}>
                  {words.remove}
                </button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {!disabled && (
        <p>
          <button type="button" className="button" disabled={busy || ids.length >= imageLimit} onClick={() => input.current?.click()}>
            {busy ? text.site.common.loading : words.addPhotos}
          </button>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            accept="image/jpeg,image/png,image/webp"
            data-photos=""
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </p>
      )}
    </div>
  )
}
