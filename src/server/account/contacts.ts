import { sql } from 'kysely'
import { accountStatus, certifiedTypes, userType } from '#shared/account/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Tx } from '../db/connect.ts'
import { eraseSealedContacts } from '../seal/contacts.ts'

/** The transaction, and the secret that opens what the person sealed. */
type Giving = { db: Tx; secret: string }

/**
 * Takes the person's name and number from wherever they are the contact, while the account still has the number: their demands and quotes, their company and
 * its departments. Another administrator becomes the contact of the company. `heirId` is the account that is the contact of the demands and quotes from
 * now on, because the other side of a deal needs somebody to call; an erased account has no deal under way, and no heir.
 */
export async function giveUpContacts(
  { db, secret }: Giving,
  { accountId, heirId = null }: { accountId: number; heirId?: number | null },
): Promise<void> {
  const { phonenumber, companyId } = await getNumber(db, accountId)
  if (!phonenumber) return
  const heir = heirId === null ? undefined : await people(db).where('id', '=', heirId).executeTakeFirst()
  for (const table of ['demand', 'quote'] as const)
    await db
      .updateTable(table)
      .set(contactColumns(heir))
      .where('accountId', '=', accountId)
      .where('contactPhone', '=', phonenumber)
      .execute()
  await db
    .updateTable('company')
    .set(contactColumns(await findSuccessor(db, { accountId, companyId })))
    .where('id', '=', companyId)
    .where('contactPhone', '=', phonenumber)
    .execute()
  await db.updateTable('dept').set({ leader: '', phone: '' }).where('companyId', '=', companyId).where('phone', '=', phonenumber).execute()
  await eraseSealedContacts({ db, secret }, { accountId, phonenumber })
}

/** Removes the codes and SMS of the person's number, while the account still has it. */
export async function eraseSms({ db, secret }: Giving, accountId: number): Promise<void> {
  const { phonenumber } = await getNumber(db, accountId)
  if (!phonenumber) return
  const phoneHash = keyedHash(secret, 'phone', phonenumber)
  for (const table of ['smsCode', 'outbox'] as const) await db.deleteFrom(table).where('phoneHash', '=', phoneHash).execute()
}

const getNumber = (db: Tx, accountId: number) =>
  db.selectFrom('account').where('id', '=', accountId).select(['phonenumber', 'companyId']).executeTakeFirstOrThrow()

const people = (db: Tx) => db.selectFrom('account').select([sql<string>`coalesce(nullif(name, ''), nick_name)`.as('name'), 'phonenumber'])

const contactColumns = (contact: { name: string; phonenumber: string | null } | undefined) => ({
  contactName: contact?.name ?? '',
  contactPhone: contact?.phonenumber ?? '',
})

/** The administrator who is the contact of a company from now on, one of the lessor first: certified people look at the contact of lessors. */
const findSuccessor = (db: Tx, { accountId, companyId }: { accountId: number; companyId: number | null }) =>
  people(db)
    .where('companyId', '=', companyId)
    .where('id', '<>', accountId)
    .where('userType', 'in', certifiedTypes)
    .where('isAdmin', '=', true)
    .where('status', '=', accountStatus.active)
    .where('delFlag', '=', delFlag.present)
    .where('phonenumber', 'is not', null)
    .orderBy((eb) => eb('userType', '=', userType.lessor), 'desc')
    .orderBy('id')
    .executeTakeFirst()
