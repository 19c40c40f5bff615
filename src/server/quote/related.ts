import { sql } from 'kysely'
import { comparable, relationsOf, type CompanyTraits, type RelationKind } from '#shared/company/related.ts'
import { comparedQuotes } from '#shared/quote/rules.ts'
import type { Read, Tx } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

type Party = CompanyTraits & { id: number; name: string; isOwner: boolean; samePhone: readonly number[] }
type Related = { companyName: string; isOwner: boolean; by: RelationKind[] }

/** How many related companies an offer names: the owner first. */
const maxRelated = 5

/** Of each lessor whose quote was opened: the owner and the other lessors that they have something in common with. By company. */
export async function findRelated(db: Read, demandId: number): Promise<Map<number, Related[]>> {
  const parties = (await findParties(db, demandId)).map((party) => ({ ...party, traits: comparable(party) }))
  return new Map(
    parties.map((party) => [
      party.id,
      parties
        .flatMap((other) => {
          const hadSamePhone = party.samePhone.includes(other.id) || other.samePhone.includes(party.id)
          const by = other.id === party.id ? [] : relationsOf(party.traits, other.traits, { hadSamePhone })
          return by.length > 0 ? [{ companyName: other.name, isOwner: other.isOwner, by }] : []
        })
        .toSorted((a, b) => Number(b.isOwner) - Number(a.isOwner))
        .slice(0, maxRelated),
    ]),
  )
}

/**
 * Records beside each opened quote with which other companies of the demand its lessor has a telephone number in common: their contacts change later, and
 * numbers are erased.
 */
export async function recordSamePhones(db: Tx, demandId: number): Promise<void> {
  const related = await findParties(db, demandId).then((parties) => parties.map((party) => ({ id: party.id, traits: comparable(party) })))
  for (const { id, traits } of related) {
    const alike = related.filter((other) => other.id !== id && relationsOf(traits, other.traits, { hadSamePhone: false }).includes('phone'))
    if (alike.length === 0) continue
    await db
      .updateTable('quote')
      .set({ samePhone: alike.map((other) => other.id) })
      .where('demandId', '=', demandId)
      .where('companyId', '=', id)
      .where('openTime', 'is not', null)
      .execute()
  }
}

async function findParties(db: Read, demandId: number): Promise<Party[]> {
  const { rows } = await sql<Party>`
    with deal as materialized (select id, company_id, contact_phone from demand where id = ${demandId}),
    bidder as materialized (select q.company_id, q.contact_phone, q.same_phone from quote q where q.demand_id = ${demandId} and q.open_time is not null
      and q.status in (${literals(comparedQuotes)}))
    select c.id, c.enterprise_name as name, c.id = deal.company_id as "isOwner", c.legal_person as "legalPerson", c.city_id as "cityId", c.address,
      array(select c.contact_phone union select b.contact_phone from bidder b where b.company_id = c.id
        union select deal.contact_phone where c.id = deal.company_id) as phones,
      coalesce((select b.same_phone from bidder b where b.company_id = c.id limit 1), '{}') as "samePhone"
    from company c, deal where c.id = any(array(select company_id from deal union select company_id from bidder)) order by c.id`.execute(db)
  return rows
}
