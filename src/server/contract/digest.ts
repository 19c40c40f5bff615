import { createHash, randomUUID } from 'node:crypto'

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What is hashed together with a short number, so that nobody finds the number by trying. */
export const makeSalt = (): string => randomUUID()
