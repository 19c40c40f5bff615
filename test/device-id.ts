import { randomBytes } from 'node:crypto'

/** What a browser of ours gives itself as its id. */
export const deviceId = (): string => randomBytes(32).toString('base64url')
