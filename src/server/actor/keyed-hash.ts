import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Each purpose has a key of its own, so that equal values of two columns cannot be matched. */
type Purpose = 'request' | 'phone' | 'sms code' | 'picture code' | 'attempt' | 'device' | 'second factor' | 'recovery code'

/** Derived from the secret outside the database: who has only a dump can neither compute nor try out what stands under it. */
function keyOf(secret: string, purpose: Purpose): Buffer {
  const name = `${purpose} ${secret}`
  const derived = keys.get(name) ?? Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  keys.set(name, derived)
  return derived
}

/** Derived once for each purpose in the life of a process. */
const keys = new Map<string, Buffer>()

/** For values with so few possibilities that a bare hash could be tried out: phone numbers, codes, names. */
export const keyedHash = (secret: string, purpose: Purpose, text: string): Buffer =>
  createHmac('sha256', keyOf(secret, purpose)).update(text).digest()

/** AES-256-GCM, for values that must be read again. */
export function encrypt(secret: string, purpose: Purpose, clear: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, purpose), iv)
  const body = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Throws where the value was encrypted under another secret, or was changed. */
export function decrypt(secret: string, purpose: Purpose, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, purpose), sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
