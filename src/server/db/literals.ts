import { sql, type RawBuilder } from 'kysely'

/** A named set within a statement's text, as `in (…)` takes it: as parameters its values would hide a partial index from the planner. */
export const literals = (set: readonly (string | number)[]): RawBuilder<unknown> => sql.join(set.map((one) => sql.lit(one)))
