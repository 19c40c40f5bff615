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

/** Where a thing lies and what it is called. */
const things: Partial<Record<AuditBizType, { table: string; key: string; name: string }>> = {
  certification: { table: 'certification', key: 'id', name: 'name' },
  equipment: { table: 'equipment', key: 'id', name: 'name' },
  demand: { table: 'demand', key: 'id', name: 'title' },
  company: { table: 'company', key: 'id', name: 'enterprise_name' },
  account: { table: 'account', key: 'id', name: 'user_name' },
  category: { table: 'category', key: 'id', name: 'name' },
  setting: { table: 'setting', key: 'key', name: 'key' },
  article: { table: 'article', key: 'id', name: 'title' },
  broadcast: { table: 'broadcast', key: 'id', name: 'title' },
  feedback: { table: 'feedback', key: 'id', name: 'title' },
  contact: { table: 'contact', key: 'id', name: 'company' },
  blacklist: { table: 'blacklist', key: 'id', name: 'blacklist_code' },
  cancellation: { table: 'cancellation', key: 'id', name: 'reason' },
  outbox: { table: 'outbox', key: 'id', name: 'template' },
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
  const thing = things[bizType]
  if (!thing || id === undefined) return null
  // As text: names inside a form are the form's own. Held, so that nothing comes between before and after.
  const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(thing.table)} t
    where ${sql.ref(`t.${thing.key}`)} = ${id} for update`.execute(tx)
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
  const id = about.id ?? (result as { id: number }).id
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
      bizName: String(row?.[things[bizType]?.name ?? ''] ?? '').slice(0, 200),
      companyId: typeof company === 'number' ? company : null,
      ...difference(before, after),
      reason,
    },
    now,
  )
  return result
}
