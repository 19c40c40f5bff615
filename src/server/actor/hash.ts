import { createHash, randomInt } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** argon2id with the library's defaults (19 MiB, 2 passes), the OWASP recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** For tokens and codes, which are random and short-lived: only the hash is stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Ten characters of four kinds without letters that look alike; good for one sign-in, then it must be changed. */
export function firstPassword(): string {
  const pick = (letters: string, n: number) => Array.from({ length: n }, () => letters[randomInt(letters.length)])
  const letters = [
    ...pick('ABCDEFGHJKLMNPQRSTUVWXYZ', 3),
    ...pick('abcdefghijkmnpqrstuvwxyz', 3),
    ...pick('23456789', 3),
    ...pick('@#%+', 1),
  ]
  return letters
    .map((letter) => ({ letter, at: randomInt(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ letter }) => letter)
    .join('')
}
