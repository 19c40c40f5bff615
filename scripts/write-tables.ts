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
  jsonb: 'unknown',
  bytea: 'Buffer',
  daterange: 'string',
}

export async function writeTables(url: string): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{
    table: string
    column: string
    type: string
    nullable: boolean
    generated: 'always' | 'default' | null
  }>(`
    select c.table_name as table, c.column_name as column, c.udt_name as type, c.is_nullable = 'YES' as nullable,
      case when c.is_generated = 'ALWAYS' or c.identity_generation = 'ALWAYS' then 'always'
           when c.column_default is not null then 'default' end as generated
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migration'
    order by c.table_name collate "C", c.ordinal_position`)
  await client.end()
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const tables = Map.groupBy(rows, (row) => row.table)
  const body = [...tables].map(([table, columns]) => {
    const lines = columns.map(({ column, type, nullable, generated }) => {
      const base = type === 'timestamptz' ? 'Instant' : type.startsWith('_') ? `${scalar[type.slice(1)]}[]` : (scalar[type] ?? 'unknown')
      const nulled = nullable ? `${base} | null` : base
      const shape =
        type === 'timestamptz'
          ? nullable
            ? 'ColumnType<string | null, Date | null | undefined, Date | null>'
            : generated
              ? 'ColumnType<string, Date | undefined, Date>'
              : 'ColumnType<string, Date, Date>'
          : type === 'jsonb'
            ? 'ColumnType<unknown, string | null | undefined, string | null>'
            : generated === 'always'
              ? `GeneratedAlways<${nulled}>`
              : generated === 'default'
                ? `Generated<${nulled}>`
                : nulled
      return `    ${camel(column)}: ${shape}`
    })
    return `  ${camel(table)}: {\n${lines.join('\n')}\n  }`
  })
  return `// Written by scripts/write-tables.ts from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export type DB = {
${body.join('\n')}
}
`
}

if (process.argv[1] === import.meta.filename)
  await withTemplate(async (url) => {
    writeFileSync(new URL('../src/server/db/tables.generated.ts', import.meta.url), await writeTables(url))
  })
