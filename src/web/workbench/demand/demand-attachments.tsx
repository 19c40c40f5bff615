import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { fileLimits } from '#shared/file/rules.ts'
import { ControlField } from '../../app/form.tsx'
import { number } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { uploadFiles } from '../../file/upload-files.ts'
import { toast } from '../../ui/toast.tsx'
import type { DemandFormState } from './draft.ts'
import './demand-form.css'

/** The files of a demand. They are uploaded when they are picked; the form stores their ids. */
export function DemandAttachments({ form }: { form: DemandFormState }) {
  const text = useText()
  const [busy, setBusy] = useState(false)
  const attachments = useWatch({ control: form.control, name: 'attachments' })
  // Files may be removed while others are on their way, so each change begins with what the form has then.
  const change = (next: (before: typeof attachments) => typeof attachments) =>
    form.change({ attachments: next(form.getValues('attachments')) })
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const max = fileLimits.demandAttachments
    const filesLeft = max - attachments.length
    if (files.length > filesLeft) toast('warning', text.site.common.filesLeftOut(files.length - filesLeft, max))
    await uploadFiles(files.slice(0, filesLeft), ({ fileId, name, size }) => change((before) => [...before, { fileId, name, size }]))
    setBusy(false)
  }
  return (
    <ControlField form={form} name="attachments" label={text.demand.attachments} hint={text.demand.form.attachHint} className="span-all">
      {(control) => (
        <div className="stack gap-8">
          <label className="button own-width" htmlFor={control.id}>
            {text.demand.form.attach}
          </label>
          <input
            {...control}
            className="visually-hidden"
            type="file"
            multiple
            disabled={busy || attachments.length >= fileLimits.demandAttachments}
            accept=".pdf,.docx,.xlsx,.jpg,.jpeg,.png,.webp,.zip"
            onChange={(event) => {
              void add([...(event.target.files ?? [])])
              event.target.value = ''
            }}
          />
          {busy && <p className="small soft">{text.site.common.loading}</p>}
          <ul>
            {attachments.map((file) => (
              <li key={file.fileId} className="row">
                {file.name} <span className="small faint num">{number(file.size / 1024)} KB</span>
                <button
                  type="button"
                  className="link"
                  onClick={() => change((before) => before.filter(({ fileId }) => fileId !== file.fileId))}
                >
                  {text.site.common.delete}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </ControlField>
  )
}
