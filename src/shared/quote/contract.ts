import { z } from 'zod'
import { ContractLink } from '../award/award-contracts.ts'
import { relationKinds } from '../company/related.ts'
import type { Endpoint } from '../endpoint.ts'
import { EquipmentCard } from '../equipment/contract.ts'
import { machineNameParts } from '../equipment/name-parts.ts'
import { documentKinds, invoiceKinds, maxUnits, rentUnits, taxRates } from '../equipment/rules.ts'
import { Day, Id, line, optionalText, paging, paragraph, Phone, YuanOut } from '../fields.ts'
import { DemandCard, PublicDemand } from '../demand/contract.ts'
import { demandStatuses, hasMinimumTerm, maxLines } from '../demand/rules.ts'
import { matchWeights, type MatchPart } from './match.ts'
import { machineProblems } from './offer.ts'
import { priceFields, pricesOut } from './price-fields.ts'
import { loseReasons } from '../award/rules.ts'
import { missKinds, offerBarNames, quoteBarNames, quoteStatuses } from './rules.ts'

const TaxRate = z.union(taxRates.map((rate) => z.literal(rate)))

export const QuoteLineInput = z.object({
  demandItemId: Id,
  /** Real machines; a lot may stand in with several of its units. */
  machines: z
    .array(z.object({ equipmentId: Id, qty: z.number().int().min(1).max(maxUnits).default(1) }))
    .min(1)
    .max(99),
  ...priceFields,
  rentUnit: z.enum(rentUnits),
  includesOperator: z.boolean(),
  includesFuel: z.boolean(),
  taxRate: TaxRate,
  invoiceKind: z.enum(invoiceKinds),
  /** Days; for hires by month and day. */
  minRentDays: z.number().int().min(0).max(3650).default(0),
  earliestEntry: Day,
  deviation: paragraph(500).default(''),
  ceilingReason: paragraph(500).default(''),
  promisesRenewal: z.boolean().default(false),
})

export const QuoteInput = z.object({
  demandId: Id,
  /** The revision that was read; another one is refused. */
  demandRevision: z.number().int().optional(),
  contactName: line(2, 20),
  contactPhone: Phone,
  validUntil: Day,
  note: paragraph(1000).default(''),
  lines: z
    .array(QuoteLineInput.overwrite((offered) => (hasMinimumTerm(offered.rentUnit) ? offered : { ...offered, minRentDays: 0 })))
    .min(1)
    .max(maxLines),
})
export type QuoteInput = z.output<typeof QuoteInput>

const QuoteLine = z.object({
  demandItemId: z.number(),
  machines: z.array(z.object({ equipmentId: z.number(), qty: z.number() })),
  ...pricesOut,
  rentUnit: z.enum(rentUnits),
  includesOperator: z.boolean(),
  includesFuel: z.boolean(),
  taxRate: z.number(),
  invoiceKind: z.enum(invoiceKinds),
  minRentDays: z.number(),
  earliestEntry: z.string(),
  deviation: z.string(),
  ceilingReason: z.string(),
  promisesRenewal: z.boolean(),
})

/** A machine that an award line has booked. */
export const BookedMachine = z.object({ equipmentId: z.number(), ...machineNameParts, equipmentCode: z.string(), qty: z.number() })

export type BookedMachine = z.output<typeof BookedMachine>

/** What a lessor has won of a demand. Amounts are those that the lessor invoices, tax included. */
const Won = z.object({
  at: z.string(),
  /** Rent alone, over the planned period. */
  rent: YuanOut,
  /** Rent and fees. */
  invoiced: YuanOut,
  lines: z.array(
    z.object({
      demandItemId: z.number(),
      lineNo: z.number(),
      categoryName: z.string(),
      categoryNameEn: z.string(),
      qty: z.number(),
      machines: z.array(BookedMachine),
      /** The planned day of entry, as in the contract. */
      entry: z.string(),
      /** The first possible day by the offer, where it is later. */
      laterEntry: z.string().nullable(),
      planEnd: z.string(),
      unitPrice: YuanOut,
      rentUnit: z.enum(rentUnits),
      taxRate: z.number(),
      rent: YuanOut,
      invoiced: YuanOut,
    }),
  ),
})
export type Won = z.output<typeof Won>

export const OwnQuote = z.object({
  id: z.number(),
  quoteCode: z.string(),
  demandId: z.number(),
  demandRevision: z.number(),
  status: z.enum(quoteStatuses),
  loseReason: z.enum(loseReasons).nullable(),
  submitTime: z.string(),
  /** The moment until which a won quote may be given up. */
  giveUpUntil: z.string().nullable(),
  version: z.number(),
  /** SHA-256 of the offer as submitted: the lessor's receipt. */
  sealHash: z.string(),
  contactName: z.string(),
  contactPhone: z.string(),
  validUntil: z.string(),
  note: z.string(),
  lines: z.array(QuoteLine),
  /** The award, with whom to call at the project. Null where nothing was won. */
  won: Won.extend({
    contactName: z.string(),
    contactPhone: z.string(),
    acceptedAt: z.string().nullable(),
    /** Until when a contract must be sent; null for an award from before there were contracts. */
    contractDue: z.string().nullable(),
    /** The lessee has given this contract more time to be sent, so the lessor may leave without blame. */
    isDueMoved: z.boolean(),
    /** The contract, once it was sent. */
    contract: ContractLink.nullable(),
  }).nullable(),
})
export type OwnQuote = z.output<typeof OwnQuote>

const bar = z.enum(quoteBarNames).nullable()

/** What keeps a machine from fitting. `detailEn`: the same in English, where the detail holds the name of a parameter. */
const Miss = z.object({ kind: z.enum(missKinds), detail: z.string(), detailEn: z.string().optional() })
export type Miss = z.output<typeof Miss>

const Match = z.object({ score: z.number(), parts: z.record(z.enum(Object.keys(matchWeights) as [MatchPart]), z.number()) })

/** A machine of the lessor compared with one line: what does not fit, which document ends too early, when it is not free. */
export const Candidate = EquipmentCard.extend({
  misses: z.array(Miss),
  shortPapers: z.array(z.object({ kind: z.enum(documentKinds), validTo: z.string() })),
  freeQty: z.number(),
  /** How well it suits, of 100, and by which part. */
  match: Match,
})

const LessorDemand = DemandCard.extend({
  bar,
  myQuoteId: z.number().nullable(),
  myQuoteStatus: z.enum(quoteStatuses).nullable(),
  matching: z.number(),
  won: Won.nullable(),
  /** The machine that suits a line best: its score, or what keeps it from fitting. */
  best: Candidate.pick({ name: true, brand: true, brandEn: true, model: true, categoryNameEn: true, misses: true })
    .extend({ lineNo: z.number(), ...Match.shape })
    .nullable(),
})

export const listDemandsForLessor = {
  method: 'GET',
  url: '/business/leasingApply/demandList',
  summary: 'Demands for a lessor: recommended (open and with a fitting machine), near misses, open, quoted, won, lost',
  access: 'quote:edit',
  form: 'list',
  query: z.object({
    ...paging(),
    scope: z.enum(['recommended', 'near', 'open', 'quoted', 'won', 'lost']).default('recommended'),
    projectName: optionalText(40),
    demandCode: optionalText(40),
    status: z.union([z.literal('').transform(() => undefined), z.enum(demandStatuses)]).optional(),
  }),
  answer: LessorDemand,
} as const satisfies Endpoint

export const getDemandForLessor = {
  method: 'GET',
  url: '/business/leasingApply/demand/:id',
  summary: 'A demand as a lessor quotes it: fitting machines for each line, the own quote, the reason if they may not',
  access: 'quote:edit',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.object({
    demand: PublicDemand,
    bar,
    /** Only a quote that stands keeps the company in the running: once it is withdrawn, they cannot quote again. */
    isUninvited: z.boolean(),
    quote: OwnQuote.nullable(),
    candidates: z.record(z.string(), z.array(Candidate)),
    /** Yuan for one rent unit, where the demand shows its ceilings. */
    ceilings: z.record(z.string(), YuanOut),
    minValidUntil: z.string(),
    revision: z.number(),
    /** Why the demand was changed, the newest last. */
    changes: z.array(z.object({ at: z.string(), note: z.string() })),
  }),
} as const satisfies Endpoint

export const submitQuote = {
  method: 'POST',
  url: '/business/leasingApply',
  summary: 'Quote with real machines; sealed until the opening',
  access: 'quote:edit',
  form: 'data',
  body: QuoteInput,
  answer: z.object({ id: z.number(), quoteCode: z.string(), sealHash: z.string() }),
} as const satisfies Endpoint

export const changeQuote = {
  method: 'PUT',
  url: '/business/leasingApply',
  summary: 'Replace the own quote until the deadline',
  access: 'quote:edit',
  form: 'data',
  body: QuoteInput.extend({ id: Id, version: z.number().int() }),
  answer: z.object({ id: z.number(), quoteCode: z.string(), sealHash: z.string() }),
} as const satisfies Endpoint

export const withdrawQuote = {
  method: 'PUT',
  url: '/business/leasingApply/:id/withdraw',
  summary: 'Take the own quote back until the deadline; whoever is still invited may quote again',
  access: 'quote:edit',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const giveUpQuote = {
  method: 'PUT',
  url: '/business/leasingApply/:id/giveUp',
  summary: 'Give an award up within 48 hours, with a reason: the machines are free again, the owner asks for the rest anew',
  access: 'quote:edit',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ reason: line(2, 500) }),
  answer: z.null(),
} as const satisfies Endpoint

export const confirmQuote = {
  method: 'PUT',
  url: '/business/leasingApply/:id/confirm',
  summary: 'Stand by the own quote after the demand was amended, as long as it still fits',
  access: 'quote:edit',
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({
    version: z.number().int(),
    /** The revision that was read; another one is refused. */
    demandRevision: z.number().int(),
  }),
  answer: z.null(),
} as const satisfies Endpoint

const ComparedLine = QuoteLine.omit({ machines: true }).extend({
  id: z.number(),
  qty: z.number(),
  /** How many of the machines burn fuel. */
  fuelledQty: z.number(),
  machines: z.array(
    z.object({
      equipmentId: z.number(),
      ...machineNameParts,
      qty: z.number(),
      outFactoryDate: z.string(),
      regionName: z.string(),
      regionNameEn: z.string(),
      /** From the machine's city to the site's; null where a city has no place. */
      distanceKm: z.number().nullable(),
      specs: z.record(z.string(), z.union([z.string(), z.number()])),
      /** The first paper that ends before the hire does. */
      papersTo: z.string().nullable(),
      /** Booked by an award that was made after the quote. */
      taken: z.boolean(),
      /** Why it cannot be awarded as it was offered, while the demand is judged; `misses` says what has changed. */
      problem: z.enum(machineProblems).nullable(),
      misses: z.array(Miss),
      /** How it did not meet the line when it was offered. */
      deviations: z.array(Miss),
      availableQty: z.number(),
      /** How many units of it are free over the hire; the lines of a quote may share them. */
      freeQty: z.number(),
    }),
  ),
  /** The hire of the line is over while the demand is still judged, so nothing of it can be awarded. */
  isOver: z.boolean(),
  /** How many of the machines may still be awarded. */
  availableQty: z.number(),
  overCeiling: z.boolean(),
  /** Above nine tenths, or below one tenth, of the month prices on the shelf for such machines; null without five of them. */
  outlier: z.enum(['high', 'low']).nullable(),
  oddTaxRate: z.boolean(),
  /** Net landed cost over the planned period, yuan. */
  netCost: YuanOut,
  grossCost: YuanOut,
})

export const compareQuotes = {
  method: 'GET',
  url: '/business/leasingApply/compare/:demandId',
  summary: 'The opened quotes of a demand side by side with landed cost; refused while they are sealed',
  access: 'demand:view',
  form: 'data',
  params: z.object({ demandId: Id }),
  answer: z.object({
    assumptions: z.object({ dieselFenPerLitre: z.number(), operatorMonthFen: z.number() }),
    litresPerShift: z.record(z.string(), z.number()),
    /** By demand line: whether somebody must be found to drive it. */
    operatorWanted: z.record(z.string(), z.boolean()),
    quotes: z.array(
      z.object({
        id: z.number(),
        quoteCode: z.string(),
        status: z.enum(quoteStatuses),
        companyId: z.number(),
        companyName: z.string(),
        companyGrade: z.string().nullable(),
        contactName: z.string(),
        contactPhone: z.string(),
        validUntil: z.string(),
        submitTime: z.string(),
        sealHash: z.string(),
        note: z.string(),
        /** May not be awarded: on the list at level 3. */
        blocked: z.boolean(),
        /** Why no line of it may be awarded any more. */
        bars: z.array(z.enum(offerBarNames)),
        /** The owner, and other bidders, with which the lessor has something in common. */
        related: z.array(z.object({ companyName: z.string(), isOwner: z.boolean(), by: z.array(z.enum(relationKinds)) })),
        /** The level of the list in force for this department; 0 none. */
        listed: z.number(),
        lines: z.array(ComparedLine),
      }),
    ),
    award: z
      .object({
        at: z.string(),
        who: z.string(),
        net: YuanOut,
        lines: z.array(
          z.object({
            demandItemId: z.number(),
            quoteLineId: z.number(),
            companyName: z.string(),
            qty: z.number(),
            net: YuanOut,
            reason: z.string(),
            /** The machines that are booked. */
            machines: z.array(BookedMachine),
          }),
        ),
      })
      .nullable(),
  }),
} as const satisfies Endpoint

export const listReceived = {
  method: 'GET',
  url: '/business/leasingApply/list',
  summary: 'Who has quoted a demand: only the number before the opening',
  access: 'demand:view',
  form: 'list',
  query: z.object({ ...paging(100), demandId: Id }),
  answer: z.object({
    id: z.number(),
    quoteCode: z.string(),
    companyName: z.string(),
    status: z.enum(quoteStatuses),
    submitTime: z.string(),
  }),
} as const satisfies Endpoint
