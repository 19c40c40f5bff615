import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { turnImage } from '#shared/equipment/own.ts'
import { imageLimit } from '#shared/equipment/upload.ts'
import { ApiError, call } from '../../app/api.ts'
import { useText } from '../../app/text.tsx'
import { focusBeside } from '../../ui/focus-beside.ts'
import { PrivateImage } from '../../file/private-file.tsx'
import { pictureTypes, UploadButton } from '../../file/upload-button.tsx'
import { uploadFiles } from '../../file/upload-files.ts'
import { Tag } from '../../ui/parts.tsx'
import { toast } from '../../ui/toast.tsx'
import { repeatMs } from '../../ui/throttle.ts'
import type { MachineFormState } from './machine-form.ts'

/** The photos of a machine in their order; the first is the cover. */
export function MachinePhotos({ form }: { form: MachineFormState }) {
  const text = useText()
  const words = text.equipment.upload
  const ids = useWatch({ control: form.control, name: 'imageIds' })
  const error = form.errorAt('imageIds')
  const change = (next: (before: readonly string[]) => string[]) => form.change({ imageIds: next(form.getValues('imageIds')) })
  const [busy, setBusy] = useState(false)
  const add = async (files: readonly File[]) => {
    setBusy(true)
    const photosLeft = imageLimit - ids.length
    if (files.length > photosLeft) toast('warning', words.photosLeftOut(files.length - photosLeft, imageLimit))
    await uploadFiles(files.slice(0, photosLeft), ({ fileId }) => change((before) => [...before, fileId]))
    setBusy(false)
  }
  const move = (from: number, to: number) =>
    change((before) => {
      const moved = before.slice(from, from + 1)
      const others = before.filter((_, at) => at !== from)
      return [...others.slice(0, to), ...moved, ...others.slice(to)]
    })
  // The turned picture is another one, so its buttons are new, and the focus would be lost with the old ones.
  const turned = useRef<string>(null)
  useEffect(() => {
    if (turned.current !== null) document.querySelector<HTMLElement>(`[data-turn="${turned.current}"]`)?.focus()
    turned.current = null
  }, [ids])
  const turn = async (id: string, button: HTMLElement) => {
    setBusy(true)
    try {
      const { fileId } = await call(turnImage, { params: { id } })
      if (button === document.activeElement) turned.current = fileId
      change((before) => before.map((one) => (one === id ? fileId : one)))
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={error ? 'stack field-bad' : 'stack'}>
      <p className="small soft">{words.photosHint}</p>
      {error && <p className="field-error">{error}</p>}
      <ul className="photo-grid">
        {ids.map((id, index) => {
          const name = <span className="visually-hidden">: {text.equipment.photo(index + 1)}</span>
          return (
            <li key={id} className="photo">
              <PrivateImage id={id} alt={text.equipment.photo(index + 1)} />
              {index === 0 && <Tag tone="blue">{words.cover}</Tag>}
              <span className="row gap-8">
                {index > 0 && (
                  <>
                    <button type="button" className="link" onClick={() => move(index, 0)}>
                      {words.makeCover}
                      {name}
                    </button>
                    <button type="button" className="link" onClick={() => move(index, index - 1)}>
                      {words.left}
                      {name}
                    </button>
                  </>
                )}
                {index < ids.length - 1 && (
                  <button type="button" className="link" onClick={() => move(index, index + 1)}>
                    {words.right}
                    {name}
                  </button>
                )}
                <button
                  type="button"
                  className="link"
                  data-repeat-ms={repeatMs}
                  data-turn={id}
                  aria-disabled={busy}
                  onClick={({ currentTarget }) => void turn(id, currentTarget)}
                >
                  {words.turn}
                  {name}
                </button>
                <button
                  type="button"
                  className="link"
                  onClick={({ currentTarget }) => {
                    focusBeside(currentTarget)
                    change((before) => before.filter((one) => one !== id))
                  }}
                >
                  {words.remove}
                  {name}
                </button>
              </span>
            </li>
          )
        })}
      </ul>
      <p>
        <UploadButton
          className="button"
          multiple
          accept={pictureTypes}
          mark={{ 'data-photos': '' }}
          disabled={busy || ids.length >= imageLimit}
          onPick={(files) => void add(files)}
        >
          {busy ? text.site.common.loading : words.addPhotos}
        </UploadButton>
      </p>
    </div>
  )
}
