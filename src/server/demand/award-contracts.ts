import { sql } from 'kysely'
import type { AwardContracts } from '#shared/award/award-contracts.ts'
import { toMoment } from '#shared/calendar.ts'
import { contractStatus, lapseOf } from '#shared/contract/rules.ts'
import { quoteStatus } from '#shared/quote/rules.ts'
import type { Read } from '../db/connect.ts'

/** The contracts of the award of a demand; null where there is no award. */
export async function findAwardContracts(db: Read, demandId: number): Promise<AwardContracts | null> {
  const award = await db.selectFrom('award').where('demandId', '=', demandId).select(['contractDue', 'dueMovedAt', 'at']).executeTakeFirst()
  if (!award) return null
  const rows = await withContract(db, demandId)
    .innerJoin('company', 'company.id', 'quote.companyId')
    .orderBy('quote.id')
    .select(['quote.companyId', 'company.enterpriseName as companyName', 'quote.acceptedAt', 'c.id', 'c.contractCode', 'c.status'])
    .select(['c.sentAt', 'c.returnedAt', 'c.recalledAt'])
    .execute()
  const { contractDue, at: awardedAt } = award
  const lapseMoment = (contract: (typeof rows)[number]) => {
    const lapse = lapseOf({ ...contract, contractDue, awardedAt })
    return lapse && toMoment(lapse.at)
  }
  return {
    due: contractDue,
    isDueMoved: award.dueMovedAt !== null,
    lessors: rows.map((row) => ({
      companyId: row.companyId,
      companyName: row.companyName,
      acceptedAt: row.acceptedAt,
      contract: linkOf(row),
      lapsesAt: lapseMoment(row),
    })),
  }
}

/** The same of one lessor, as that lessor sees it: a draft of the lessee does not show before it was sent. */
export async function findContractOfWon(db: Read, { companyId, demandId }: { companyId: number; demandId: number }) {
  const { contractDue, putOffAt, acceptedAt, sentAt, ...contract } = await withContract(db, demandId)
    .where('quote.companyId', '=', companyId)
    .select(['award.contractDue', 'quote.putOffAt', 'quote.acceptedAt', 'c.id', 'c.contractCode', 'c.status', 'c.sentAt'])
    .executeTakeFirstOrThrow()
  return { contractDue, isDueMoved: putOffAt !== null, acceptedAt, contract: sentAt === null ? null : linkOf(contract) }
}

/** The won quotes of a demand with their live contracts. */
function withContract(db: Read, demandId: number) {
  return db
    .selectFrom('quote')
    .innerJoin('award', 'award.demandId', 'quote.demandId')
    .leftJoin('contract as c', (join) =>
      join
        .onRef('c.awardId', '=', 'award.id')
        .onRef('c.lessorCompanyId', '=', 'quote.companyId')
        .on('c.status', '<>', sql.lit(contractStatus.voided)),
    )
    .where('quote.demandId', '=', demandId)
    .where('quote.status', '=', sql.lit(quoteStatus.won))
}

type Link = NonNullable<AwardContracts['lessors'][number]['contract']>
type Found = { [K in keyof Link]: Link[K] | null }

const linkOf = ({ id, contractCode, status }: Found): Link | null =>
  id === null || contractCode === null || status === null ? null : { id, contractCode, status }
