// Lessors who quote without a pause. Each call has its own key and is repeated until it is answered. At the end, the acknowledged quotes are
// compared with the stored ones.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'

type Envelope = { code: number; msg: string; data: { id: number; access_token: string } }
type Lessor = { name: string; company: string; machine: string }
type Pair = { demand: number; item: number; lessor: Lessor }

export type Count = { acknowledged: number; found: number; lost: number; double: number; wrong: number; refused: Record<string, number> }

export class Market {
  private readonly origin: () => string
  private readonly databaseUrl: () => string
  private readonly tokens = new Map<string, string>()
  private lessors: Lessor[] = []
  private publishers: { token: string; dept: number }[] = []
  private pairs: Pair[] = []
  private published = 0
  private running = false
  private streams: Promise<unknown> = Promise.resolve()
  readonly acknowledged = new Map<number, Pair>()
  /** Answers that mean neither success nor "try again", by code. */
  readonly strange: Record<string, number> = {}
  /** Answers that mean "try again" and broken connections, by kind. */
  readonly refused: Record<string, number> = {}

  constructor(origin: () => string, databaseUrl: () => string) {
    this.origin = origin
    this.databaseUrl = databaseUrl
  }

  async query<T extends object>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client(this.databaseUrl())
    client.on('error', () => undefined)
    await client.connect()
    try {
      return (await client.query<T>(text, values)).rows
    } finally {
      await client.end()
    }
  }

  async call(method: string, path: string, token: string | null, body?: unknown, key?: string): Promise<Envelope> {
    const answer = await fetch(`${this.origin()}/prod-api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: token }), ...(key && { 'idempotency-key': key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    return (await answer.json()) as Envelope
  }

  async signIn(userName: string): Promise<string> {
    return (await this.call('POST', '/auth/webLogin', null, { username: userName, password: 'Zhuji@2026' })).data.access_token
  }

  async prepare(): Promise<void> {
    this.lessors = await this.query<Lessor>(`
      select distinct on (a.company_id) a.user_name as name, a.company_id as company, e.id as machine from account a join company c on c.id = a.company_id and c.blacklisted_at is null
      join equipment e on e.company_id = a.company_id and e.category_id = 106 and e.shelf_status = '1' and e.main_value >= 5 where a.user_type = '4' order by a.company_id`)
    for (const { name } of this.lessors) this.tokens.set(name, await this.signIn(name))
    // Several, because one person publishes so many demands a day; none whose unit approves them first.
    const projects = await this.query<{ name: string; dept: string }>(
      `select a.user_name as name, a.dept_id as dept from account a join dept d on d.id = a.dept_id join dept u on u.id = d.parent_id
        where a.user_name ~ '^project[0-9]*$' and not u.approves_demands order by a.id`,
    )
    if (projects.length === 0) throw new Error('the demo market has no project that publishes')
    for (const { name, dept } of projects) this.publishers.push({ token: await this.signIn(name), dept: Number(dept) })
  }

  /** A demand whose quotes are due in so many milliseconds. */
  async publish(dueMs = 3 * 86_400_000): Promise<number> {
    const { token, dept } = this.publishers[this.published % this.publishers.length] ?? { token: '', dept: 0 }
    const start = addDays(dayOf(new Date()), 500)
    const body = {
      title: `演练第 ${++this.published} 条`,
      deptId: dept,
      provinceId: 510_000,
      cityId: 510_100,
      address: '工地驻地',
      contactName: '王样本',
      contactPhone: '14400000001',
      minQuotes: 1,
      quoteDeadline: toMoment(new Date(Date.now() + dueMs)),
      items: [
        {
          fatherCategoryId: 100,
          categoryId: 106,
          specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '5' }],
          qty: 1,
          planStart: start,
          planEnd: addDays(start, 60),
          rentUnit: 'M',
        },
      ],
    }
    const { data, code, msg } = await this.call('POST', '/business/leasingDemand', token, body, randomUUID())
    if (code !== 200) throw new Error(`not published: ${code} ${msg}`)
    const { data: detail } = (await this.call('GET', `/business/leasingDemand/${data.id}`, token)) as unknown as {
      data: { items: { id: number }[] }
    }
    for (const lessor of this.lessors) this.pairs.push({ demand: data.id, item: detail.items[0]?.id ?? 0, lessor })
    return data.id
  }

  begin(workers = 4): void {
    this.running = true
    this.streams = Promise.all(Array.from({ length: workers }, () => this.work()))
  }

  async end(): Promise<void> {
    this.running = false
    await this.streams
  }

  private async work(): Promise<void> {
    while (this.running) {
      const pair = this.pairs.shift()
      if (!pair) {
        await this.publish().catch(() => pause(100))
        continue
      }
      const key = randomUUID()
      const start = addDays(dayOf(new Date()), 500)
      const body = {
        demandId: pair.demand,
        contactName: '陈调度',
        contactPhone: '14400000002',
        validUntil: addDays(dayOf(new Date()), 40),
        lines: [
          {
            demandItemId: pair.item,
            machines: [{ equipmentId: Number(pair.lessor.machine) }],
            unitPrice: 16_000,
            rentUnit: 'M',
            includesOperator: true,
            includesFuel: false,
            taxRate: 9,
            invoiceKind: 'special',
            earliestEntry: start,
            promisesRenewal: true,
          },
        ],
      }
      for (let done = false; !done && this.running;) {
        try {
          const { code, data } = await this.call('POST', '/business/leasingApply', this.tokens.get(pair.lessor.name) ?? null, body, key)
          if (code === 200) this.acknowledged.set(data.id, pair)
          // 409: the call was carried out, but the process ended before its answer was stored. 503 and 429: try again.
          else if (code === 503 || code === 429) this.refused[code] = (this.refused[code] ?? 0) + 1
          else this.strange[code] = (this.strange[code] ?? 0) + 1
          done = code !== 503 && code !== 429
          if (!done) await pause(50)
        } catch {
          this.refused.broken = (this.refused.broken ?? 0) + 1
          await pause(50)
        }
      }
    }
  }

  async count(): Promise<Count> {
    const found = await this.query<{ id: string; demand: string; company: string }>(
      `select id, demand_id as demand, company_id as company from quote where status in ('1', '4') and demand_id in (select id from demand where title like '演练第%')`,
    )
    const ids = new Set(found.map(({ id }) => Number(id)))
    const [wrong] = await this.query<{ n: string }>(
      `select count(*) as n from demand d where title like '演练第%' and (not exists (select 1 from demand_item i where i.demand_id = d.id)
        or quote_count <> (select count(*) from quote q where q.demand_id = d.id and q.status in ('1', '4')))`,
    )
    return {
      acknowledged: this.acknowledged.size,
      found: found.length,
      lost: [...this.acknowledged.keys()].filter((id) => !ids.has(id)).length,
      double: found.length - new Set(found.map(({ demand, company }) => `${demand} ${company}`)).size,
      wrong: Number(wrong?.n),
      refused: { ...this.refused, ...this.strange },
    }
  }
}
