import { z } from 'zod'
import { contractStatuses } from '../contract-status/rules.ts'

/** A contract as the pages of its demand link to it. */
export const ContractLink = z.object({ id: z.number(), contractCode: z.string(), status: z.enum(contractStatuses) })

/** The contracts that an award waits for, lessor by lessor. */
export const AwardContracts = z.object({
  /** Until when they must be sent; null for an award from before there were contracts, which never lapses. */
  due: z.string().nullable(),
  /** Whether the lessee has moved that moment, which it may do once. */
  isDueMoved: z.boolean(),
  lessors: z.array(
    z.object({
      companyId: z.number(),
      companyName: z.string(),
      acceptedAt: z.string().nullable(),
      contract: ContractLink.nullable(),
      /** Until when it must be signed, or the award lapses; null where it does not lapse any more, or never. */
      lapsesAt: z.string().nullable(),
    }),
  ),
})
export type AwardContracts = z.output<typeof AwardContracts>
