import type { Certification } from '#shared/certification/contract.ts'
import {
  certificationDocuments,
  certificationStatus,
  paperStatus,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { entityType } from '#shared/company/rules.ts'
import type { ContractForm } from '../app/contract-form.ts'
import { namesOf, sectionsOf, type FormValues } from '../certification/certification-fields.tsx'
import type { Paper } from './paper-upload.tsx'

/** The fields of a kind by their names, and the papers that were uploaded; both as the server names them. */
export type CertificationValues = { form: FormValues; documents: Partial<Record<CertificationDocument, Paper>> }
export type CertificationFormState<B> = ContractForm<CertificationValues, B>

const presets: Record<CertificationKind, FormValues> = {
  rentout: {
    entityType: entityType.company,
    taxpayerType: 'general',
    mainCategories: [],
    serviceRegions: [],
    insured: false,
    ownErection: false,
  },
  lease: { entityType: entityType.company, taxpayerType: 'general' },
  dept: { parentDeptId: null, parentName: '', parentCreditCode: '', lowEmissionZone: false },
}

/** What was handed in or stored before over a blank form, in which every field holds something. */
export function openCertification(kind: CertificationKind, found: Certification | undefined): CertificationValues {
  const fields = sectionsOf[kind].flatMap((section) => section.fields)
  const empty = Object.fromEntries(fields.flatMap((spec) => namesOf(spec).map((name) => [name, spec.kind === 'place' ? null : ''])))
  return {
    form: { ...empty, ...presets[kind], ...found?.form, ...(found?.parentName && { parentLabel: found.parentName }) },
    documents: Object.fromEntries(
      (found?.documents ?? []).map(({ kind: document, fileId, name, mime, validTo, status, reason }) => [
        document,
        {
          fileId,
          name,
          mime,
          validTo: validTo ?? '',
          status: found?.status === certificationStatus.passed ? paperStatus.waiting : status,
          reason,
        },
      ]),
    ),
  }
}

/** The papers that were uploaded, in the order in which they are sent. */
export const uploadedIn = (documents: CertificationValues['documents']): CertificationDocument[] =>
  certificationDocuments.filter((document) => documents[document] !== undefined)

export const sentCertification = ({ form, documents }: CertificationValues) => ({
  form,
  documents: uploadedIn(documents).map((kind) => ({
    kind,
    fileId: documents[kind]?.fileId ?? '',
    validTo: documents[kind]?.validTo ?? '',
  })),
})

/** The name in the form of a path of the wire, where papers stand in a list. */
export const nameOfDocument = (path: string, { documents }: CertificationValues): string =>
  path.replace(/^documents\.(\d+)\b.*/, (_, index: string) => `documents.${uploadedIn(documents)[Number(index)] ?? index}`)
