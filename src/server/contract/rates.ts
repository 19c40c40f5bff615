import { sql } from 'kysely'
import { withRate, type DatedRate } from '#shared/contract/amount.ts'
import { positionStatus } from '#shared/contract/rules.ts'
import type { Read } from '../db/connect.ts'
import { Refusal } from '../http/refusal.ts'
import { findPositions } from './text.ts'

type Rates = ReadonlyMap<number, readonly DatedRate[]>

/** The prices and tax rates of the positions of a contract by day, from its versions; of a draft there are none. */
async function findRates(db: Read, contractId: number): Promise<Rates> {
  const { rows } = await sql<DatedRate & { id: number }>`
    select (l ->> 'id')::int as id, v.from_day::text as "fromDay", (l ->> 'unitPriceFen')::bigint as "unitPriceFen", (l ->> 'taxRate')::int as "taxRate"
    from contract_version v cross join lateral jsonb_array_elements(v.lines) l
    where v.contract_id = ${contractId} order by v.revision`.execute(db)
  const rates = new Map<number, DatedRate[]>()
  for (const { id, ...rate } of rows) rates.set(id, withRate(rates.get(id) ?? [], rate))
  return rates
}

/** The positions of a contract with their prices and tax rates by day. */
export async function findRatedPositions(db: Read, contractId: number) {
  const rates = await findRates(db, contractId)
  return (await findPositions(db, contractId)).map((line) => ({ ...line, rates: rates.get(line.id) }))
}
export type RatedPosition = Awaited<ReturnType<typeof findRatedPositions>>[number]

/** Throws not_found where the contract has no such position. */
export function lineOf(lines: readonly RatedPosition[], lineId: number): RatedPosition {
  const line = lines.find(({ id }) => id === lineId)
  if (!line) throw new Refusal('not_found')
  return line
}

/** The positions that an amendment cancelled, which the sum leaves out; an early end leaves the sum as it is, so it counts those that it cancels. */
export async function findCancelled(db: Read, contractId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select (l ->> 'id')::int as id
    from contract_version v cross join lateral jsonb_array_elements(v.lines) l
    where v.contract_id = ${contractId} and l ->> 'status' = ${positionStatus.cancelled}
      and v.revision = (select max(revision) from contract_version where contract_id = ${contractId})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The day from which the newest version of a contract holds; null before it is in force. */
export async function findSince(db: Read, contractId: number): Promise<string | null> {
  const { since } = await db
    .selectFrom('contractVersion')
    .where('contractId', '=', contractId)
    .select((eb) => eb.fn.max('fromDay').as('since'))
    .executeTakeFirstOrThrow()
  return since
}
