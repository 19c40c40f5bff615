import { useWatch } from 'react-hook-form'
import { missingDocuments, type CertificationDocument, type CertificationKind } from '#shared/certification/rules.ts'
import type { CertificationFormState } from './certification-values.ts'
import { PaperUpload, type Paper } from './paper-upload.tsx'

/** Papers of a certification, each with its file, its last day and its error. */
export function PaperUploads<B>({
  kind,
  form,
  documents,
}: {
  kind: CertificationKind
  form: CertificationFormState<B>
  documents: readonly CertificationDocument[]
}) {
  const [papers, ownErection] = useWatch({ control: form.control, name: ['documents', 'form.ownErection'] })
  const needed = missingDocuments(kind, { ownErection: ownErection === true }, new Set())
  const change = (document: CertificationDocument, paper: Paper | undefined) => {
    const { [document]: _, ...others } = form.getValues('documents')
    form.setValue('documents', paper ? { ...others, [document]: paper } : others, { shouldDirty: true })
    form.clearErrors(`documents.${document}`)
  }
  return (
    <div className="papers">
      {documents.map((document) => (
        <PaperUpload
          key={document}
          kind={document}
          paper={papers[document]}
          onChange={(paper) => change(document, paper)}
          required={needed.includes(document)}
          error={form.errorAt(`documents.${document}`)}
        />
      ))}
    </div>
  )
}
