import type { Product } from './product.ts'

let numbers = 0

/** A phone number that nobody has, another one each time: so a journey can pass at its second try, on the database of the first. */
export const newPhone = () => `14466${String(++numbers).padStart(6, '0')}`

/** Somebody who has just registered, with the password of the demo market. */
export async function signUp({ sql }: Pick<Product, 'sql'>): Promise<{ user: string; phone: string }> {
  const phone = newPhone()
  const user = `new${phone}`
  await sql(
    `insert into account (user_name, phonenumber, password_hash, create_time)
     select $1, $2, password_hash, now() from account where user_name = 'newcomer'`,
    [user, phone],
  )
  return { user, phone }
}
