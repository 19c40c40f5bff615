import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { invoiceKinds, rentUnits, shiftModes } from '../equipment/rules.ts'
import { Id, numeric, optionalId, optionalText, paging, sorting, YuanOut } from '../fields.ts'
import { pricesOut } from '../quote/price-fields.ts'
import { ClauseName, clauseMarks, ClausesOut, clauseRules, companyScales, scaleKeys, scaleRules } from './clauses.ts'
import { PenaltyOut } from './changes.ts'
import { ContractNotice } from './notice.ts'
import { RecordPage, RecordPageQuery } from './record-pages.ts'
import {
  changeHindrances,
  changeKinds,
  contractApprovals,
  contractSides,
  contractSources,
  contractStatuses,
  contractTasks,
  lapseBlames,
  positionStatuses,
  scanStates,
} from './rules.ts'

const params = z.object({ id: Id })
const Side = z.object({ companyId: z.number(), companyName: z.string() })

export const ContractRow = z.object({
  id: z.number(),
  contractCode: z.string(),
  title: z.string(),
  source: z.enum(contractSources),
  status: z.enum(contractStatuses),
  /** Of the unit above the lessee, where that approves contracts; none for the lessor's people. */
  approval: z.enum(contractApprovals),
  scanState: z.enum(scanStates),
  /** The version of the text that the scan is of; null before the first one. */
  scanRevision: z.number().nullable(),
  /** The newest version of the text. */
  revision: z.number(),
  /** Whether the scan of the sealed paper must be handed in. */
  needsScan: z.boolean(),
  lessee: Side.extend({ deptName: z.string() }),
  lessor: Side,
  positions: z.number(),
  amount: YuanOut,
  planStart: z.string(),
  planEnd: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  /** When the lessor's part of the award lapses as things stand; null where it never does. */
  lapsesAt: z.string().nullable(),
  /** Who was to blame when the award behind a contract that is void lapsed. */
  lapseBlame: z.enum(lapseBlames).nullable(),
})
export type ContractRow = z.output<typeof ContractRow>

export const contractSorts = ['planEnd', 'amount', 'updateTime', 'status'] as const
/** A list may ask for the live contracts that end within so many days, or for those in force whose planned hire is over. */
export const endsWithinDays = ['7', '15', '30', '90'] as const
export const contractEnds = ['over', ...endsWithinDays] as const

const blank = z.literal('').transform(() => undefined)
/** All filters but the state, by which the list is counted. */
const besidesStatus = {
  deptId: optionalId,
  /** The company on the other side. */
  companyId: optionalId,
  /** Words of the title, the code or a company's name. */
  keyword: optionalText(40),
  endsWithin: z.union([blank, z.enum(contractEnds)]).optional(),
}
const filters = { status: z.union([blank, z.enum(contractStatuses)]).optional(), ...besidesStatus }

export const listContracts = {
  method: 'GET',
  url: '/business/contract/list',
  summary: 'The contracts of the own units or company; an auditor reads those of one organisation',
  access: 'contract:view',
  form: 'list',
  query: z.object({ ...paging(), ...sorting(contractSorts), ...filters }),
  answer: ContractRow,
} as const satisfies Endpoint

export const countContracts = {
  method: 'GET',
  url: '/business/contract/counts',
  summary: 'How many contracts of the own list are in each state, under its other filters',
  access: 'contract:view',
  form: 'data',
  query: z.object(besidesStatus),
  answer: z.partialRecord(z.enum(contractStatuses), z.number()),
} as const satisfies Endpoint

/** Companies of one answer; a part of the name finds the others. */
export const mostParties = 50

export const listContractParties = {
  method: 'GET',
  url: '/business/contract/parties',
  summary: 'The companies on the other side of the own contracts, by name, for a filter of the list; at most 50',
  access: 'contract:view',
  limit: 120,
  form: 'data',
  query: z.object({
    /** A part of the name. */
    keyword: optionalText(40),
    /** Is in the answer whatever the keyword is: the one that is chosen. */
    companyId: optionalId,
  }),
  answer: z.array(Side),
} as const satisfies Endpoint

export const exportContracts = {
  method: 'GET',
  url: '/business/contract/export',
  summary: 'The list as a workbook: the rows that are filtered, in the order that is chosen',
  access: 'contract:view',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(contractSorts), ...filters }),
  answer: z.null(),
} as const satisfies Endpoint

export const Position = z.object({
  id: z.number(),
  lineNo: z.number(),
  equipmentId: z.number(),
  equipmentCode: z.string(),
  categoryName: z.string(),
  categoryNameEn: z.string(),
  name: z.string(),
  nameEn: z.string(),
  spec: z.string(),
  isLot: z.boolean(),
  qty: z.number(),
  rentUnit: z.enum(rentUnits),
  ...pricesOut,
  taxRate: z.number(),
  invoiceKind: z.enum(invoiceKinds),
  includesOperator: z.boolean(),
  includesFuel: z.boolean(),
  minRentDays: z.number(),
  estQuantity: z.number().nullable(),
  shiftMode: z.enum(shiftModes),
  /** Its tax rate is unusual for a hire with or without a driver: a mark. */
  oddTaxRate: z.boolean(),
  planStart: z.string(),
  planEnd: z.string(),
  status: z.enum(positionStatuses),
  /** Its prices and tax rates by day, the first from the start; empty before the contract is in force. */
  rates: z.array(z.object({ fromDay: z.string(), unitPrice: YuanOut, taxRate: z.number() })),
  /** What the lessor invoices for it over the planned days, tax included. */
  amount: YuanOut,
})
export type Position = z.output<typeof Position>

const ContractEvent = z.object({
  /** Its place in the chain. */
  seq: z.number(),
  at: z.string(),
  move: z.string(),
  side: z.enum(contractSides).nullable(),
  /** The name of a person of one's own side; of the other side the company. Empty for the clock and the platform. */
  who: z.string(),
  /** Somebody of the platform, whose side is null as the clock's. */
  byPlatform: z.boolean(),
  /** The notice that it is about. */
  noticeId: z.number().nullable(),
  /** The amendment that it is about, where the reader knows of that one. */
  change: z.object({ changeCode: z.string(), kind: z.enum(changeKinds) }).nullable(),
  /** The version of a scan that was handed in. */
  scanRevision: z.number().nullable(),
  fromStatus: z.string().nullable(),
  toStatus: z.string().nullable(),
  note: z.string(),
})

const Person = z.object({ side: z.enum(contractSides), task: z.enum(contractTasks), accountId: z.number(), name: z.string() })

const contractActions = [
  'edit',
  'ask',
  'approve',
  'reject',
  'send',
  'recall',
  'return',
  'confirm',
  'void',
  'scan',
  'matchScan',
  'change',
  'notice',
  'persons',
] as const
export type ContractAction = (typeof contractActions)[number]

export const Contract = ContractRow.extend({
  version: z.number(),
  externalNo: z.string(),
  demand: z.object({ id: z.number(), demandCode: z.string().nullable(), title: z.string() }).nullable(),
  deptId: z.number(),
  projectName: z.string(),
  provinceId: z.number(),
  cityId: z.number(),
  districtId: z.number().nullable(),
  regionName: z.string(),
  regionNameEn: z.string(),
  address: z.string(),
  net: YuanOut,
  tax: YuanOut,
  scaleLessee: z.enum(companyScales).nullable(),
  scaleLessor: z.enum(companyScales).nullable(),
  /** The size of the lessor stands in its certification, so no draft declares another. */
  isLessorScaleCertified: z.boolean(),
  /** The sides that declare a smaller size than their certification says now. */
  scaleMarks: z.array(z.object({ side: z.enum(contractSides), declared: z.enum(companyScales), certified: z.enum(companyScales) })),
  smeRule: z.boolean(),
  /** The one-year loan prime rate of the day of confirmation, in basis points, by which later clauses are checked. */
  lprBp: z.number().nullable(),
  /** The rate of today, by which a contract is checked until it is confirmed. */
  currentLprBp: z.number(),
  bankName: z.string(),
  /** For those who sign or settle, and administrators; for everybody else only its last four digits. */
  bankAccount: z.string(),
  clauses: ClausesOut,
  /** What the law forbids about it until it is confirmed, and in a draft the sizes that are not declared. */
  problems: z.array(z.object({ key: z.union([ClauseName, z.enum(scaleKeys)]), rule: z.enum([...clauseRules, ...scaleRules]) })),
  marks: z.array(z.object({ key: ClauseName, mark: z.enum(clauseMarks) })),
  /** Whether the lessor has sent the draft back, and it was neither sent again nor taken back since. */
  isReturned: z.boolean(),
  /** What the lessor said when it sent the draft back, newest first. */
  comments: z.array(
    z.object({ at: z.string(), comment: z.string(), clauses: z.array(z.object({ key: ClauseName, comment: z.string() })) }),
  ),
  lines: z.array(Position),
  persons: z.array(Person),
  events: z.array(ContractEvent),
  scans: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), mime: z.string() })),
  /** The own form of the lessee's unit, which is annex 2, with the hash that its text names. */
  forms: z.array(z.object({ id: z.string(), name: z.string(), size: z.number(), mime: z.string(), sha256: z.string() })),
  notices: z.array(ContractNotice),
  scanBy: z.enum(contractSides).nullable(),
  /** Of the binding text as it is frozen, or of a draft as it stands now. Null where it was given up unsent. */
  textHash: z.string().nullable(),
  sentAt: z.string().nullable(),
  confirmedAt: z.string().nullable(),
  endReason: z.string(),
  /** What both agreed for an early end. */
  ending: z.object({ lastDay: z.string(), penalty: PenaltyOut.nullable() }).nullable(),
  /** When the award lapses if a sent contract is recalled now and not sent again; null where it never does. */
  lapsesAfterRecall: z.string().nullable(),
  /** Whether the reader may recall the contract and its lessor may then leave without blame, because the lessee gave more time. */
  mayLeaveAfterRecall: z.boolean(),
  /** Which side the reader is on; null for the platform's people. */
  side: z.enum(contractSides).nullable(),
  /** Whether the reader may sign for their side: they are named for it, or nobody is. */
  signs: z.boolean(),
  /** Whether the reader may change who signs for their side. */
  namesSigners: z.boolean(),
  /** The day from which the newest version holds; an amendment does not hold from an earlier one. Null before the contract is in force. */
  since: z.string().nullable(),
  /** The amendment that waits for an answer, or for the unit above the lessee before it is sent; the lessor's people do not read which one that is. */
  openChange: z
    .object({
      id: z.number().nullable(),
      changeCode: z.string().nullable(),
      kind: z.enum(changeKinds).nullable(),
      side: z.enum(contractSides),
      isSent: z.boolean(),
      hindrances: z.array(z.enum(changeHindrances)),
      /** Of one of the other side that the unit above has to approve before this reader confirms it: whether that is still to be asked, or was. */
      unitStep: z.enum(['ask', 'wait']).nullable(),
    })
    .nullable(),
  /** It was sent by a lessee whose certification was revoked since: nobody confirms it until that lessee is certified again. */
  isSentByRevoked: z.boolean(),
  /** What this person may do now. */
  may: z.array(z.enum(contractActions)),
  /** The end of the number that the code for signing goes to. */
  phoneEnd: z.string(),
})
export type Contract = z.output<typeof Contract>

export const getContract = {
  method: 'GET',
  url: '/business/contract/:id',
  summary: 'A contract of the own side with its positions, clauses, people and history',
  access: 'contract:view',
  form: 'data',
  params,
  answer: Contract,
} as const satisfies Endpoint

const TextSection = z.object({ title: z.string(), lines: z.array(z.string()) })
export type TextSection = z.output<typeof TextSection>

export const getContractText = {
  method: 'GET',
  url: '/business/contract/:id/text',
  summary: 'The text of the contract, made from its typed clauses, or that of one of its versions; the Chinese one binds and is hashed',
  access: 'contract:view',
  limit: 60,
  form: 'data',
  params,
  query: z.object({ revision: optionalId }),
  answer: z.object({
    sections: z.array(TextSection),
    /** Of the sections: that of the reader, or Chinese where a text was frozen before the English one was kept beside it. */
    language: z.enum(['zh-CN', 'en-US']),
    /** The Chinese text, line by line; `textHash` is its SHA-256. */
    text: z.string(),
    textHash: z.string(),
  }),
} as const satisfies Endpoint

export const printContract = {
  method: 'GET',
  url: '/business/contract/:id/pdf',
  summary:
    'The contract as a PDF to seal or to file, with the hash of its text, who confirmed it, and how many prints of this version were made',
  access: 'contract:view',
  limit: 20,
  form: 'file',
  params,
  // A PDF takes its time to be drawn, so only its number is counted in a transaction.
  transaction: 'own',
  answer: z.null(),
} as const satisfies Endpoint

export const getContractChain = {
  method: 'GET',
  url: '/business/contract/:id/chain',
  summary:
    'The chain of hashes of all that happened under the contract, from the last hash of the demand on, 500 steps at a time; with the first of them every version it commits to',
  access: 'contract:view',
  limit: 60,
  form: 'data',
  params,
  query: RecordPageQuery,
  answer: RecordPage,
} as const satisfies Endpoint

export const countContractEvidence = {
  method: 'GET',
  url: '/business/contract/:id/evidence/parts',
  summary: 'In how many parts the evidence pack of a contract is handed out; more than one where its stored files exceed 500 MB',
  access: 'contract:view',
  limit: 20,
  form: 'data',
  params,
  answer: z.object({ parts: z.number() }),
} as const satisfies Endpoint

export const exportContractEvidence = {
  method: 'GET',
  url: '/business/contract/:id/evidence',
  summary: 'Everything about a contract as a zip that can be checked without the platform, or a part of it; the audit log records it',
  access: 'contract:view',
  limit: 10,
  form: 'file',
  params,
  query: z.object({ part: numeric(z.number().int().min(1).max(10_000)).default(1) }),
  // Reads files from the storage, so only its audit entry is written in a transaction.
  transaction: 'own',
  answer: z.null(),
} as const satisfies Endpoint
