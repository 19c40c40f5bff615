import { useWatch } from 'react-hook-form'
import { certificationTemplate } from '#shared/certification/contract.ts'
import {
  documentMark,
  templateDocuments,
  templateKinds,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { download } from '../app/api.ts'
import { useText } from '../app/text.tsx'
import { uploadedIn, type CertificationFormState } from './certification-values.ts'
import { DocumentUpload, type UploadedDocument } from './document-upload.tsx'

/** Downloads the template of a paper; undefined where the platform has none. */
function templateOf(kind: CertificationKind, document: CertificationDocument): (() => void) | undefined {
  if (!isAmong(kind, templateKinds) || !isAmong(document, templateDocuments)) return undefined
  // The call has shown its refusal; the button stays.
  return () => void download(certificationTemplate, { query: { kind, document } }).catch(() => undefined)
}

/** The documents of a certification, each with its file, its last day and its error. With `folds` those that may be left out are folded away. */
export function DocumentUploads<B>({
  kind,
  form,
  documents,
  folds = false,
}: {
  kind: CertificationKind
  form: CertificationFormState<B>
  documents: readonly CertificationDocument[]
  folds?: boolean
}) {
  const { certification } = useText()
  const [papers, ownErection] = useWatch({ control: form.control, name: ['documents', 'form.ownErection'] })
  const given = new Set(uploadedIn(papers))
  const markOf = (document: CertificationDocument) => documentMark(kind, document, { ownErection: ownErection === true }, given)
  const isOther = (document: CertificationDocument) =>
    folds && markOf(document) === 'optional' && !given.has(document) && form.errorAt(`documents.${document}`) === undefined
  const change = (document: CertificationDocument, paper: UploadedDocument | undefined) => {
    const { [document]: _, ...others } = form.getValues('documents')
    form.setValue('documents', paper ? { ...others, [document]: paper } : others, { shouldDirty: true })
    form.clearErrors(`documents.${document}`)
  }
  const list = (shown: readonly CertificationDocument[]) => (
    <div className="papers">
      {shown.map((document) => (
        <DocumentUpload
          key={document}
          kind={document}
          paper={papers[document]}
          onChange={(paper) => change(document, paper)}
          mark={markOf(document)}
          error={form.errorAt(`documents.${document}`)}
          onTemplate={templateOf(kind, document)}
        />
      ))}
    </div>
  )
  const others = documents.filter(isOther)
  return (
    <>
      {list(documents.filter((document) => !isOther(document)))}
      {others.length > 0 && (
        <details className="more-fields">
          <summary>{certification.otherPapers(others.length)}</summary>
          {list(others)}
        </details>
      )}
    </>
  )
}
