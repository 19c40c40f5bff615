import { sql } from 'kysely'
import type { QuoteInput } from '#shared/quote/contract.ts'
import type { Db, Tx } from '../db/connect.ts'
import { decrypt, encrypt, keyOf } from './cipher.ts'

/** The part of a quote that no receipt stands for, so that a person's number can be erased from it. */
type QuoteContact = Pick<QuoteInput, 'contactName' | 'contactPhone' | 'validUntil'>

const leastBytes = 256
const atOnce = 500

export function sealContact(secret: string, demandId: number, { contactName, contactPhone, validUntil }: QuoteContact): Buffer {
  return encrypt(keyOf(secret, demandId), JSON.stringify({ contactName, contactPhone, validUntil }), leastBytes)
}

/** The contact and validity of a quote: sealed until the opening, in columns of their own after it. */
export function contactOf(
  secret: string,
  quote: { demandId: number; sealedContact: Buffer | null } & { [Name in keyof QuoteContact]: string | null },
): QuoteContact {
  const { demandId, sealedContact, contactName, contactPhone, validUntil } = quote
  if (contactName !== null) return { contactName, contactPhone: contactPhone ?? '', validUntil: validUntil ?? '' }
  if (sealedContact === null) throw new Error(`a quote of demand ${demandId} has no contact`)
  return JSON.parse(decrypt(keyOf(secret, demandId), sealedContact)) as QuoteContact
}

/** Seals the contacts that the version before stored readable, where their quote is not opened. Called at each start; gives how many. */
export async function sealReadableContacts({ db, secret }: { db: Db; secret: string }): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await db
      .selectFrom('quote')
      .where('openTime', 'is', null)
      .where('contactName', 'is not', null)
      .orderBy('id')
      .limit(atOnce)
      .select(['id', 'demandId', 'version', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
      .execute()
    if (rows.length === 0) return count
    for (const { id, version, ...row } of rows) {
      const sealedContact = sealContact(secret, row.demandId, contactOf(secret, row))
      const { numUpdatedRows } = await db
        .updateTable('quote')
        .set({ sealedContact, contactName: null, contactPhone: null, validUntil: null })
        .where('id', '=', id)
        // One that was changed or opened meanwhile is read again.
        .where('version', '=', version)
        .where('openTime', 'is', null)
        .executeTakeFirst()
      count += Number(numUpdatedRows)
    }
  }
}

type Replacing = {
  accountId: number
  companyId: number | null
  phonenumber: string
  to: { contactName?: string; contactPhone: string }
  /** Whether a colleague's quote goes to the colleague instead, while they have a number. */
  toOwner: boolean
}

/** Replaces a person's name and number, or the number alone, in the sealed contacts of the quotes of their account and of their company. */
export async function replaceSealedContacts(
  { db, secret }: { db: Tx; secret: string },
  { accountId, companyId, phonenumber, to, toOwner }: Replacing,
): Promise<void> {
  const rows = await db
    .selectFrom('quote')
    .innerJoin('account as owner', 'owner.id', 'quote.accountId')
    .where((eb) => eb.or([eb('quote.accountId', '=', accountId), eb('quote.companyId', '=', companyId)]))
    .where('sealedContact', 'is not', null)
    .orderBy('quote.id')
    .forNoKeyUpdate('quote')
    .select(['quote.id', 'demandId', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .select(['owner.id as ownerId', 'owner.phonenumber as ownerPhone'])
    .select(sql<string>`coalesce(nullif(owner.name, ''), owner.nick_name)`.as('ownerName'))
    .execute()
  for (const { id, ownerId, ownerPhone, ownerName, ...row } of rows) {
    const contact = contactOf(secret, row)
    if (contact.contactPhone !== phonenumber) continue
    const isOwners = toOwner && ownerId !== accountId && ownerPhone !== null
    const next = isOwners ? { contactName: ownerName, contactPhone: ownerPhone } : to
    const sealedContact = sealContact(secret, row.demandId, { ...contact, ...next })
    await db.updateTable('quote').set({ sealedContact }).where('id', '=', id).execute()
  }
}
