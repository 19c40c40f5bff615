// The time that the database takes for a question: its statements, explained as the product sends them.
import { readFileSync } from 'node:fs'
import { CamelCasePlugin, Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import '#server/db/connect.ts'
import type { Db } from '#server/db/connect.ts'
import type { DB } from '#server/db/tables.generated.ts'

const { utils } = pg as unknown as { utils: { prepareValue(value: unknown): unknown } }

/** A statement with its time. */
export type Timed = { ms: number; query: CompiledQuery }

/** A step of a plan that was run. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The pages that a step and those below it have read. */
export const pagesRead = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks']

/** The rows that a step has read, whether they fit or not. Of several loops the plan has the removed ones as a rounded mean: the least it stands for counts. */
export function rowsRead(node: PlanNode): number {
  const { 'Actual Rows': kept, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node
  return Math.ceil((kept + (loops > 1 ? Math.max(0, removed - 0.5) : removed)) * loops)
}

/** A database that notes the statements sent through it. */
export function recordingDatabase(url: string): { db: Db; pool: pg.Pool; sent: CompiledQuery[] } {
  const sent: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins, log: ({ query }) => void sent.push(query) })
  return { db, pool, sent }
}

const literal = (value: unknown) => {
  const text = utils.prepareValue(value)
  return text === null || text === undefined ? 'null' : pg.escapeLiteral(String(text))
}

/** Explains statements on one connection, prepared under names as the product prepares them. */
export class Stopwatch {
  private readonly client: pg.Client
  private readonly names = new Map<string, string>()
  private readonly pid: number
  private constructor(client: pg.Client, pid: number) {
    this.client = client
    this.pid = pid
  }
  /** `seqscan: 'off'` plans small tables as large ones are, whose rows are never read one after the other. */
  static async open(url: string, { seqscan = 'on' }: { seqscan?: 'on' | 'off' } = {}): Promise<Stopwatch> {
    const client = new pg.Client(url)
    await client.connect()
    // As a connection that has run for a while: PostgreSQL plans a named statement anew for its first values only.
    await client.query('set plan_cache_mode = force_generic_plan; set max_parallel_workers_per_gather = 0')
    await client.query(`set enable_seqscan = ${seqscan}`)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return new Stopwatch(client, rows[0]?.pid ?? 0)
  }
  close = () => this.client.end()

  /** The processor time of the backend so far, which other programs on the machine do not change. */
  private busyMs(): number {
    return Number(readFileSync(`/proc/${this.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  }

  private async prepared({ sql, parameters }: CompiledQuery): Promise<string> {
    let name = this.names.get(sql)
    if (!name) {
      name = `timed_${this.names.size}`
      this.names.set(sql, name)
      await this.client.query(`prepare ${name} as ${sql}`)
    }
    return `execute ${name}${parameters.length > 0 ? `(${parameters.map(literal).join(', ')})` : ''}`
  }

  /** The least of `times` runs, as the processor time of the database. */
  async time(query: CompiledQuery, times = 3): Promise<Timed> {
    const run = await this.prepared(query)
    let ms = Infinity
    for (let n = 0; n < times; n++) {
      const began = this.busyMs()
      await this.client.query(run)
      ms = Math.min(ms, this.busyMs() - began)
    }
    return { ms, query }
  }

  /** Gives the memory of the statements back. */
  async forget(): Promise<void> {
    this.names.clear()
    await this.client.query('deallocate all')
  }

  async planOf({ query }: Timed): Promise<string> {
    const run = await this.prepared(query)
    const { rows } = await this.client.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers, timing off) ${run}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  /** The steps of a statement's plan, run once. */
  async nodes(query: CompiledQuery): Promise<PlanNode[]> {
    const run = await this.prepared(query)
    const { rows } = await this.client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, timing off, format json) ${run}`,
    )
    return rows[0] ? nodesOf(rows[0]['QUERY PLAN'][0].Plan) : []
  }

  /** The steps that the statement takes without an index. */
  async nodesWithout(index: string, query: CompiledQuery): Promise<PlanNode[]> {
    await this.client.query(`begin; drop index ${index}`)
    try {
      return await this.nodes(query)
    } finally {
      await this.client.query('rollback')
    }
  }
}
