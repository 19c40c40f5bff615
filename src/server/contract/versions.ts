import { sql } from 'kysely'
import type { ContractClauses } from '#shared/contract/clauses.ts'
import type { Tx } from '../db/connect.ts'
import { insertEvent } from './events.ts'

type Version = {
  contractId: number
  revision: number
  fromDay: string
  clauses: ContractClauses
  lines: readonly object[]
  text: string
  textHash: string
  /** Null where the contract was sent before the English text was kept. */
  textEn: string | null
}

/** Stores what holds from a day on, for good, and enters its hash in the chain, so that no byte of it can be changed unseen. */
export async function storeVersion(work: { db: Tx; now: Date }, { clauses, lines, ...version }: Version): Promise<void> {
  const { db, now } = work
  const { digest } = await db
    .insertInto('contractVersion')
    .values({ ...version, clauses: JSON.stringify(clauses), lines: JSON.stringify(lines), at: now })
    .returning(sql<string>`sha256_hex(contract_version_text(contract_version))`.as('digest'))
    .executeTakeFirstOrThrow()
  const { contractId, revision } = version
  await insertEvent(work, {
    contractId,
    accountId: null,
    side: null,
    move: 'version',
    refKind: 'version',
    refId: revision,
    digest,
    note: `v${revision}`,
  })
}
