import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Services } from '../services.ts'

/** The token of an `authorization` header, with or without its scheme. */
export function tokenOf(header: string | undefined): string | null {
  const token = header?.replace(/^Bearer\s+/i, '').trim()
  return token || null
}

/** The key under which the calls of an account are counted. */
export const ofAccount = (accountId: number): string => `account ${accountId}`

export const addressOf = (request: Pick<FastifyRequest, 'ip'>): string => networkOf(request.ip)

/** A household has a whole /64 of IPv6, so that is one address, however it is written. An address of IPv4 that IPv6 carries is one of IPv4. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  // Without a zone an URL takes it, and writes it in one form: small letters, no zeros in front, IPv4 in groups.
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [before = [], after = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean))
  const groups = [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return groups.slice(0, 4).join(':')
  return groups
    .slice(6)
    .map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

type Counted = (error: Error | null, state?: { current: number; ttl: number }) => void

/** The counters of @fastify/rate-limit in the database, so a contract's `limit` holds for all instances together. */
export function limitStore({ db, clock }: Pick<Services, 'db' | 'clock'>) {
  return class LimitStore {
    private readonly route: string

    constructor({ routeInfo }: { routeInfo?: { url?: string } } = {}) {
      // With and without the prefix it is one call.
      this.route = routeInfo?.url?.replace(/^\/prod-api/, '') ?? ''
    }

    incr(caller: string, counted: Counted, window: number): void {
      const now = clock.now()
      const start = new Date(now.getTime() - window)
      sql<{ calls: number; ttl: number }>`
        insert into call_limit (key, since, calls) values (${`${this.route} ${caller}`}, ${now}, 1)
        on conflict (key) do update set
          calls = case when call_limit.since <= ${start} then 1 else call_limit.calls + 1 end,
          since = case when call_limit.since <= ${start} then ${now} else call_limit.since end
        returning calls, (extract(epoch from (since - ${start})) * 1000)::int as ttl`
        .execute(db)
        .then(({ rows: [row] }) => counted(null, { current: row?.calls ?? 1, ttl: row?.ttl ?? window }))
        .catch((error: unknown) => counted(error as Error))
    }

    child(options: object): LimitStore {
      return new LimitStore(options)
    }
  }
}
