import { promisify } from 'node:util'
import { strToU8, zip, type AsyncZippable } from 'fflate'
import type { Read } from '../db/connect.ts'
import { contactOf } from '../seal/contacts.ts'

type Row = Record<string, unknown>

/** A cell for a spreadsheet: quoted where needed, and never taken for a formula. */
function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function csv(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  // The mark at the start tells spreadsheet programs that this is UTF-8.
  return `\uFEFF${[columns.join(','), ...rows.map((row) => columns.map((column) => cell(row[column])).join(','))].join('\r\n')}\r\n`
}

/** What is stored about a person, but for what they wrote for their company under no name of theirs, as JSON and as CSV, zipped (personal information protection law, art. 45). */
export async function exportPersonalData({ db, secret }: { db: Read; secret: string }, accountId: number): Promise<Uint8Array> {
  // Every list has an order of its own: the place of a row in the table moves with each change of it.
  const of = (table: 'message' | 'signIn' | 'savedSearch' | 'savedView' | 'feedback' | 'certification' | 'cancellation') =>
    db.selectFrom(table).where('accountId', '=', accountId).orderBy('id').selectAll().execute() as Promise<Row[]>
  const parts: Record<string, Row[]> = {
    account: await db
      .selectFrom('account')
      .leftJoin('dept', 'dept.id', 'account.deptId')
      .leftJoin('company', 'company.id', 'account.companyId')
      .where('account.id', '=', accountId)
      .select([
        'account.id as userId',
        'account.userName',
        'account.phonenumber',
        'account.name',
        'account.nickName',
        'account.userType',
        'account.createTime',
        'account.termsAt',
        'dept.deptName',
        'company.enterpriseName',
      ])
      .execute(),
    sign_ins: await of('signIn'),
    sessions: await db
      .selectFrom('session')
      .where('accountId', '=', accountId)
      .orderBy('createdAt')
      .select(['createdAt', 'expiresAt', 'address', 'agent'])
      .execute(),
    devices: await db.selectFrom('device').where('accountId', '=', accountId).orderBy('seenAt').select('seenAt').execute(),
    messages: await of('message'),
    message_config: await db.selectFrom('messageConfig').where('accountId', '=', accountId).orderBy('systemSubject').selectAll().execute(),
    certifications: await of('certification'),
    favourites: await db.selectFrom('favourite').where('accountId', '=', accountId).orderBy('at').orderBy('bizId').selectAll().execute(),
    saved_searches: await of('savedSearch'),
    saved_views: await of('savedView'),
    cancellations: await of('cancellation'),
    feedback: await of('feedback'),
    feedback_replies: await db
      .selectFrom('feedbackReply as r')
      .innerJoin('feedback as f', 'f.id', 'r.feedbackId')
      .where('f.accountId', '=', accountId)
      .orderBy('r.id')
      .select(['r.feedbackId', 'r.byOperator', 'r.content', 'r.at'])
      .execute(),
    files: await db
      .selectFrom('file')
      .where('accountId', '=', accountId)
      .orderBy('createTime')
      .orderBy('id')
      .select(['id', 'name', 'size', 'mime', 'createTime'])
      .execute(),
    demands: await db
      .selectFrom('demand')
      .where('accountId', '=', accountId)
      .orderBy('id')
      .select(['demandCode', 'title', 'status', 'contactName', 'contactPhone', 'createTime'])
      .execute(),
    quotes: await findQuotes({ db, secret }, accountId),
    contracts: await findContracts(db, accountId),
    contact_looks: await db
      .selectFrom('contactLook')
      .where('accountId', '=', accountId)
      .orderBy('at')
      .select(['demandId', 'companyId', 'at'])
      .execute(),
  }
  const files: AsyncZippable = {}
  for (const [name, rows] of Object.entries(parts)) {
    files[`${name}.json`] = strToU8(JSON.stringify(rows, null, 2))
    if (rows.length > 0) files[`${name}.csv`] = strToU8(csv(rows))
  }
  return promisify<AsyncZippable, Uint8Array>(zip)(files)
}

/** The quotes that the account made, with their contacts, sealed or not. */
async function findQuotes({ db, secret }: { db: Read; secret: string }, accountId: number): Promise<Row[]> {
  const quotes = await db
    .selectFrom('quote')
    .where('accountId', '=', accountId)
    .orderBy('id')
    .select(['quoteCode', 'demandId', 'status', 'sealedContact', 'contactName', 'contactPhone', 'validUntil', 'submitTime'])
    .execute()
  return quotes.map((quote) => {
    const { contactName, contactPhone } = contactOf(secret, quote)
    return { quoteCode: quote.quoteCode, status: quote.status, contactName, contactPhone, submitTime: quote.submitTime }
  })
}

/** The contracts in which the account stands, with what it does there. */
const findContracts = (db: Read, accountId: number): Promise<Row[]> =>
  db
    .selectFrom('contractPerson as p')
    .innerJoin('contract as c', 'c.id', 'p.contractId')
    .where('p.accountId', '=', accountId)
    .orderBy('c.id')
    .orderBy('p.task')
    .select(['c.contractCode', 'c.title', 'p.side', 'p.task'])
    .execute()
