import { sql, type RawBuilder } from 'kysely'

/** The words that stand for a person: their name, or the sign-in name where they gave none; empty where a left join found nobody. */
export const nameOf = (account: string): RawBuilder<string> => {
  const [name, userName] = ['name', 'user_name'].map((column) => sql.ref(`${account}.${column}`))
  return sql<string>`coalesce(nullif(${name}, ''), ${userName}, '')`
}
