import { sql } from 'kysely'
import { isStaff, maskPhone, maskPhones } from '#shared/account/rules.ts'
import type { AuditAction, AuditBizType } from '#shared/audit/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'

type Values = Record<string, unknown>

/** Who made a change: somebody signed in, or a command on the server's machine. */
type AuditActor = Pick<Actor, 'accountId' | 'userName' | 'address'> | { command: string }

type AuditSubject = {
  /** Each of several actions of one change has an entry, and none where there are none. */
  action: AuditAction | readonly AuditAction[]
  bizType: AuditBizType
  /** Absent for a call that creates the object and answers with its id. */
  id?: number | string
  reason?: string
}

/** Kinds of objects without a row of their own: their callers write the entry with its values. */
const withoutRow: ReadonlySet<AuditBizType> = new Set(['contractRoot', 'dictionary', 'job', 'audit', 'system'])

/** The column that names an object, where it is not `name`. A cancellation has no name, because its account loses its own. */
const nameColumnOf: Partial<Record<AuditBizType, string>> = {
  demand: 'title',
  contract: 'title',
  company: 'enterprise_name',
  account: 'user_name',
  setting: 'key',
  article: 'title',
  broadcast: 'title',
  feedback: 'title',
  contact: 'company',
  blacklist: 'blacklist_code',
  outbox: 'template',
}

/** The column with the unit of those whom an object concerns, where that is no column of their company. */
const unitColumns: Partial<Record<AuditBizType, string>> = { blacklist: 'scope_dept_id', priceCeiling: 'dept_id' }

/** Secrets, columns that the database derives, columns that every change touches, and how far the clock has come. */
const unloggedColumns = new Set([
  'password_hash',
  'seal_key',
  'search_text',
  'search_grams',
  'own_grams',
  'words',
  'grams',
  'former_words',
  'former_grams',
  'update_time',
  'version',
  'view_count',
  'told_up_to',
  'refreshed_to',
])
/** What a person wrote about themselves, which is erased with their account; the log stays for good. */
const ownWords: Partial<Record<AuditBizType, string>> = { cancellation: 'reason' }

/** The names of columns, and of fields of forms, whose values are masked. */
export const personalValues = /phone|id_?card|(bank|invoice)_?account/i

/**
 * The names of people, by the names of columns and of fields of forms. They are erased with their account (`personalFields` and `giveUpContacts` of
 * src/server/account), so the log says that one changed, and not which it was. Whom a restriction
 * is about, the restriction itself says. The legal representative of a company stands in the public register.
 */
const peoplesNames = /^(nick_?name|contact_?name|applicant_?name|manager|person_?name)$/i

/** Filters and columns that are free text: somebody may type a number into them, which is masked. */
const freeTexts = new Set([
  'keyword',
  'projectName',
  'demandCode',
  'who',
  'reason',
  'note',
  'facts',
  'decide_note',
  'lock_reason',
  'off_reason',
  'audit_reason',
  'status_reason',
])

const isPeoplesName = (key: string, bizType: AuditBizType) => peoplesNames.test(key) || (key === 'name' && bizType === 'account')

function masked(value: unknown, key: string, bizType: AuditBizType): unknown {
  if (typeof value === 'string') {
    if (isPeoplesName(key, bizType)) return value && '***'
    return personalValues.test(key) ? maskPhone(value) : freeTexts.has(key) ? maskPhones(value) : value
  }
  if (Array.isArray(value)) return value.map((one) => masked(one, key, bizType))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner, name, bizType)]))
  return value
}

async function snapshot(tx: Read, bizType: AuditBizType, id: number | string | undefined): Promise<Values | null> {
  if (withoutRow.has(bizType) || id === undefined) return null
  // As text, so that the names inside a form stay as they are; locked, so that nobody changes the row between before and after. Rows that refer to it,
  // as the log's own do to the accounts of its actors, may come meanwhile: two operators who act on each other do not wait in a ring.
  const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(bizType)} t
    where ${sql.ref(bizType === 'setting' ? 't.key' : 't.id')} = ${id} for no key update`.execute(tx)
  if (!rows[0]) return null
  const { [ownWords[bizType] ?? '']: _, ...row } = JSON.parse(rows[0].row) as Values
  return row
}

const loggedColumns = (row: Values, bizType: AuditBizType): Values =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([key, value]) => !unloggedColumns.has(key) && value !== null)
      .map(([key, value]) => [key, masked(value, key, bizType)]),
  )

/** Of two states the columns that differ; of one alone all columns. */
function difference(
  bizType: AuditBizType,
  { before, after }: { before: Values | null; after: Values | null },
): { before: Values | null; after: Values | null } {
  if (!before || !after) return { before: before && loggedColumns(before, bizType), after: after && loggedColumns(after, bizType) }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !unloggedColumns.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const pick = (row: Values) => Object.fromEntries(keys.map((key) => [key, masked(row[key] ?? null, key, bizType)]))
  return { before: pick(before), after: pick(after) }
}

type Entry = {
  action: AuditAction
  bizType: AuditBizType
  bizId: string
  bizName?: string
  companyId?: number | null
  before?: unknown
  after?: unknown
  reason?: string
}

type Taking = { db: Read; actor: Actor; now: Date }

/**
 * Logs that somebody took data away, as a workbook or an evidence pack, of which no row tells. `after` says which. It is called when the file is made,
 * outside a transaction, so that none waits for the file.
 */
export const logTaken = (
  { db, actor, now }: Taking,
  { bizId = '', after, ...entry }: Omit<Entry, 'bizId' | 'before' | 'reason'> & { bizId?: string },
): Promise<void> => insertAudit(db, actor, { ...entry, bizId, after: masked(after, '', entry.bizType) }, now)

/**
 * Makes a workbook and logs that the platform's staff or an auditor took it. People of a company take what is theirs. The auditors of `companyId`, which
 * is the taker's unless it is given, read the entry.
 */
export async function takenByStaff<T>(context: Taking, entry: Parameters<typeof logTaken>[1], make: () => Promise<T>): Promise<T> {
  const file = await make()
  if (isStaff(context.actor.userType)) await logTaken(context, { companyId: context.actor.companyId, ...entry })
  return file
}

/**
 * Adds one entry to the end of the chain, in the transaction of what it records. Numbers that somebody typed into a name or a reason are masked; the
 * values before and after are stored as they are given.
 */
export async function insertAudit(tx: Read, actor: AuditActor, entry: Entry, now: Date): Promise<void> {
  const { before = null, after = null, bizName = '', reason = '', ...rest } = entry
  await tx
    .insertInto('auditLog')
    .values({
      ...rest,
      bizName: maskPhones(bizName),
      reason: maskPhones(reason),
      at: now,
      accountId: 'command' in actor ? null : actor.accountId,
      who: 'command' in actor ? actor.command : actor.userName,
      address: 'command' in actor ? '' : actor.address,
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
    })
    .execute()
}

/**
 * Runs a change and logs its effect on the object: before, after, who and why. It is called inside the transaction, so that both hold or
 * neither does. Phone numbers, also in free text, and names of people are masked; secrets never appear.
 */
export async function audited<T>(
  { db: tx, now }: { db: Read; now: Date },
  actor: AuditActor,
  subject: AuditSubject,
  run: () => Promise<T>,
): Promise<T> {
  const { action, bizType, reason = '' } = subject
  const before = await snapshot(tx, bizType, subject.id)
  const result = await run()
  const id = subject.id ?? (result as { id?: number } | null)?.id
  if (id === undefined) throw new Error(`${String(action)}: neither the call nor its answer has the id of the object`)
  const after = await snapshot(tx, bizType, id)
  const row = after ?? before
  const entry = {
    bizType,
    bizId: String(id),
    bizName: String(row?.[nameColumnOf[bizType] ?? 'name'] ?? '').slice(0, 200),
    companyId: row && (await companyOfRow(tx, bizType, row)),
    ...difference(bizType, { before, after }),
    reason,
  }
  for (const one of [action].flat()) await insertAudit(tx, actor, { ...entry, action: one }, now)
  return result
}

/**
 * The company whose auditor reads the entry. Of a restriction it is the one within which it holds, because the restricted one must not know the proposer;
 * null for one of the platform. Of a contract it is the lessee.
 */
async function companyOfRow(tx: Read, bizType: AuditBizType, row: Values): Promise<number | null> {
  const unit = unitColumns[bizType]
  if (unit) {
    const dept = tx.selectFrom('dept').where('id', '=', Number(row[unit] ?? 0))
    return (await dept.select('companyId').executeTakeFirst())?.companyId ?? null
  }
  const company = bizType === 'company' ? row.id : (row.company_id ?? row.lessee_company_id)
  return typeof company === 'number' ? company : null
}
