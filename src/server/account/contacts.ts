import { sql } from 'kysely'
import { accountStatus, certifiedTypes, userType } from '#shared/account/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { keyedHash } from '../actor/keyed-hash.ts'
import type { Tx } from '../db/connect.ts'
import { replaceSealedContacts } from '../seal/contacts.ts'

/** The transaction, and the secret that opens what the person sealed. */
type Giving = { db: Tx; secret: string }

/**
 * Takes the person's name and number from wherever they are the contact, while the account still has the number: the demands and quotes
 * of theirs and of their company, the company and its departments. Another administrator becomes the contact of the company, and a colleague that of
 * their own demands and quotes. `heirId` is the account that is the contact of the others from now on, because the other side of a deal needs somebody
 * to call; an erased account has no deal under way, and no heir.
 */
export async function giveUpContacts(
  giving: Giving,
  { accountId, heirId = null }: { accountId: number; heirId?: number | null },
): Promise<void> {
  const { db } = giving
  const person = await getNumber(db, accountId)
  const heir = heirId === null ? undefined : await people(db).where('id', '=', heirId).executeTakeFirst()
  await replaceContacts(
    giving,
    { accountId, ...person },
    {
      deals: contactColumns(heir),
      sealed: contactColumns(undefined),
      company: contactColumns(await findSuccessor(db, { accountId, companyId: person.companyId })),
      dept: { leader: '', phone: '' },
      toOwner: true,
    },
  )
}

/**
 * Writes a person's new number wherever they are the contact, before the account has it: the other side calls a number that answers, and whoever is erased
 * later is found by it.
 */
export async function carryContacts(
  giving: Giving,
  { accountId, phonenumber: contactPhone }: { accountId: number; phonenumber: string },
): Promise<void> {
  const deals = { contactPhone }
  await replaceContacts(
    giving,
    { accountId, ...(await getNumber(giving.db, accountId)) },
    { deals, sealed: deals, company: deals, dept: { phone: contactPhone }, toOwner: false },
  )
}

type Contact = { contactName?: string; contactPhone: string }
type Replacement = {
  deals: Contact
  sealed: Contact
  company: Contact
  dept: { leader?: string; phone: string }
  /** Whether a colleague's demand or quote goes to the colleague instead, while they have a number. */
  toOwner: boolean
}

async function replaceContacts(
  { db, secret }: Giving,
  { accountId, phonenumber, companyId }: { accountId: number; phonenumber: string | null; companyId: number | null },
  { deals, sealed, company, dept, toOwner }: Replacement,
): Promise<void> {
  if (!phonenumber) return
  // First, because an opening of this moment is waited for, and has then made columns of what was sealed.
  await replaceSealedContacts({ db, secret }, { accountId, companyId, phonenumber, to: sealed, toOwner })
  for (const table of ['demand', 'quote'] as const) {
    if (toOwner)
      await sql`update ${sql.table(table)} deal
        set contact_name = coalesce(nullif(owner.name, ''), owner.nick_name), contact_phone = owner.phonenumber
        from account owner where owner.id = deal.account_id and owner.id <> ${accountId} and owner.phonenumber is not null
          and deal.company_id = ${companyId} and deal.contact_phone = ${phonenumber}`.execute(db)
    await db
      .updateTable(table)
      .set(deals)
      .where((eb) => eb.or([eb('accountId', '=', accountId), eb('companyId', '=', companyId)]))
      .where('contactPhone', '=', phonenumber)
      .execute()
  }
  await db.updateTable('company').set(company).where('id', '=', companyId).where('contactPhone', '=', phonenumber).execute()
  await db.updateTable('dept').set(dept).where('companyId', '=', companyId).where('phone', '=', phonenumber).execute()
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
