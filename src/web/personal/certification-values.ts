import type { Certification } from '#shared/certification/contract.ts'
import {
  certificationDocuments,
  certificationStatus,
  paperStatus,
  type CertificationDocument,
  type CertificationKind,
} from '#shared/certification/rules.ts'
import { entityType } from '#shared/company/rules.ts'
import type { CallForm } from '../app/call-form.ts'
import { namesOf, sectionsOf, type FormValues } from '../certification/certification-fields.tsx'
import type { UploadedDocument } from './document-upload.tsx'

/** The fields of a kind and the uploaded documents, by their names on the wire. */
export type CertificationValues = { form: FormValues; documents: Partial<Record<CertificationDocument, UploadedDocument>> }
export type CertificationFormState<B> = CallForm<CertificationValues, B>

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

/** Fills a blank form with the stored certification. Every field holds a value, so no input starts uncontrolled. */
export function openCertification(kind: CertificationKind, found: Certification | undefined, phonenumber = ''): CertificationValues {
  const fields = sectionsOf[kind].flatMap((section) => section.fields)
  const empty = Object.fromEntries(fields.flatMap((spec) => namesOf(spec).map((name) => [name, spec.kind === 'place' ? null : ''])))
  return {
    form: {
      ...empty,
      ...presets[kind],
      // Whoever fills in the form is presumed to be its contact. Their name is not known before they are certified.
      ...(kind !== 'dept' && { contactPhone: phonenumber }),
      ...found?.form,
      ...(found?.parentName && { parentLabel: found.parentName }),
    },
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

/** A lessor is presumed to serve the province where it sits, until it names others. Other kinds serve none. */
export function servedFrom(provinceId: number | null, { provinceId: before, serviceRegions }: FormValues): FormValues {
  if (provinceId === null || !Array.isArray(serviceRegions)) return {}
  const isPresumed = serviceRegions.length === 0 || (serviceRegions.length === 1 && serviceRegions[0] === before)
  return isPresumed ? { serviceRegions: [provinceId] } : {}
}

/**
 * Whether a project department names no unit above it, neither one that is certified here nor another. The schema says so only once all other
 * fields are right, which is after the step that asks for the unit.
 */
export const lacksParent = ({ parentDeptId, parentName }: FormValues): boolean => parentDeptId === null && parentName === ''

/** The documents, those that have an error open again: one that was accepted may have run out since. */
export const unlocked = (documents: CertificationValues['documents'], wrong: readonly string[]): CertificationValues['documents'] =>
  Object.fromEntries(
    Object.entries(documents).map(([kind, document]) => [
      kind,
      wrong.includes(`documents.${kind}`) && document.status === paperStatus.passed
        ? { ...document, status: paperStatus.waiting }
        : document,
    ]),
  )

/** Lists the uploaded documents in the order in which they are sent. */
export const uploadedIn = (documents: CertificationValues['documents']): CertificationDocument[] =>
  certificationDocuments.filter((document) => documents[document] !== undefined)

export const certificationInputOf = ({ form, documents }: CertificationValues) => ({
  form,
  documents: uploadedIn(documents).map((kind) => ({
    kind,
    fileId: documents[kind]?.fileId ?? '',
    validTo: documents[kind]?.validTo ?? '',
  })),
})

/** Maps a path of the wire, where documents are a list, to the name of the field. */
export const nameOfDocument = (path: string, { documents }: CertificationValues): string =>
  path.replace(/^documents\.(\d+)\b.*/, (_, index: string) => `documents.${uploadedIn(documents)[Number(index)] ?? index}`)
