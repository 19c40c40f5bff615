import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { uploadFile } from '../file/contract.ts'
import { Id, line, paragraph } from '../fields.ts'
import { ClauseName, ClausesInput, companyScales } from './clauses.ts'
import { contractTasks, lapseDays } from './rules.ts'

const params = z.object({ id: Id })
export const SmsCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/)
const TextHash = z.string().regex(/^[0-9a-f]{64}$/)
export const BankAccount = z
  .string()
  .transform((digits) => digits.replaceAll(/\s/g, ''))
  .pipe(z.string().regex(/^\d{8,30}$/))
/** The bank account that the rent is paid to. */
const account = { bankName: line(2, 100), bankAccount: BankAccount }

export const draftContracts = {
  method: 'POST',
  url: '/business/leasingDemand/:id/contract',
  summary: 'Make the drafts of an award now, one for each of its lessors, instead of waiting for the clock',
  access: 'contract:make',
  form: 'data',
  params,
  answer: z.object({ ids: z.array(z.number()) }),
} as const satisfies Endpoint

export const moveContractDue = {
  method: 'PUT',
  url: '/business/leasingDemand/:id/contractDue',
  summary: 'Give the contracts of an award that are not sent yet more time, once; their lessors may leave without blame from then on',
  access: 'contract:make',
  form: 'data',
  params,
  body: z.object({ days: z.number().int().min(1).max(lapseDays.extension), reason: line(2, 500) }),
  answer: z.object({ contractDue: z.string() }),
} as const satisfies Endpoint

export const acceptAward = {
  method: 'PUT',
  url: '/business/leasingApply/:id/accept',
  summary: 'Accept a won quote: the lessor gives up the time to step back, and the draft of the contract is made',
  // A company may be both: accepting is the lessor's, as quoting and giving up are (decision 8).
  access: 'quote:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const ContractInput = z.object({
  id: Id,
  version: z.number().int(),
  title: line(4, 60),
  externalNo: line(0, 40).default(''),
  address: line(2, 200),
  scaleLessee: z.enum(companyScales).nullable(),
  /** What the lessor has told; its certification goes before it. The lessor confirms it with the text. */
  scaleLessor: z.enum(companyScales).nullable().default(null),
  clauses: ClausesInput,
})
export type ContractInput = z.output<typeof ContractInput>

export const editContract = {
  method: 'PUT',
  url: '/business/contract',
  summary: 'Change a draft; refused when somebody else changed it meanwhile',
  access: 'contract:make',
  form: 'data',
  body: ContractInput,
  answer: z.object({ version: z.number() }),
} as const satisfies Endpoint

/** Files of the own form of a unit, which is annex 2. */
export const maxOwnForms = 3

export const attachOwnForms = {
  method: 'PUT',
  url: '/business/contract/:id/forms',
  summary:
    'Attach the own form of the unit to a draft as annex 2, up to three PDF or JPG files in the place of those before; their hashes stand in the text',
  access: 'contract:make',
  limit: 20,
  form: 'data',
  params,
  body: z.object({ version: z.number().int(), fileIds: z.array(z.uuid()).max(maxOwnForms) }),
  answer: z.object({ version: z.number() }),
} as const satisfies Endpoint

const NamedPersons = z.array(z.object({ task: z.enum(contractTasks), accountId: Id })).max(40)

export const nameContractPersons = {
  method: 'PUT',
  url: '/business/contract/:id/persons',
  summary:
    'Name who signs, accepts, logs and settles for the own side, in the place of those who were named before; the other side is told',
  access: 'contract:edit',
  limit: 30,
  form: 'data',
  params,
  // `before` is the list that the person saw: what a colleague named meanwhile is not removed unseen.
  body: z.object({ persons: NamedPersons, before: NamedPersons }),
  answer: z.null(),
} as const satisfies Endpoint

export const askContractApproval = {
  method: 'PUT',
  url: '/business/contract/:id/ask',
  summary: 'Ask the unit above to approve the draft',
  access: 'contract:make',
  limit: 30,
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

/** The version of the draft that somebody decides on. */
const ReadDraft = z.object({ version: z.number().int() })

export const approveContract = {
  method: 'PUT',
  url: '/business/contract/:id/approve',
  summary: 'Approve a draft of a unit below; whoever asked cannot, and a draft that was changed since it was read is refused',
  access: 'contract:approve',
  form: 'data',
  params,
  body: ReadDraft,
  answer: z.null(),
} as const satisfies Endpoint

export const rejectContract = {
  method: 'PUT',
  url: '/business/contract/:id/reject',
  summary: 'Send a draft back to the unit below with a reason',
  access: 'contract:approve',
  limit: 30,
  form: 'data',
  params,
  body: ReadDraft.extend({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

/**
 * What a code is to sign: the text whose hash is shown, with the bank account that the lessor names as it confirms; or the bank account that an amendment
 * names. It is good for nothing else.
 */
export const SigningInput = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('send'), textHash: TextHash }),
  z.object({ purpose: z.literal('confirm'), textHash: TextHash, ...account }),
  z.object({ purpose: z.literal('account'), ...account }),
])
export type SigningInput = z.output<typeof SigningInput>

export const sendSignCode = {
  method: 'POST',
  url: '/business/contract/:id/signCode',
  summary: 'Send a code to the own phone that signs one text, names one bank account, or both, of this contract',
  access: 'contract:edit',
  limit: 10,
  transaction: 'own',
  form: 'data',
  params,
  body: SigningInput,
  answer: z.null(),
} as const satisfies Endpoint

export const sendContract = {
  method: 'PUT',
  url: '/business/contract/:id/send',
  summary: 'Send the draft to the lessor: the text is frozen, and sending is the confirmation of the lessee',
  access: 'contract:make',
  transaction: 'own',
  form: 'data',
  params,
  body: z.object({ smsCode: SmsCode, textHash: TextHash }),
  answer: z.null(),
} as const satisfies Endpoint

export const recallContract = {
  method: 'PUT',
  url: '/business/contract/:id/recall',
  summary: 'Take a sent contract back before the lessor has confirmed it',
  access: 'contract:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const returnContract = {
  method: 'PUT',
  url: '/business/contract/:id/return',
  summary: 'Send a contract back with comments, by clause where there are such',
  access: 'contract:edit',
  form: 'data',
  params,
  body: z.object({
    comment: line(2, 500),
    clauses: z
      .array(z.object({ key: ClauseName, comment: line(2, 500) }))
      .max(40)
      .default([]),
    /** The text that the comments are about; another one is not returned with them. */
    textHash: TextHash.optional(),
  }),
  answer: z.null(),
} as const satisfies Endpoint

export const confirmContract = {
  method: 'PUT',
  url: '/business/contract/:id/confirm',
  summary: 'Confirm a sent contract: it is in force. The lessor names the account that the rent is paid to',
  access: 'contract:make',
  transaction: 'own',
  form: 'data',
  params,
  body: z.object({ smsCode: SmsCode, textHash: TextHash, ...account }),
  answer: z.null(),
} as const satisfies Endpoint

export const voidContract = {
  method: 'PUT',
  url: '/business/contract/:id/void',
  summary: 'Give a draft up with a reason; the machines are free again',
  access: 'contract:edit',
  form: 'data',
  params,
  body: z.object({ reason: line(2, 500), version: z.number().int().optional() }),
  answer: z.null(),
} as const satisfies Endpoint

export const uploadScanFile = {
  method: 'POST',
  url: '/business/contract/scanFile',
  summary: 'Upload one file of a sealed scan or an own form, a picture of up to 20 MB included; it can be used for nothing else',
  access: 'contract:edit',
  limit: 60,
  transaction: 'own',
  form: 'data',
  upload: true,
  answer: uploadFile.answer,
} as const satisfies Endpoint

export const maxScans = 5
const ScanFiles = z.array(z.uuid()).min(1).max(maxScans)

export const uploadContractScan = {
  method: 'PUT',
  url: '/business/contract/:id/scan',
  summary: 'Hand in the scan of the paper that both sealed, up to five files, of the newest version unless another is named',
  access: 'contract:edit',
  limit: 20,
  form: 'data',
  params,
  body: z.object({ fileIds: ScanFiles, revision: z.number().int().min(1).optional() }),
  answer: z.null(),
} as const satisfies Endpoint

export const matchContractScan = {
  method: 'PUT',
  url: '/business/contract/:id/matchScan',
  summary: 'Say whether the scan of the other side is the same as what was confirmed; refused when it was replaced meanwhile',
  access: 'contract:edit',
  limit: 20,
  form: 'data',
  params,
  body: z
    .object({
      agrees: z.boolean(),
      reason: paragraph(500).default(''),
      /** The files that were compared, and the version that they were compared with. */
      fileIds: ScanFiles,
      revision: z.number().int().optional(),
    })
    .refine(({ agrees, reason }) => agrees || reason.length >= 2, { path: ['reason'], error: 'reason_needed' }),
  answer: z.null(),
} as const satisfies Endpoint
