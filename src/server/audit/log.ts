import { sql } from 'kysely'
import { maskPhone } from '#shared/account/rules.ts'
import type { AuditAction, AuditBizType } from '#shared/audit/rules.ts'
import type { Actor } from '../actor/actor.ts'
import type { Read } from '../db/connect.ts'

type Row = Record<string, unknown>

/** Who is written down: somebody signed in, or a command of the machine room. */
export type Doer = Pick<Actor, 'accountId' | 'userName' | 'address'> | { command: string }

type About = {
  action: AuditAction
  bizType: AuditBizType
  /** Absent when the deed makes the thing: then it answers with its id. */
  id?: number | string
  reason?: string
}

/** Kinds of objects without a row of their own: their callers write the entry with its values. */
const withoutRow: ReadonlySet<AuditBizType> = new Set(['dictionary', 'job', 'audit', 'system'])

/** The column that names an object, where it is not `name`. */
const nameColumns: Partial<Record<AuditBizType, string>> = {
  demand: 'title',
  company: 'enterprise_name',
  account: 'user_name',
  setting: 'key',
  article: 'title',
  broadcast: 'title',
  feedback: 'title',
  contact: 'company',
  blacklist: 'blacklist_code',
  cancellation: 'reason',
  outbox: 'template',
}

/** Secrets, what the database derives, and what changes with everything. */
const left = new Set([
  'password_hash',
  'seal_key',
  'search_text',
  'search_grams',
  'own_grams',
  'words',
  'grams',
  'update_time',
  'version',
  'view_count',
])
const personal = /phone|id_?card|bank_?account/i

function masked(value: unknown, key: string): unknown {
  if (typeof value === 'string') return personal.test(key) ? maskPhone(value) : value
  if (Array.isArray(value)) return value.map((one) => masked(one, key))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, masked(inner, name)]))
  return value
}

async function snapshot(tx: Read, bizType: AuditBizType, id: number | string | undefined): Promise<Row | null> {
  if (withoutRow.has(bizType) || id === undefined) return null
  // As text: names inside a form are the form's own. Held, so that nothing comes between before and after.
  const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(bizType)} t
    where ${sql.ref(bizType === 'setting' ? 't.key' : 't.id')} = ${id} for update`.execute(tx)
  return rows[0] ? (JSON.parse(rows[0].row) as Row) : null
}

const shown = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([key, value]) => !left.has(key) && value !== null)
      .map(([key, value]) => [key, masked(value, key)]),
  )

/** Of two states what differs; of one alone everything. */
function difference(before: Row | null, after: Row | null): { before: Row | null; after: Row | null } {
  if (!before || !after) return { before: before && shown(before), after: after && shown(after) }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !left.has(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  )
  const pick = (row: Row) => Object.fromEntries(keys.map((key) => [key, masked(row[key] ?? null, key)]))
  return { before: pick(before), after: pick(after) }
}

/** One entry, at the end of the chain, in the transaction of the deed. */
export async function insertAudit(
  tx: Read,
  doer: Doer,
  entry: {
    action: AuditAction
    bizType: AuditBizType
    bizId: string
    bizName?: string
    companyId?: number | null
    before?: unknown
    after?: unknown
    reason?: string
  },
  now: Date,
): Promise<void> {
  const { before = null, after = null, ...rest } = entry
  await tx
    .insertInto('auditLog')
    .values({
      ...rest,
      at: now,
      accountId: 'command' in doer ? null : doer.accountId,
      who: 'command' in doer ? doer.command : doer.userName,
      address: 'command' in doer ? '' : doer.address,
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
    })
    .execute()
}

/**
 * Does it, and writes what it changed of the thing into the log: before, after, who, why. Both hold or neither does: call
 * it inside the transaction. Phone numbers are masked; secrets never appear.
 */
export async function audited<T>(tx: Read, doer: Doer, about: About, now: Date, deed: () => Promise<T>): Promise<T> {
  const { action, bizType, reason = '' } = about
  const before = await snapshot(tx, bizType, about.id)
  const result = await deed()
  const id = about.id ?? (result as { id?: number } | null)?.id
  if (id === undefined) throw new Error(`${action}: neither the call nor its answer has the id of the object`)
  const after = await snapshot(tx, bizType, id)
  const row = after ?? before
  const company = bizType === 'company' ? row?.id : row?.company_id
  await insertAudit(
    tx,
    doer,
    {
      action,
      bizType,
      bizId: String(id),
      bizName: String(row?.[nameColumns[bizType] ?? 'name'] ?? '').slice(0, 200),
      companyId: typeof company === 'number' ? company : null,
      ...difference(before, after),
      reason,
    },
    now,
  )
  return result
}
