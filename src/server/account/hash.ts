import { createHash } from 'node:crypto'
import { hash } from '@node-rs/argon2'

/** argon2id with the library's defaults (19 MiB, 2 passes), the OWASP recommendation. */
export const hashPassword = (password: string): Promise<string> => hash(password)

/** For tokens and codes, which are random and short-lived: only the hash is stored. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
