import type { Db } from '#server/db/connect.ts'
import type { Services } from '#server/services.ts'

/** Services for a test of statements alone: only the database, the time and what is given are there. */
export const servicesOf = (db: Db, now: Date, more: Partial<Services> = {}): Services =>
  ({ db, clock: { now: () => now }, ...more }) as unknown as Services
