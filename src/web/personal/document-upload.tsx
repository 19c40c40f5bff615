import { useState } from 'react'
import {
  datedDocuments,
  paperStatus,
  type CertificationDocument,
  type DocumentMark,
  type PaperStatus,
} from '#shared/certification/rules.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { DateField } from '../app/date-field.tsx'
import { ApiError, upload } from '../app/api.ts'
import { FileThumbnail } from '../file/private-file.tsx'
import { documentTypes, UploadButton } from '../file/upload-button.tsx'
import { useText } from '../app/text.tsx'
import { useLatest } from '../app/use-latest.ts'
import { Tag } from '../ui/parts.tsx'
import { repeatMs } from '../ui/throttle.ts'

export type UploadedDocument = { fileId: string; name: string; mime: string; validTo: string; status: PaperStatus; reason: string }

/** One document: its file, picked or dropped, its last day if it has one, and the reviewer's reason. */
export function DocumentUpload({
  kind,
  paper,
  onChange,
  mark,
  error,
  onTemplate,
}: {
  kind: CertificationDocument
  paper: UploadedDocument | undefined
  onChange: (paper: UploadedDocument | undefined) => void
  mark: DocumentMark
  error: string | undefined
  /** Downloads the template of the paper, if there is one. */
  onTemplate?: (() => void) | undefined
}) {
  const { certification } = useText()
  const [percent, setPercent] = useState<number | null>(null)
  // The end date may be typed while the file is on its way.
  const latest = useLatest(paper)
  const label = certification.documents[kind]
  const send = async (file: File | undefined) => {
    if (!file) return
    setPercent(0)
    try {
      const { fileId, name, mime } = await upload<{ fileId: string; name: string; mime: string }>(uploadFile, file, (share) =>
        setPercent(Math.round(share * 100)),
      )
      onChange({ fileId, name, mime, validTo: latest()?.validTo ?? '', status: paperStatus.waiting, reason: '' })
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
    } finally {
      setPercent(null)
    }
  }
  const locked = paper?.status === paperStatus.passed
  const shown = error ?? (paper?.status === paperStatus.rejected ? paper.reason : undefined)
  return (
    <div
      className={`paper ${shown ? 'paper-bad' : ''} ${locked ? 'paper-locked' : ''}`}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        if (!locked) void send(event.dataTransfer.files[0])
      }}
    >
      <div className="row between">
        <strong>{label}</strong>
        {paper?.status === paperStatus.passed ? (
          <Tag tone="good">{certification.accepted}</Tag>
        ) : paper?.status === paperStatus.rejected ? (
          <Tag tone="bad">{certification.sentBack}</Tag>
        ) : (
          <span className="small faint">{(mark === 'either' && certification.pairs[kind]) || certification.marks[mark]}</span>
        )}
      </div>
      <div className="row nowrap top">
        {paper && <FileThumbnail key={paper.fileId} fileId={paper.fileId} mime={paper.mime} label={label} />}
        <div className="stack gap-6 wide-part">
          {paper && <span className="small soft">{paper.name}</span>}
          {percent !== null && <progress value={percent} max="100" aria-label={certification.uploading(percent)} />}
          {!locked && (
            <div className="row gap-8">
              <UploadButton
                accept={documentTypes}
                mark={{ 'data-paper': kind }}
                disabled={percent !== null}
                onPick={([file]) => void send(file)}
              >
                {paper ? certification.replace : certification.upload}
                <span className="visually-hidden">: {label}</span>
              </UploadButton>
              {onTemplate && (
                <button type="button" className="link" data-repeat-ms={repeatMs} onClick={onTemplate}>
                  {certification.template}
                  <span className="visually-hidden">: {label}</span>
                </button>
              )}
              {paper && paper.status === paperStatus.waiting && (
                <button type="button" className="link" onClick={() => onChange(undefined)}>
                  {certification.remove}
                  <span className="visually-hidden">: {label}</span>
                </button>
              )}
            </div>
          )}
        </div>
      </div>
      {paper && datedDocuments.includes(kind) && (
        <DateField
          label={certification.paperValidTo}
          disabled={locked}
          value={paper.validTo}
          onChange={(validTo) => onChange({ ...paper, validTo })}
        />
      )}
      {shown && <p className="field-error">{shown}</p>}
    </div>
  )
}
