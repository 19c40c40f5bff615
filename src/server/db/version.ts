import { sql } from 'kysely'

/** Set by every change of a row that people edit, so that a change made on an older version is refused as `changed`. */
export const nextVersion = sql<number>`version + 1`
