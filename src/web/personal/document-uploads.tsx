import { useWatch } from 'react-hook-form'
import { missingDocuments, type CertificationDocument, type CertificationKind } from '#shared/certification/rules.ts'
import type { CertificationFormState } from './certification-values.ts'
import { DocumentUpload, type UploadedDocument } from './document-upload.tsx'

/** The documents of a certification, each with its file, its last day and its error. */
export function DocumentUploads<B>({
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
  const change = (document: CertificationDocument, paper: UploadedDocument | undefined) => {
    const { [document]: _, ...others } = form.getValues('documents')
    form.setValue('documents', paper ? { ...others, [document]: paper } : others, { shouldDirty: true })
    form.clearErrors(`documents.${document}`)
  }
  return (
    <div className="papers">
      {documents.map((document) => (
        <DocumentUpload
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
