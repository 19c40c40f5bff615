import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'

/** What two companies may have in common that suggests one hand behind both. A mark for those who decide, no proof. */
export const relationKinds = ['legalPerson', 'phone', 'address'] as const
export type RelationKind = (typeof relationKinds)[number]

export type CompanyTraits = { legalPerson: string; phones: readonly string[]; cityId: number | null; address: string }

const bare = (text: string) => text.replace(/[\s\p{P}]/gu, '').toLowerCase()
const digits = (phone: string) => phone.replace(/\D/g, '')

/** Without what differs between two ways of writing the same. */
export const comparable = ({ legalPerson, phones, cityId, address }: CompanyTraits): CompanyTraits => ({
  legalPerson: bare(legalPerson),
  phones: phones.map(digits).filter((phone) => phone !== ''),
  cityId,
  address: bare(address),
})

/**
 * What two companies have in common, by their comparable traits. Blanks are nothing in common. `hadSamePhone`: they had a number in common when the quotes
 * of a demand were opened; another contact since then does not take that back.
 */
export function relationsOf(one: CompanyTraits, other: CompanyTraits, { hadSamePhone }: { hadSamePhone: boolean }): RelationKind[] {
  const found: RelationKind[] = []
  if (one.legalPerson !== '' && one.legalPerson === other.legalPerson) found.push('legalPerson')
  if (hadSamePhone || other.phones.some((phone) => one.phones.includes(phone))) found.push('phone')
  if (one.address !== '' && one.cityId === other.cityId && one.address === other.address) found.push('address')
  return found
}

export const listRelatedCompanies = {
  method: 'GET',
  url: '/system/company/:id/related',
  summary:
    'Companies with the same legal person, phone or address that met this one in an opened demand, as bidders or as bidder and owner',
  access: 'company:manage',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.array(
    z.object({
      companyId: z.number(),
      companyName: z.string(),
      by: z.array(z.enum(relationKinds)),
      demandId: z.number(),
      demandCode: z.string(),
      title: z.string(),
      /** One of the two is the owner of the demand. */
      withOwner: z.boolean(),
    }),
  ),
} as const satisfies Endpoint
