import { useRef, useState } from 'react'
import { uploadFile } from '#shared/file/contract.ts'
import { ApiError, upload } from '../app/api.ts'
import { FileThumbnail } from '../file/private-file.tsx'
import { useText } from '../app/text.tsx'

export type ListedFile = { fileId: string; name: string; mime: string }

/** Shows files as thumbnails. With `onChange` files can be added and removed. */
export function FileList({
  label,
  files,
  error,
  hint,
  required = false,
  onChange,
}: {
  label: string
  files: readonly ListedFile[]
  error?: string | undefined
  hint?: string
  required?: boolean
  onChange?: (files: ListedFile[]) => void
}) {
  const text = useText()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const add = async (picked: readonly File[]) => {
    setBusy(true)
    const done = [...files]
    try {
      for (const file of picked.slice(0, 10 - done.length)) done.push(await upload<ListedFile>(uploadFile, file))
    } catch (failure) {
      // A toast has shown the failure. The files before it stay.
      if (!(failure instanceof ApiError)) throw failure
    } finally {
      onChange?.(done)
      setBusy(false)
    }
  }
  return (
    <div className={`field span-all ${error ? 'field-bad' : ''}`}>
      <span className="legend">
        {label}
        {required && (
          <span className="field-required" aria-hidden="true">
            *
          </span>
        )}
      </span>
      <ul className="row">
        {files.map((file) => (
          <li key={file.fileId} className="stack" style={{ gap: 4 }}>
            <FileThumbnail fileId={file.fileId} mime={file.mime} label={file.name} />
            {onChange && (
              <button type="button" className="link small" onClick={() => onChange(files.filter(({ fileId }) => fileId !== file.fileId))}>
                {text.certification.remove}
                <span className="visually-hidden">: {file.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {onChange && (
        <p>
          <button
            type="button"
            className="button button-small"
            disabled={busy || files.length >= 10}
            onClick={() => input.current?.click()}
          >
            {busy ? text.site.common.loading : text.blacklist.upload}
            <span className="visually-hidden">: {label}</span>
          </button>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            accept="image/jpeg,image/png,image/webp,application/pdf"
            data-files=""
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
        </p>
      )}
      {(error ?? hint) && <span className={error ? 'field-error' : 'field-hint'}>{error ?? hint}</span>}
    </div>
  )
}
