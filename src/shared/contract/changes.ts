// Amendments of a contract in force (补充协议): one side writes one, the other answers.
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { machineNameParts } from '../equipment/name-parts.ts'
import { invoiceKinds, rentUnits, shiftModes, taxRates } from '../equipment/rules.ts'
import { Day, Id, line, paragraph, yuan, YuanOut } from '../fields.ts'
import { pricesOut } from '../quote/price-fields.ts'
import { ClausesInput, ClausesOut, type ContractClauses } from './clauses.ts'
import { AddedPositions } from './direct.ts'
import { BankAccount, SmsCode } from './moves.ts'
import { changeHindrances, changeKinds, type ChangeMove, changeMoves, changeStatuses, contractApprovals, contractSides } from './rules.ts'

const params = z.object({ id: Id })

/** The new value of each position that changes. */
const ofLines = <T extends z.ZodType>(value: T) =>
  z
    .array(z.object({ lineId: Id, value }))
    .min(1, 'positions_none')
    .max(200)

/** What one side pays the other for an early end. */
const Penalty = z.object({ amount: yuan({ min: 1 }), payer: z.enum(contractSides) })

/** What is to hold, by kind; prices are parsed to fen. The end of a position is the first day after its hire, as everywhere. */
export const ChangeTerms = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('extend'), lines: ofLines(Day) }),
  z.object({ kind: z.literal('shorten'), lines: ofLines(Day) }),
  z.object({ kind: z.literal('price'), lines: ofLines(yuan({ min: 1 })) }),
  z.object({ kind: z.literal('tax'), lines: ofLines(z.literal(taxRates)) }),
  /** Positions that are cancelled before their machines enter, and further ones of machines of the same lessor. */
  z
    .object({ kind: z.literal('quantity'), lineIds: z.array(Id).max(200), added: AddedPositions.optional() })
    .refine(({ lineIds, added }) => lineIds.length > 0 || added !== undefined, { path: ['lineIds'], error: 'positions_none' }),
  z.object({ kind: z.literal('clause'), clauses: ClausesInput }),
  /** Where the lessor is paid from now on; it holds a day after the lessee was told. */
  z.object({ kind: z.literal('account'), bankName: line(2, 100), bankAccount: BankAccount }),
  /** The last day is still hired. Without a penalty, both agree that nobody pays one. */
  z.object({ kind: z.literal('terminate'), lastDay: Day, penalty: Penalty.optional() }),
])
/** The terms as the wire writes them, completed by what the contract makes of them (`completedTerms`). */
export type ChangeTerms = Exclude<z.output<typeof ChangeTerms>, { kind: 'tax' }> | TaxTerms
/** `unitPriceFen`: the price with tax, where the one without tax stays. It follows from the clauses, so no client sends it. */
export type TaxTerms = { kind: 'tax'; lines: { lineId: number; value: (typeof taxRates)[number]; unitPriceFen?: number | undefined }[] }
export type LineTerms = Extract<ChangeTerms, { lines: unknown }>

/** What is stored of an amendment: its terms, what they change, and the contract sum before and after. */
export type StoredChange = {
  terms: ChangeTerms
  /** The price stands there where it changes with the tax rate. */
  before: { lineId: number; value: string | number; unitPriceFen?: number }[]
  /** The estimated quantities that change with the end of the hire. */
  quantities?: { lineId: number; before: number; after: number }[]
  /** The clauses as they were, where the amendment is of clauses. */
  clausesBefore: ContractClauses | null
  /** The names of further positions, in their order in the terms. */
  added?: { lineNo: number; name: string; nameEn: string; equipmentCode: string }[]
  amountBeforeFen: number
  amountAfterFen: number
}

const ChangeAdded = z.object({
  lineNo: z.number(),
  name: z.string(),
  nameEn: z.string(),
  equipmentCode: z.string(),
  qty: z.number(),
  rentUnit: z.enum(rentUnits),
  ...pricesOut,
  taxRate: z.number(),
  invoiceKind: z.enum(invoiceKinds),
  includesOperator: z.boolean(),
  includesFuel: z.boolean(),
  minRentDays: z.number(),
  shiftMode: z.enum(shiftModes),
  estQuantity: z.number().nullable(),
  planStart: z.string(),
  planEnd: z.string(),
  /** What the lessor invoices for it over the planned days, tax included. */
  amount: YuanOut,
})

export const PenaltyOut = z.object({ amount: YuanOut, payer: z.enum(contractSides) })

/** A move of an amendment, or a step of its approval by the unit above. */
const changeActions = [...(Object.keys(changeMoves) as [ChangeMove, ...ChangeMove[]]), 'ask', 'approve', 'reject'] as const
export type ChangeAction = (typeof changeActions)[number]

export const ContractChange = z.object({
  id: z.number(),
  changeCode: z.string(),
  kind: z.enum(changeKinds),
  side: z.enum(contractSides),
  status: z.enum(changeStatuses),
  fromDay: z.string(),
  reason: z.string(),
  answer: z.string(),
  createTime: z.string(),
  answeredAt: z.string().nullable(),
  /** From when another bank account holds. */
  effectiveAt: z.string().nullable(),
  /** The positions that change: days, yuan, percent or, of those that are cancelled, states, as they are and as they will be. */
  lines: z.array(
    z.object({
      lineNo: z.number(),
      name: z.string(),
      before: z.string(),
      after: z.string(),
      /** The estimated quantity, where it changes with the end of the hire. */
      quantity: z.object({ before: z.number(), after: z.number() }).nullable(),
      /** The price with tax, where it changes with the tax rate. */
      price: z.object({ before: YuanOut, after: YuanOut }).nullable(),
    }),
  ),
  /** The further positions that it adds. */
  added: z.array(ChangeAdded),
  clauses: ClausesOut.nullable(),
  clausesBefore: ClausesOut.nullable(),
  bankName: z.string().nullable(),
  /** Whole for those who sign or settle, else its last four digits. */
  bankAccount: z.string().nullable(),
  lastDay: z.string().nullable(),
  /** Of an early end; null where nobody pays one. */
  penalty: PenaltyOut.nullable(),
  amountBefore: YuanOut,
  amountAfter: YuanOut,
  /** The last day on which the other side may confirm it, while it waits; null where there is none. */
  confirmBy: z.string().nullable(),
  /** The numbers of positions whose price would be above the ceiling of the lessee's organisation, for its people while it waits. */
  aboveCeiling: z.array(z.number()),
  /** Why it can be neither confirmed nor approved now, while it waits. It may still be withdrawn or refused. */
  hindrances: z.array(z.enum(changeHindrances)),
  /** Of the unit above the lessee, where that approves contracts; none for the lessor's people. */
  approval: z.enum(contractApprovals),
  /** What this person may do with it now. */
  may: z.array(z.enum(changeActions)),
})
export type ContractChange = z.output<typeof ContractChange>

export const listContractChanges = {
  method: 'GET',
  url: '/business/contract/:id/changes',
  summary: 'The amendments of a contract, newest first',
  access: 'contract:view',
  form: 'data',
  params,
  answer: z.array(ContractChange),
} as const satisfies Endpoint

/** An amendment as it is written, before the code of one that names another bank account. */
export const ChangeInput = z.object({ fromDay: Day, reason: line(2, 500), terms: ChangeTerms })

/**
 * The days of another hire that refuse an extension (`change_taken`): the latest end, the first day that is free again, and machines of the same lessor and
 * kind that are free instead.
 */
export const TakenDays = z.object({
  lineNo: z.number(),
  takenFrom: z.string(),
  freeAgain: z.string(),
  similar: z.array(z.object({ id: z.number(), equipmentCode: z.string(), ...machineNameParts })),
})
export type TakenDays = z.infer<typeof TakenDays>

/** The position whose machine another hire has on these days (`contract_machine_taken`), and from when it is free for as long. */
export const TakenMachine = z.object({ index: z.number().optional(), lineNo: z.number(), freeFrom: z.string().nullable() })
export type TakenMachine = z.infer<typeof TakenMachine>

export const printContractChange = {
  method: 'GET',
  url: '/business/contractChange/:id/pdf',
  summary: 'An amendment as a PDF to seal or to file, with its hash and who confirmed it',
  access: 'contract:view',
  limit: 20,
  form: 'file',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const proposeContractChange = {
  method: 'POST',
  url: '/business/contract/:id/change',
  summary:
    'Write an amendment and send it to the other side; one at a time. Another bank account needs a code. Where the unit above approves contracts, one that binds the lessee more waits for it first',
  access: 'contract:edit',
  limit: 20,
  transaction: 'own',
  form: 'data',
  params,
  body: ChangeInput.extend({ smsCode: SmsCode.optional() }).refine(
    ({ terms, smsCode }) => terms.kind !== 'account' || smsCode !== undefined,
    { path: ['smsCode'], error: 'required' },
  ),
  /** `waits`: for the unit above, which sends it. */
  answer: z.object({ id: z.number(), waits: z.boolean() }),
} as const satisfies Endpoint

export const confirmContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/confirm',
  summary: 'Confirm an amendment of the other side: it is in force, with a new version of the contract',
  access: 'contract:edit',
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const askChangeApproval = {
  method: 'PUT',
  url: '/business/contractChange/:id/ask',
  summary: 'Ask the unit above to approve an amendment of the lessor before it is confirmed',
  access: 'contract:edit',
  limit: 30,
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const approveContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/approve',
  summary: 'Approve an amendment for a unit below: its own is sent by this, one of the lessor may then be confirmed',
  access: 'contract:approve',
  limit: 30,
  form: 'data',
  params,
  answer: z.null(),
} as const satisfies Endpoint

export const rejectContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/reject',
  summary: 'Do not approve an amendment: one of a unit below is withdrawn by this',
  access: 'contract:approve',
  limit: 30,
  form: 'data',
  params,
  body: z.object({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const refuseContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/refuse',
  summary: 'Refuse an amendment of the other side with a reason',
  access: 'contract:edit',
  limit: 20,
  form: 'data',
  params,
  body: z.object({ answer: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const stopContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/stop',
  summary: 'Stop another bank account that waits its day, with a reason; a signer or an administrator of either side may',
  access: 'contract:edit',
  limit: 20,
  form: 'data',
  params,
  body: z.object({ answer: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const recallContractChange = {
  method: 'PUT',
  url: '/business/contractChange/:id/recall',
  summary: 'Withdraw an amendment of the own side before it is answered',
  access: 'contract:edit',
  limit: 20,
  form: 'data',
  params,
  body: z.object({ answer: paragraph(500).default('') }),
  answer: z.null(),
} as const satisfies Endpoint
