import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt, keyedHash } from './keyed-hash.ts'

const [secret, other] = ['a-secret-for-tests-of-more-than-32-letters', 'another-secret-of-more-than-32-letters']
const number = '14400000002'

test('who has a dump and not the secret cannot try out which number or code a hash is of', () => {
  const hash = keyedHash(secret, 'phone', number)
  expect(hash).toEqual(keyedHash(secret, 'phone', number))
  const guesses = [
    createHash('sha256').update(number).digest(),
    createHmac('sha256', 'phone').update(number).digest(),
    keyedHash('', 'phone', number),
    keyedHash(other, 'phone', number),
  ]
  for (const guess of guesses) expect(hash.equals(guess)).toBe(false)
})

test('equal values of two columns have different hashes', () => {
  const purposes = ['request', 'phone', 'sms code', 'picture code', 'attempt', 'device', 'second factor', 'recovery code'] as const
  expect(new Set(purposes.map((purpose) => keyedHash(secret, purpose, number).toString('hex'))).size).toBe(purposes.length)
})

test('what is encrypted is read with the same secret, for the same purpose and unchanged, and not otherwise', () => {
  const sealed = encrypt(secret, 'phone', number)
  expect(decrypt(secret, 'phone', sealed)).toBe(number)
  expect(sealed.toString('latin1')).not.toContain(number)
  expect(encrypt(secret, 'phone', number).equals(sealed)).toBe(false)
  expect(() => decrypt(other, 'phone', sealed)).toThrow()
  expect(() => decrypt(secret, 'second factor', sealed)).toThrow()
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => decrypt(secret, 'phone', changed)).toThrow()
  }
})
