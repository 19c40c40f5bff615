import { useState } from 'react'
import { addFeedback, FeedbackInput } from '#shared/feedback/contract.ts'
import { feedbackImages, feedbackTypes } from '#shared/feedback/rules.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { ApiError, call, upload } from '../app/api.ts'
import { DraftNote } from '../app/form-bar.tsx'
import { SelectField, SubmitForm, TextField, TextareaField } from '../ui/form-fields.tsx'
import { FileThumbnail } from '../file/private-file.tsx'
import { paths } from '#shared/paths.ts'
import { queries } from '../app/queries.ts'
import { useSiteName } from '../app/site.ts'
import { useText } from '../app/text.tsx'
import { useValuesDraft } from '../app/use-local-draft.ts'
import { Head } from '../ui/parts.tsx'
import { toast } from '../ui/toast.tsx'
import { useFields } from '../app/use-form.ts'
import { useNextPage } from '../app/use-next-page.ts'
import { Link } from '../ui/link.tsx'

type Image = { fileId: string; mime: string }

const blank = { type: 'suggestion', title: '', content: '', contact: '' }

export default function FeedbackAddPage() {
  const text = useText()
  const { feedback } = text.personal
  const site = useSiteName()
  const goOn = useNextPage()
  const [images, setImages] = useState<Image[]>([])
  const [percent, setPercent] = useState<number | null>(null)
  const form = useFields(FeedbackInput, blank)
  const { values, set, busy } = form
  const draft = useValuesDraft('feedback', { ...values, images }, ({ images: stored, ...typed }) => {
    form.setValues(typed)
    setImages(stored)
  })
  const add = async (files: FileList | null) => {
    const picked = [...(files ?? [])]
    const imagesLeft = feedbackImages - images.length
    if (picked.length > imagesLeft) toast('warning', text.site.common.filesLeftOut(picked.length - imagesLeft, feedbackImages))
    for (const file of picked.slice(0, imagesLeft)) {
      setPercent(0)
      try {
        const sent = await upload<Image>(uploadFile, file, (share) => setPercent(Math.round(share * 100)))
        setImages((before) => [...before, sent])
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      } finally {
        setPercent(null)
      }
    }
  }
  const submit = () =>
    void form.submit(
      async (body) => {
        const { id } = await call(addFeedback, { body })
        draft.done()
        toast('success', feedback.sent)
        queries.clear()
        await goOn(paths.feedbackDetail(id), { replace: true })
      },
      { images: images.map(({ fileId }) => fileId) },
    )
  return (
    <div className="stack">
      <Head title={feedback.add} site={site} index={false} />
      <p className="small">
        <Link to={paths.feedback}>{feedback.title}</Link>
      </p>
      <h1>{feedback.add}</h1>
      <SubmitForm className="panel form-grid" onSubmit={submit}>
        <SelectField
          label={feedback.type}
          required
          value={values.type}
          onChange={set('type')}
          options={feedbackTypes.map((type) => [type, feedback.types[type]])}
        />
        <TextField
          label={feedback.subject}
          error={form.errors.title}
          required
          maxLength={50}
          value={values.title}
          onChange={set('title')}
        />
        <TextareaField
          label={feedback.content}
          hint={feedback.contentHint}
          error={form.errors.content}
          required
          maxLength={1000}
          value={values.content}
          onChange={set('content')}
        />
        <Images images={images} percent={percent} error={form.errors.images} onAdd={(files) => void add(files)} onChange={setImages} />
        <TextField
          label={feedback.contact}
          hint={feedback.contactHint}
          error={form.errors.contact}
          maxLength={50}
          value={values.contact}
          onChange={set('contact')}
        />
        <DraftNote draft={draft} />
        <p className="span-all">
          <button type="submit" className="button button-primary" aria-disabled={busy || percent !== null}>
            {feedback.send}
          </button>
        </p>
      </SubmitForm>
    </div>
  )
}

/** The pictures of a feedback, with a button to add more until there are enough. */
function Images({
  images,
  percent,
  error,
  onAdd,
  onChange,
}: {
  images: readonly Image[]
  /** How much of the one under way is uploaded. */
  percent: number | null
  error: string | undefined
  onAdd: (files: FileList | null) => void
  onChange: (images: Image[]) => void
}) {
  const text = useText()
  const { feedback } = text.personal
  return (
    <div className={`field span-all ${error ? 'field-bad' : ''}`}>
      <span className="legend">
        {feedback.images} <span className="faint">{feedback.imagesHint}</span>
      </span>
      <ul className="row">
        {images.map(({ fileId, mime }, index) => (
          <li key={fileId} className="stack gap-4 centred-items">
            <FileThumbnail fileId={fileId} mime={mime} label={`${feedback.images} ${index + 1}`} />
            <button type="button" className="link" onClick={() => onChange(images.filter((one) => one.fileId !== fileId))}>
              {text.certification.remove}
            </button>
          </li>
        ))}
        {images.length < feedbackImages && (
          <li>
            <label className="button">
              {percent === null ? text.certification.upload : text.certification.uploading(percent)}
              <input
                type="file"
                className="visually-hidden"
                accept="image/jpeg,image/png,image/webp"
                multiple
                disabled={percent !== null}
                onChange={(event) => {
                  onAdd(event.target.files)
                  event.target.value = ''
                }}
              />
            </label>
          </li>
        )}
      </ul>
      {error && <p className="field-error">{error}</p>}
    </div>
  )
}
