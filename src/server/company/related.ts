import { sql } from 'kysely'
import { comparable, relationsOf, type CompanyTraits } from '#shared/company/related.ts'
import { openedDemands } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'

/** How many meetings of related companies the console lists: the newest. */
const maxMeetings = 100

/**
 * Related companies that met this one in an opened demand: now, or by a telephone number that both had when the quotes were opened. The database finds those
 * that may be, the rule says by what they are.
 */
export async function listRelatedCompanies(db: Read, id: number) {
  const { rows } = await sql<
    { one: CompanyTraits; other: CompanyTraits; hadSamePhone: boolean; companyId: number; companyName: string } & Meeting
  >`
    with me as materialized (select id, legal_person, contact_phone, city_id, address from company where id = ${id}),
    alike as materialized (
      select c.* from me, company c where c.id <> me.id and c.del_flag = ${sql.lit(delFlag.present)}
        and (${sameLetters('legal_person')} or ${sameLetters('contact_phone')} or c.city_id = me.city_id and ${sameLetters('address')})),
    met as (
      select c.id as company_id, q.demand_id, false as with_owner, false as had_same_phone from alike c join quote q on q.company_id = c.id and q.open_time is not null
        join quote mine on mine.demand_id = q.demand_id and mine.company_id = ${id} and mine.open_time is not null
      union select c.id, q.demand_id, true, false from alike c join quote q on q.company_id = c.id and q.open_time is not null
        join demand d on d.id = q.demand_id and d.company_id = ${id}
      union select c.id, q.demand_id, true, false from quote q join demand d on d.id = q.demand_id join alike c on c.id = d.company_id
        where q.company_id = ${id} and q.open_time is not null
      union select q.company_id, q.demand_id, d.company_id = ${id}, true from quote q join demand d on d.id = q.demand_id
        where q.same_phone @> array[${id}::bigint] and q.same_phone <> '{}'
      union select d.company_id, d.id, true, true from quote q join demand d on d.id = q.demand_id
        where q.company_id = ${id} and q.same_phone @> array[d.company_id]),
    meeting as (select company_id, demand_id, with_owner, bool_or(had_same_phone) as had_same_phone from met group by 1, 2, 3)
    select c.id as "companyId", c.enterprise_name as "companyName", d.id as "demandId", coalesce(d.demand_code, '') as "demandCode", d.title,
      m.with_owner as "withOwner", m.had_same_phone as "hadSamePhone", ${traitsOf('me')} as one, ${traitsOf('c')} as other
    from meeting m join company c on c.id = m.company_id and c.del_flag = ${sql.lit(delFlag.present)} join demand d on d.id = m.demand_id, me
    where d.status in (${literals(openedDemands)}) order by d.id desc, c.id limit ${maxMeetings}`.execute(db)
  return rows
    .map(({ one, other, hadSamePhone, ...meeting }) => ({
      ...meeting,
      by: relationsOf(comparable(one), comparable(other), { hadSamePhone }),
    }))
    .filter(({ by }) => by.length > 0)
}

type Meeting = { demandId: number; demandCode: string; title: string; withOwner: boolean }

/** Whether the column has the same letters and digits in both, as `comparable` compares them, and has any. The indexes hold the same expressions. */
function sameLetters(column: 'legal_person' | 'contact_phone' | 'address') {
  const letters = (company: 'me' | 'c') => sql`lower(regexp_replace(${sql.ref(`${company}.${column}`)}, '[^[:alnum:]]', '', 'g'))`
  return sql`(${letters('c')} = ${letters('me')} and ${letters('c')} <> '')`
}

const traitsOf = (company: 'me' | 'c') =>
  sql`json_build_object('legalPerson', ${sql.ref(`${company}.legal_person`)}, 'phones', json_build_array(${sql.ref(`${company}.contact_phone`)}),
    'cityId', ${sql.ref(`${company}.city_id`)}, 'address', ${sql.ref(`${company}.address`)})`
