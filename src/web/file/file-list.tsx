import { useState } from 'react'
import { focusBeside } from '../ui/focus-beside.ts'
import { FileThumbnail } from './private-file.tsx'
import { documentTypes, UploadButton } from './upload-button.tsx'
import { uploadFiles, type UploadCall } from './upload-files.ts'
import { useText } from '../app/text.tsx'
import { toast } from '../ui/toast.tsx'
import { repeatMs } from '../ui/throttle.ts'

const usualMax = 10

export type ListedFile = { fileId: string; name: string; mime: string }

/** Shows files as thumbnails. With `onChange` files can be added and removed. */
export function FileList({
  label,
  files,
  error,
  hint,
  required = false,
  max = usualMax,
  accept = documentTypes,
  to,
  busy = false,
  onSending,
  onChange,
}: {
  label: string
  files: readonly ListedFile[]
  error?: string | undefined
  hint?: string
  required?: boolean
  max?: number
  accept?: string
  /** The call that takes the files, where it is not the usual one. */
  to?: UploadCall
  /** While the files are being saved, none is added or removed. */
  busy?: boolean
  /** Gets true when files are picked, and false once they have arrived and `onChange` has ended. */
  onSending?: (isSending: boolean) => void
  onChange?: (files: ListedFile[]) => void | Promise<void>
}) {
  const text = useText()
  const [isSending, setSending] = useState(false)
  const isBusy = busy || isSending
  const send = (sends: boolean) => {
    setSending(sends)
    onSending?.(sends)
  }
  const add = async (picked: readonly File[]) => {
    send(true)
    const done = [...files]
    const filesLeft = max - done.length
    if (picked.length > filesLeft) toast('warning', text.site.common.filesLeftOut(picked.length - filesLeft, max))
    try {
      await uploadFiles(picked.slice(0, filesLeft), ({ fileId, name, mime }) => done.push({ fileId, name, mime }), to)
      await onChange?.(done)
    } finally {
      send(false)
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
          <li key={file.fileId} className="stack gap-4">
            <FileThumbnail fileId={file.fileId} mime={file.mime} label={file.name} />
            {onChange && (
              <button
                type="button"
                className="link small"
                data-repeat-ms={repeatMs}
                // The files that are being sent join those of the moment when they were picked.
                aria-disabled={isBusy}
                onClick={({ currentTarget }) => {
                  focusBeside(currentTarget)
                  void onChange(files.filter(({ fileId }) => fileId !== file.fileId))
                }}
              >
                {text.certification.remove}
                <span className="visually-hidden">: {file.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {onChange && (
        <p>
          <UploadButton
            multiple
            accept={accept}
            mark={{ 'data-files': '' }}
            disabled={isBusy || files.length >= max}
            onPick={(picked) => void add(picked)}
          >
            {isBusy ? text.site.common.loading : text.blacklist.upload}
            <span className="visually-hidden">: {label}</span>
          </UploadButton>
        </p>
      )}
      {(error ?? hint) && <span className={error ? 'field-error' : 'field-hint'}>{error ?? hint}</span>}
    </div>
  )
}
