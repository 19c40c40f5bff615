import { sql, type RawBuilder } from 'kysely'

/** Begins the sign-in name of an erased account. No account can be given a name with this sign, so it is never taken. */
export const erasedSign = 'cancelled#'

/**
 * The words that stand for a person: their name, or the sign-in name where they gave none; of an erased one the words that stand for them; empty where a
 * left join found nobody.
 */
export const nameOf = (account: string): RawBuilder<string> => {
  const [name, userName, nickName] = ['name', 'user_name', 'nick_name'].map((column) => sql.ref(`${account}.${column}`))
  return sql<string>`coalesce(nullif(${name}, ''), case when ${userName} like ${sql.lit(`${erasedSign}%`)} then ${nickName} end, ${userName}, '')`
}
