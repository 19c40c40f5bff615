import type { Db, Tx } from '../db/connect.ts'
import { contactOf, sealContact } from './seal.ts'

const atOnce = 500

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

/** Removes a person's name and number from the sealed contacts of the quotes that their account made. */
export async function eraseSealedContacts(
  { db, secret }: { db: Tx; secret: string },
  { accountId, phonenumber }: { accountId: number; phonenumber: string },
): Promise<void> {
  const rows = await db
    .selectFrom('quote')
    .where('accountId', '=', accountId)
    .where('sealedContact', 'is not', null)
    .select(['id', 'demandId', 'sealedContact', 'contactName', 'contactPhone', 'validUntil'])
    .execute()
  for (const { id, ...row } of rows) {
    const contact = contactOf(secret, row)
    if (contact.contactPhone !== phonenumber) continue
    const sealedContact = sealContact(secret, row.demandId, { ...contact, contactName: '', contactPhone: '' })
    await db.updateTable('quote').set({ sealedContact }).where('id', '=', id).execute()
  }
}
