import { sql } from 'kysely'
import type * as contract from '#shared/audit/contract.ts'
import type { AuditFilter } from '#shared/audit/contract.ts'
import { auditExportLimit, organisationKinds } from '#shared/audit/rules.ts'
import { addDays, startOfDay } from '#shared/calendar.ts'
import type { Download, Received } from '#shared/endpoint.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Actor } from '../actor/actor.ts'
import { companyOf } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { isUnfiltered, listOf, listPage, pageId, type OrderKey } from '../db/paging.ts'
import { contains, gramsOf } from '../db/search.ts'
import type { Context } from '../deed.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'
import { workbookLimits } from '../workbook/limits.ts'
import { listWorkbook } from '../workbook/list-workbook.ts'
import { logTaken } from './log.ts'

/** An auditor sees the entries about their organisation, the operator all but those of what only an organisation knows. */
function auditEntries(db: Read, actor: Actor, filter: Partial<AuditFilter>) {
  const entries = db.selectFrom('auditLog')
  let query =
    actor.role === 'operator'
      ? entries.where('bizType', 'not in', organisationKinds)
      : entries.where('companyId', '=', companyOf(actor)).where(holdsWithin(companyOf(actor)))
  if (filter.who) query = query.where('who', '=', filter.who)
  if (filter.action) query = query.where('action', '=', filter.action)
  if (filter.bizType) query = query.where('bizType', '=', filter.bizType)
  if (filter.bizId) query = query.where('bizId', '=', filter.bizId)
  if (filter.from) query = query.where('at', '>=', startOfDay(filter.from))
  if (filter.to) query = query.where('at', '<', startOfDay(addDays(filter.to, 1)))
  if (filter.keyword) {
    const pattern = contains(filter.keyword)
    // Found by the index over single characters and bigrams (`audit_log_words`), then checked letter by letter.
    const grams = gramsOf(filter.keyword.toLowerCase().replaceAll(/\s+/g, ''))
    query = query
      .where(sql<boolean>`search_grams(audit_log.biz_name || ' ' || audit_log.reason) @> ${grams}::text[]`)
      .where((eb) => eb.or([eb('bizName', 'like', pattern), eb('reason', 'like', pattern)]))
  }
  return query
}

/** Of restrictions those within a company: older entries stand under the restricted company, whose auditor must not read who proposed it. */
const holdsWithin = (companyId: number) =>
  sql<boolean>`(audit_log.biz_type <> 'blacklist' or exists (select from blacklist b join dept d on d.id = b.scope_dept_id
    where b.id = case audit_log.biz_type when 'blacklist' then audit_log.biz_id::bigint end and d.company_id = ${companyId}))`

const columnsOfEntry = ['seq', 'at', 'who', 'action', 'bizType', 'bizId', 'bizName', 'reason', 'address'] as const

export function listAudit(db: Read, actor: Actor, filter: Received<typeof contract.listAudit>['query']) {
  // The log is in the order of time, so its numbers sort it.
  const order: OrderKey[] = [{ by: sql.ref('audit_log.seq'), direction: filter.sort === 'at' ? 'asc' : 'desc' }]
  const isWhole = actor.role === 'operator' && isUnfiltered(filter)
  const list = { ...listOf(auditEntries(db, actor, filter), 'audit_log.seq', order), isWhole }
  const card = db.selectFrom('auditLog').where('seq', '=', pageId).select(columnsOfEntry)
  return listPage(db, { list, paging: filter, card })
}

export async function getAuditEntry(db: Read, actor: Actor, seq: number) {
  const entry = await auditEntries(db, actor, {})
    .where('seq', '=', seq)
    .select([...columnsOfEntry, 'before', 'after', 'hash'])
    .executeTakeFirst()
  if (!entry) throw new Refusal('not_found')
  return entry
}

/** One verification at a time reads the log, however many ask. */
const turns = new Semaphore({ total: 1, waiting: 30, waitingOfOne: 3, refusal: 'crowded' })

/** Verifies the chain, in turn. On a long log those who waited get the answer of the one before them. */
export const verifyInTurn = ({
  db,
  actor,
  answerCache,
}: Pick<Context, 'db' | 'answerCache'> & { actor: Pick<Actor, 'accountId'> }): Promise<Verified> =>
  turns.run(1, () => answerCache.figure('audit chain', () => verifyAuditChain(db)), String(actor.accountId))

type Verified = { entries: number; head: string; broken: { seq: number; at: string; who: string; action: string } | null }

/**
 * Computes every hash anew from the stored entries. `broken` is the first that does not fit, or before which one is missing. Each statement reads one
 * portion, so that a long log is verified within the time limit of statements.
 */
export async function verifyAuditChain(db: Read, portion = 50_000): Promise<Verified> {
  const verified: Verified = { entries: 0, head: '', broken: null }
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const { entries, last, head, seq, at, who, action } = await verifyPortion(db, { after, head: verified.head, portion })
    if (last === null) return verified
    verified.entries += entries
    verified.head = head
    if (seq !== null) verified.broken ??= { seq, at, who, action }
    after = last
  }
}

type Portion = { entries: number; last: number | null; head: string; seq: number | null; at: string; who: string; action: string }

/** The entries that follow the one with the number `after` and the hash `head`; `last` is null where there are none, `seq` where all fit. */
async function verifyPortion(db: Read, { after, head, portion }: { after: number; head: string; portion: number }): Promise<Portion> {
  const { rows } = await sql<Portion>`
    with portion as (select * from audit_log where seq > ${after} order by seq limit ${portion}),
    checked as (
      select seq, at, who, action,
        sha256_hex(lag(hash, 1, ${head}) over (order by seq) || E'\n' || audit_text(portion::audit_log)) <> hash
          or seq <> lag(seq, 1, greatest(${after}::bigint, 0)) over (order by seq) + 1 as wrong
      from portion)
    select whole.*, (select hash from portion where seq = whole.last) as head, b.seq, b.at, b.who, b.action
    from (select count(*)::int as entries, max(seq) as last from portion) whole
    left join (select * from checked where wrong order by seq limit 1) b on true`.execute(db)
  const [found] = rows
  if (!found) throw new Error('an aggregate always has a row')
  return found
}

/** Makes a workbook of the filtered log and logs that it was made. No transaction waits for the workbook. */
export async function exportAudit(
  { db, actor, now, locale }: Pick<Context, 'db' | 'now' | 'locale'> & { actor: Actor },
  filter: AuditFilter,
): Promise<Download> {
  const file = await auditWorkbook(db, actor, { filter, text: textOf(locale) })
  await logTaken({ db, actor, now }, { action: 'audit.export', bizType: 'audit', companyId: actor.companyId, after: filter })
  return file
}

/**
 * The newest entries, as many as a workbook of so many rows and letters can have; its last row says where there are more. The values of an entry may be a
 * whole article, so the rows alone do not bound it.
 */
async function auditWorkbook(db: Read, actor: Actor, { filter, text }: { filter: AuditFilter; text: Text }): Promise<Download> {
  const entries = auditEntries(db, actor, filter)
  const { total } = await entries.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const newest = entries
    .orderBy('seq', 'desc')
    .limit(auditExportLimit)
    .select([...columnsOfEntry, valuesOf('before').as('before'), valuesOf('after').as('after'), 'hash'])
    .as('newest')
  const letters = sql<number>`sum(length(before) + length(after) + length(reason) + length(biz_name)) over (order by seq desc)`
  const measured = db.selectFrom(newest).selectAll().select(letters.as('letters')).as('measured')
  const rows = await db.selectFrom(measured).where('letters', '<=', workbookLimits.text).orderBy('seq', 'desc').selectAll().execute()
  const words = text.admin.audit
  const { columns } = words
  return listWorkbook({
    title: words.title,
    text,
    columns: [
      { label: columns.seq, width: 10, value: (row) => row.seq },
      { label: columns.at, width: 20, value: (row) => row.at },
      { label: columns.who, width: 16, value: (row) => row.who },
      { label: columns.action, width: 18, value: (row) => text.admin.audited.actions[row.action] },
      { label: columns.bizType, width: 12, value: (row) => text.admin.audited.bizTypes[row.bizType] },
      { label: columns.biz, width: 30, value: (row) => `${row.bizName} #${row.bizId}` },
      { label: columns.reason, width: 30, value: (row) => row.reason },
      { label: columns.before, width: 40, value: (row) => row.before },
      { label: columns.after, width: 40, value: (row) => row.after },
      { label: columns.address, width: 18, value: (row) => row.address },
      { label: columns.hash, width: 66, value: (row) => row.hash },
    ],
    list: { rows, total },
  })
}

/** The values before or after, no longer than a cell may be. */
const valuesOf = (column: 'before' | 'after') =>
  sql<string>`left(coalesce(${sql.ref(column)}::text, ''), ${sql.lit(workbookLimits.cellText)})`
