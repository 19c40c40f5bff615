import { z } from 'zod'
import { entityTypes, isCreditCode, scaleTypes, taxpayerTypes } from '../company/rules.ts'
import { projectTypes } from '../demand/rules.ts'
import type { Endpoint } from '../endpoint.ts'
import { Day, Flag, Id, isPhone, line, numeric, onlyTodo, optionalText, paging, paragraph, Phone, sorting } from '../fields.ts'
import {
  certificationDocuments,
  certificationKinds,
  certificationStatuses,
  paperStatuses,
  templateDocuments,
  templateKinds,
} from './rules.ts'

const emptyOr = <S extends z.ZodType>(schema: S) => z.union([z.literal('').transform(() => null), z.null(), schema])

/** Unified social credit code, GB 32100-2015; small letters and blanks are corrected. */
const CreditCode = z
  .string()
  .transform((text) => text.replace(/\s/g, '').toUpperCase())
  .refine(isCreditCode, 'credit_code')

const place = {
  provinceId: Id,
  cityId: Id,
  districtId: Id.nullable().default(null),
  address: line(2, 200),
}

const Company = z.object({
  // Full-width brackets as people type them are one name with the half-width ones.
  enterpriseName: line(4, 100).transform((name) => name.replaceAll('(', '（').replaceAll(')', '）')),
  creditCode: CreditCode,
  entityType: z.enum(entityTypes),
  scaleType: z.enum(scaleTypes),
  taxpayerType: z.enum(taxpayerTypes),
  legalPerson: line(2, 30),
  legalPersonPhone: Phone,
  /** 万元 */
  regCapital: emptyOr(numeric(z.number().min(0).max(100_000_000))).default(null),
  establishDate: emptyOr(Day),
  /** Null: 长期, no end. */
  licenseValidTo: emptyOr(Day),
  ...place,
  businessScope: paragraph(1000),
  contactName: line(2, 30),
  contactPhone: Phone,
})

export const RentoutForm = Company.extend({
  mainCategories: z.array(Id).min(1).max(10),
  /** Provinces. */
  serviceRegions: z.array(Id).min(1).max(35),
  fleetSize: numeric(z.number().int().min(1).max(100_000)),
  insured: Flag,
  /** Erects tower cranes and hoists itself. */
  ownErection: Flag,
})

export const LeaseForm = Company.extend({
  groupName: line(0, 100),
  parentCompany: line(0, 100),
  invoiceBank: line(0, 100),
  invoiceAccount: z
    .string()
    .trim()
    .regex(/^(\d{8,30})?$/, 'bank_account'),
  invoicePhone: z
    .string()
    .trim()
    .refine((text) => text === '' || isPhone(text), 'phone'),
})

export const DeptForm = z
  .object({
    /** The unit above, when it is certified here; otherwise its name and code. */
    parentDeptId: Id.nullable(),
    parentName: line(0, 100),
    parentCreditCode: z.string().trim().max(30),
    projectName: line(4, 60),
    projectShortName: line(2, 30),
    projectType: z.enum(projectTypes),
    /** 万元 */
    contractAmount: emptyOr(numeric(z.number().min(0).max(100_000_000))).default(null),
    startDate: Day,
    plannedEndDate: Day,
    ...place,
    lowEmissionZone: Flag,
    /** Who fills this in. */
    applicantName: line(2, 30),
    manager: line(2, 30),
    managerPhone: Phone,
  })
  .refine(({ startDate, plannedEndDate }) => startDate < plannedEndDate, { path: ['plannedEndDate'], error: 'ends_before_start' })
  .refine(({ parentDeptId, parentName }) => parentDeptId !== null || parentName.length >= 4, { path: ['parentName'], error: 'required' })
  .refine(({ parentDeptId, parentCreditCode }) => parentDeptId !== null || CreditCode.safeParse(parentCreditCode).success, {
    path: ['parentCreditCode'],
    error: 'credit_code',
  })

export const formOf = { rentout: RentoutForm, lease: LeaseForm, dept: DeptForm } as const

const Papers = z
  .array(
    z.object({
      kind: z.enum(certificationDocuments),
      fileId: z.uuid(),
      /** Null where the paper has no end or none was given. */
      validTo: emptyOr(Day).default(null),
    }),
  )
  .max(certificationDocuments.length)

export const CertificationPaper = z.object({
  kind: z.enum(certificationDocuments),
  fileId: z.string(),
  name: z.string(),
  mime: z.string(),
  validTo: z.string().nullable(),
  status: z.enum(paperStatuses),
  reason: z.string(),
})
export type CertificationPaper = z.infer<typeof CertificationPaper>

export const Certification = z.object({
  id: z.number(),
  kind: z.enum(certificationKinds),
  status: z.enum(certificationStatuses),
  form: z.record(z.string(), z.unknown()),
  reason: z.string(),
  fieldReasons: z.array(z.object({ field: z.string(), reason: z.string() })),
  name: z.string(),
  /** The certified unit above a project department. */
  parentName: z.string(),
  validTo: z.string().nullable(),
  submittedAt: z.string().nullable(),
  reviewedAt: z.string().nullable(),
  version: z.number(),
  documents: z.array(CertificationPaper),
  events: z.array(z.object({ action: z.string(), note: z.string(), at: z.string() })),
})
export type Certification = z.infer<typeof Certification>

export const listOwnCertifications = {
  method: 'GET',
  url: '/business/approve/mine',
  summary: 'Own certifications of the three kinds, with papers and history',
  access: 'account',
  notDriver: true,
  form: 'data',
  answer: z.array(Certification),
} as const satisfies Endpoint

/** The version that was read, 0 if there was none; without it, a newer one is overwritten. */
const ReadVersion = z.number().int().optional()

const submission = <K extends 'rentout' | 'lease' | 'dept'>(kind: K, words: string) =>
  ({
    method: 'POST',
    url: `/business/approve/${kind}`,
    summary: `Hand in the ${words}; after a rejection only what was sent back, or has run out since, is replaced`,
    access: 'account',
    notStaff: true,
    notDriver: true,
    form: 'data',
    body: z.object({ form: formOf[kind], documents: Papers, version: ReadVersion }),
    answer: z.object({ id: z.number() }),
  }) as const satisfies Endpoint

export const submitRentout = submission('rentout', 'lessor certification')
export const submitLease = submission('lease', 'lessee certification')
export const submitDept = submission('dept', 'project department information')

export const saveCertificationDraft = {
  method: 'POST',
  url: '/business/approve/draft',
  summary: 'Keep what was typed so far, unchecked',
  access: 'account',
  notStaff: true,
  notDriver: true,
  form: 'data',
  body: z.object({
    kind: z.enum(certificationKinds),
    form: z.record(z.string().max(40), z.unknown()).refine((form) => JSON.stringify(form).length < 20_000, 'too_big'),
    documents: Papers,
    version: ReadVersion,
  }),
  answer: Certification,
} as const satisfies Endpoint

export const withdrawCertification = {
  method: 'PUT',
  url: '/business/approve/:id/withdraw',
  summary: 'Take it back from review',
  access: 'account',
  notDriver: true,
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const listParentUnits = {
  method: 'GET',
  url: '/business/approve/parentUnits',
  summary: 'Units of the certified lessee with exactly this name or credit code',
  access: 'account',
  notDriver: true,
  limit: 30,
  form: 'data',
  query: z.object({ keyword: z.string().trim().min(4).max(100) }),
  answer: z.array(z.object({ deptId: z.number(), deptName: z.string(), enterpriseName: z.string() })),
} as const satisfies Endpoint

const CertificationRow = z.object({
  id: z.number(),
  kind: z.enum(certificationKinds),
  status: z.enum(certificationStatuses),
  name: z.string(),
  applicant: z.string(),
  phonenumber: z.string(),
  submittedAt: z.string().nullable(),
  reviewedAt: z.string().nullable(),
  /** The company whose administrators decide what waits; null where nothing does, or the operator decides. */
  reviewedBy: z.string().nullable(),
})
type CertificationRow = z.infer<typeof CertificationRow>

const emptyEnum = <T extends readonly string[]>(values: T) => z.union([z.literal('').transform(() => undefined), z.enum(values)]).optional()

export const certificationSorts = ['submittedAt'] as const
const reviewFilter = {
  ...sorting(certificationSorts),
  status: emptyEnum(certificationStatuses),
  kind: emptyEnum(certificationKinds),
  keyword: optionalText(40),
  todo: onlyTodo,
}

export const listCertifications = {
  method: 'GET',
  url: '/business/approve/list',
  summary: 'Certifications to review: the operator all, an organisation its own project departments',
  access: 'certification:review',
  admin: true,
  form: 'list',
  query: z.object({ ...paging(), ...reviewFilter }),
  answer: CertificationRow,
} as const satisfies Endpoint

export const exportCertifications = {
  method: 'GET',
  url: '/business/approve/export',
  summary: 'The filtered list of certifications as a workbook, 10,000 rows at most, without the people who applied',
  access: 'certification:review',
  admin: true,
  limit: 10,
  form: 'file',
  query: z.object(reviewFilter),
  answer: z.null(),
} as const satisfies Endpoint

export const certificationTemplate = {
  method: 'GET',
  url: '/business/approve/documentTemplate',
  summary: 'A paper to print, sign and seal, with what the own form holds so far',
  access: 'account',
  notDriver: true,
  limit: 60,
  form: 'file',
  query: z.object({ kind: z.enum(templateKinds), document: z.enum(templateDocuments) }),
  answer: z.null(),
} as const satisfies Endpoint

const certificationChecks = ['creditCode', 'duplicateCompany', 'license', 'businessScope', 'papers', 'parent'] as const

export const CertificationReview = Certification.extend({
  applicant: z.string(),
  /** Masked, as the numbers of the forms are, unless this reviewer decides what waits. */
  phonenumber: z.string(),
  /** What was passed last, for the operator and whoever may end it. */
  passedForm: z.record(z.string(), z.unknown()).nullable(),
  /** Whether this reviewer passes or sends back what waits, and whether they may end what is in force. */
  mayDecide: z.boolean(),
  mayRevoke: z.boolean(),
  /** Result of an automatic check: good, to be looked at, or wrong; `detail` is a name, a date or a count. */
  checks: z.array(z.object({ kind: z.enum(certificationChecks), result: z.enum(['good', 'look', 'bad']), detail: z.string() })),
})
export type CertificationReview = z.infer<typeof CertificationReview>

export const getCertification = {
  method: 'GET',
  url: '/business/approve/:id',
  summary: 'One certification with its papers and what the machine checked',
  access: 'certification:review',
  admin: true,
  form: 'data',
  params: z.object({ id: Id }),
  answer: CertificationReview,
} as const satisfies Endpoint

export const passCertification = {
  method: 'PUT',
  url: '/business/approve/:id/pass',
  summary: 'Pass: the company or project department is made, the role given, the person told',
  access: 'certification:review',
  admin: true,
  audit: { action: 'certification.pass', bizType: 'certification' },
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ version: z.number().int() }),
  answer: z.null(),
} as const satisfies Endpoint

export const Rejection = z
  .object({
    version: z.number().int(),
    reason: paragraph(500),
    fields: z.array(z.object({ field: z.string().max(40), reason: line(1, 200) })).max(40),
    documents: z.array(z.object({ kind: z.enum(certificationDocuments), reason: line(1, 200) })).max(certificationDocuments.length),
  })
  .refine(({ reason, fields, documents }) => reason !== '' || fields.length + documents.length > 0, {
    path: ['reason'],
    error: 'reason_needed',
  })

export const rejectCertification = {
  method: 'PUT',
  url: '/business/approve/:id/reject',
  summary: 'Send back: the fields and papers named are to be mended, the papers not named are accepted',
  access: 'certification:review',
  admin: true,
  audit: { action: 'certification.reject', bizType: 'certification' },
  form: 'data',
  params: z.object({ id: Id }),
  body: Rejection,
  answer: z.null(),
} as const satisfies Endpoint

export const revokeCertification = {
  method: 'PUT',
  url: '/business/approve/:id/revoke',
  summary: 'Revoke what was passed, with a reason: the role ends, machines leave the shelf',
  access: 'certification:review',
  admin: true,
  audit: { action: 'certification.revoke', bizType: 'certification' },
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ reason: paragraph(500).pipe(z.string().min(4)) }),
  answer: z.null(),
} as const satisfies Endpoint
