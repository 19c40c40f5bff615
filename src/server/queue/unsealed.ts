import { sql } from 'kysely'

/** Whether an SMS is shown: one to the bidders of a demand, or to the invited who are none, from the opening on, because its receivers say who has quoted. */
export const isUnsealed = (alias: string) =>
  sql<boolean>`(${sql.ref(`${alias}.sealed_by`)} is null
    or exists (select from demand d where d.id = ${sql.ref(`${alias}.sealed_by`)} and d.open_time is not null))`
