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

/** Encrypts a value that must be read again. */
export const encrypt = (secret: string, purpose: Purpose, clear: string): Buffer =>
  encryptBytes(keyOf(secret, purpose), Buffer.from(clear, 'utf8'))

/** Throws where the value was encrypted under another secret, or was changed. */
export const decrypt = (secret: string, purpose: Purpose, sealed: Buffer): string =>
  decryptBytes(keyOf(secret, purpose), sealed).toString('utf8')

/** Encrypts by AES-256-GCM; gives the vector, the tag and the encrypted bytes, in this order. */
export function encryptBytes(key: Buffer, clear: Buffer): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(clear), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Throws where the bytes were encrypted under another key, or were changed. */
export function decryptBytes(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}
