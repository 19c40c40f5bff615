// Writes src/server/db/tables.generated.ts from a freshly migrated database.
import { writeFileSync } from 'node:fs'
import pg from 'pg'
import { withTemplate } from '#test/template-db.ts'

const scalar: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  numeric: 'number',
  float8: 'number',
  text: 'string',
  bool: 'boolean',
  uuid: 'string',
  date: 'string',
  bytea: 'Buffer',
  daterange: 'string',
  datemultirange: 'string',
}

/** Columns whose values no check constraint lists: their type, and the module of src/shared from which its name comes. */
const named: Record<string, readonly [type: string, module?: string]> = {
  'account.duties': ['OperatorDuty[]', 'account/rules.ts'],
  'audit_log.action': ['AuditAction', 'audit/rules.ts'],
  'audit_log.after': ['Record<string, unknown>'],
  'audit_log.before': ['Record<string, unknown>'],
  'audit_log.biz_type': ['AuditBizType', 'audit/rules.ts'],
  'award_request.input': ['AwardInput', 'award/contract.ts'],
  'blacklist.level': ['BlacklistLevel', 'blacklist/rules.ts'],
  'broadcast.audience': ['Audience', 'broadcast/contract.ts'],
  'category.flags': ["Category['flags']", 'category/contract.ts'],
  'category.params': ['Param[]', 'category/input.ts'],
  'category.price_units': ['RentUnit[]', 'equipment/rules.ts'],
  'certification.field_reasons': ['{ field: string; reason: string }[]'],
  'certification.form': ['Record<string, unknown>'],
  'certification.passed_form': [
    "{ form: Record<string, unknown>; documents: Pick<CertificationPaper, 'kind' | 'fileId' | 'validTo'>[] }",
    'certification/contract.ts',
  ],
  'contact.type': ['ContactType', 'contact/contract.ts'],
  'contract.clauses': ['ContractClauses', 'contract/clauses.ts'],
  'contract_change.input': ['StoredChange', 'contract/changes.ts'],
  'contract_version.clauses': ['ContractClauses', 'contract/clauses.ts'],
  'contract_version.lines': ['object[]'],
  'demand.cost_assumptions': ['CostAssumptions', 'quote/landed-cost.ts'],
  'demand.internal_check': ["OwnDemand['internalCheck']", 'demand/contract.ts'],
  'demand.payment': ["PublicDemand['payment']", 'demand/contract.ts'],
  'demand_item.spec_requirements': ["DemandItem['specRequirements']", 'demand/contract.ts'],
  'equipment.specs': ['Record<string, string | number>'],
  'equipment_change.after': ['EquipmentInput', 'equipment/upload.ts'],
  'equipment_change.before': ['EquipmentInput', 'equipment/upload.ts'],
  'equipment_import_row.cells': ['Record<string, string>'],
  'idempotency.answer': ['Record<string, unknown>'],
  'internal_machine.specs': ['Record<string, string | number>'],
  'machine_notice.params': ['Record<string, string>'],
  'message.kind': ['MessageKind', 'message/kinds.ts'],
  'message.params': ['Record<string, string>'],
  'message.system_subject': ['SystemSubject', 'message/rules.ts'],
  'message_config.system_subject': ['SystemSubject', 'message/rules.ts'],
  'outbox.params': ['{ title: string }'],
  'outbox.template': ['OutboxTemplate', 'outbox/contract.ts'],
  'quote_line.rent_unit': ['RentUnit', 'equipment/rules.ts'],
}

type Column = {
  table: string
  column: string
  type: string
  nullable: boolean
  generated: 'always' | 'default' | null
}

type Check = { table: string; definition: string }

/** The column and the values of a constraint that allows one column certain values only; null for any other constraint. */
export function allowedValues(definition: string): { column: string; values: string[] } | null {
  const literal = String.raw`(?:'(?:[^']|'')*'|-?\d+)(?:::\w+)?`
  const found = new RegExp(String.raw`^CHECK \(\((\w+) = (?:ANY \(ARRAY\[(${literal}(?:, ${literal})*)\]\)|(${literal}))\)\)$`).exec(
    definition,
  )
  if (!found) return null
  const [, column = '', several, one = ''] = found
  return { column, values: (several ?? one).match(new RegExp(literal, 'g'))?.map((value) => value.replace(/::\w+$/, '')) ?? [] }
}

async function readDatabase(url: string): Promise<{ columns: Column[]; checks: Check[] }> {
  const client = new pg.Client(url)
  await client.connect()
  const columns = await client.query<Column>(`
    select c.table_name as table, c.column_name as column, c.udt_name as type, c.is_nullable = 'YES' as nullable,
      case when c.is_generated = 'ALWAYS' or c.identity_generation = 'ALWAYS' then 'always'
           when c.column_default is not null then 'default' end as generated
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migration'
    order by c.table_name collate "C", c.ordinal_position`)
  const checks = await client.query<Check>(`
    select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace and conrelid <> 0`)
  await client.end()
  return { columns: columns.rows, checks: checks.rows }
}

/** The type of a column: what reads give, or with `ColumnType` what reads give and what inserts and updates take. */
function shapeOf({ table, column, type, nullable, generated }: Column, allowed: readonly string[] | undefined): string {
  const orNull = nullable ? ' | null' : ''
  const orAbsent = nullable ? ' | null | undefined' : generated ? ' | undefined' : ''
  const [name] = named[`${table}.${column}`] ?? []
  if (type === 'timestamptz') return `ColumnType<string${orNull}, Date${orAbsent}, Date${orNull}>`
  if (type === 'jsonb') return `ColumnType<${name ? `${name}${orNull}` : 'unknown'}, string${orAbsent}, string${orNull}>`
  const plain = type.startsWith('_') ? `${scalar[type.slice(1)]}[]` : (scalar[type] ?? 'unknown')
  const base = `${name ?? allowed?.join(' | ') ?? plain}${orNull}`
  return generated === 'always' ? `GeneratedAlways<${base}>` : generated === 'default' ? `Generated<${base}>` : base
}

function importsOfNamed(): string[] {
  const names = Object.values(named).flatMap(([type, module]) =>
    module ? [{ name: /\b(?!Record\b|Pick\b)[A-Z]\w*/.exec(type)?.[0] ?? '', module }] : [],
  )
  return [...Map.groupBy(names, ({ module }) => module)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([module, types]) => `import type { ${[...new Set(types.map(({ name }) => name))].toSorted().join(', ')} } from '#shared/${module}'`,
    )
}

export async function writeTables(url: string): Promise<string> {
  const { columns, checks } = await readDatabase(url)
  const allowed = new Map(
    checks.flatMap(({ table, definition }) => {
      const found = allowedValues(definition)
      return found ? [[`${table}.${found.column}`, found.values] as const] : []
    }),
  )
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const body = [...Map.groupBy(columns, ({ table }) => table)].map(([table, own]) => {
    const lines = own.map((column) => `    ${camel(column.column)}: ${shapeOf(column, allowed.get(`${table}.${column.column}`))}`)
    return `  ${camel(table)}: {\n${lines.join('\n')}\n  }`
  })
  return `// Written by scripts/write-tables.ts from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
${importsOfNamed().join('\n')}

export type DB = {
${body.join('\n')}
}
`
}

if (process.argv[1] === import.meta.filename)
  await withTemplate(async (url) => {
    writeFileSync(new URL('../src/server/db/tables.generated.ts', import.meta.url), await writeTables(url))
  })
