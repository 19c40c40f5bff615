import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openWorld } from '#test/world.ts'

const world = await openWorld()
afterAll(() => world.close())

const act = 'an act for an organisation, whose record it is; it stays under the name of an account that says nothing of the person'
/** Tables whose rows name an account, and which neither the export nor the erasure touches. */
const acts = [
  'article',
  'audit_log',
  'award',
  'award_request',
  'blacklist',
  'blacklist_appeal',
  'blacklist_event',
  'broadcast',
  'certification_event',
  'contact',
  'contract',
  'contract_change',
  'contract_event',
  'contract_notice',
  'contract_party_move',
  'contract_person',
  'demand_event',
  'demand_question',
  'equipment',
  'equipment_change',
  'equipment_event',
  'equipment_import',
  'feedback_reply',
  'internal_machine',
  'internal_transfer',
  'price_ceiling',
]
const secret = 'a secret of signing in, which nobody may read out of an export'

const unexported: Record<string, string> = {
  ...Object.fromEntries(acts.map((table) => [table, act])),
  account_dept: 'the units are named by the row of the account and by the organisation',
  device: 'the key of a browser; what is known of the browser stands in the sign-ins',
  idempotency: 'a copy of an answer, deleted after a day',
  outbox: 'the number stands in the row of the account, and the messages tell the same',
  password_history: secret,
  recovery_code: secret,
  second_factor: secret,
  session: secret,
  sign_in_ticket: secret,
}
const unerased: Record<string, string> = {
  ...Object.fromEntries(acts.map((table) => [table, act])),
  cancellation: 'the proof that the account was erased when its owner wanted it',
  contact_look: 'the proof of who was shown the contact of somebody else',
  idempotency: 'a copy of an answer, deleted after a day',
}

const { rows } = await sql<{ table: string }>`
  select distinct r.relname as table from pg_constraint c
  join pg_class r on r.oid = c.conrelid join pg_class t on t.oid = c.confrelid
  where c.contype = 'f' and t.relname = 'account' and r.relname <> 'account' order by 1`.execute(world.db)
const tables = rows.map(({ table }) => table)
const camel = (table: string) => table.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

test.each([
  ['export.ts', unexported],
  ['cancellation.ts', unerased],
])('every table that names an account is named in %s, or there is a reason why not', (file, reasons) => {
  const code = readFileSync(new URL(file, import.meta.url), 'utf8')
  const isNamed = (table: string) => new RegExp(`'${camel(table)}(?: as \\w+)?'|(?:from|update) ${table}\\b`).test(code)
  expect(tables.filter((table) => !isNamed(table) && !reasons[table])).toEqual([])
  expect(Object.keys(reasons).filter((table) => !tables.includes(table))).toEqual([])
})
