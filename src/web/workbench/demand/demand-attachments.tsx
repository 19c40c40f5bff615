import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { fileLimits } from '#shared/file/contract.ts'
import { ControlField } from '../../app/form.tsx'
import { number } from '../../app/format.ts'
import { useText } from '../../app/text.tsx'
import { uploadFiles } from '../../file/upload-files.ts'
import type { DemandFormState } from './draft.ts'

/** The files of a demand. They are uploaded when they are picked; the form stores their ids. */
export function DemandAttachments({ form }: { form: DemandFormState }) {
  const text = useText()
  const [busy, setBusy] = useState(false)
  const attachments = useWatch({ control: form.control, name: 'attachments' })
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const done = [...attachments]
    await uploadFiles(files.slice(0, fileLimits.demandAttachments - done.length), ({ fileId, name, size }) =>
      done.push({ fileId, name, size }),
    )
    form.change({ attachments: done })
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
                  onClick={() => form.change({ attachments: attachments.filter(({ fileId }) => fileId !== file.fileId) })}
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
