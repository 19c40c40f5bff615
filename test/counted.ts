// What a call asks of the database: its statements, and the rows that they read.
import pg from 'pg'

type Statement = { text: string; values: unknown[] }

let recorded: Statement[] | null = null
type Query = (this: unknown, ...input: unknown[]) => unknown
const { query } = pg.Client.prototype as unknown as { query: Query }
// A pool keeps the `query` of its clients from when it connects, so this stands before a world is opened.
Object.assign(pg.Client.prototype, {
  query(this: unknown, ...input: unknown[]) {
    const [first, values] = input
    const sent = typeof first === 'string' ? { text: first, values } : (first as { text: string; values?: unknown })
    recorded?.push({ text: sent.text, values: Array.isArray(sent.values) ? (sent.values as unknown[]) : [] })
    return query.apply(this, input)
  },
})

/** Runs the work and gives its statements in their order. */
export async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: Statement[] }> {
  const statements: Statement[] = []
  recorded = statements
  try {
    return { result: await work(), statements }
  } finally {
    recorded = null
  }
}

/** Rows that statements read of each table, as the planner reads large ones: by their indexes. They run again in a transaction that is rolled back. */
export async function rowReader(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const counters = async () => {
    const { rows } = await client.query<{ name: string; rows: number }>(
      'select relname as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables order by relname',
    )
    return new Map(rows.map((one) => [one.name, one.rows]))
  }
  const read = async (statements: readonly Statement[]): Promise<Record<string, number>> => {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    // What a transaction before has counted may still be among them.
    const before = await counters()
    for (const { text, values } of statements) if (/^\s*(select|with)\b/i.test(text)) await client.query(text, values)
    const after = await counters()
    await client.query('rollback')
    return Object.fromEntries([...after].map(([name, rows]) => [name, rows - (before.get(name) ?? 0)]).filter(([, rows]) => rows !== 0))
  }
  return { read, end: () => client.end() }
}
