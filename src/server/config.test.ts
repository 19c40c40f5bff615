import { describe, expect, test } from 'vitest'
import { isLoopback, readConfig, refuseUnsafe } from './config.ts'

const secret = 'kX3v9Qm2LwT8sR5yB1nZ7cD4fG6hJ0pA'
const database = { DATABASE_URL: 'postgres://zhujitong:x@db:5432/zhujitong', TOKEN_SECRET: secret }
const sms = {
  SMS_PROVIDER: 'aliyun',
  SMS_KEY_ID: 'id',
  SMS_KEY_SECRET: 'secret',
  SMS_SIGN: 'sign',
  SMS_TEMPLATE_CODE: '1',
  SMS_TEMPLATE_SIGN: '5',
  SMS_TEMPLATE_REGISTERED: '2',
  SMS_TEMPLATE_NOTICE: '3',
  SMS_TEMPLATE_PASSWORD: '4',
}
/** What a start with these settings is refused with; nothing when it is not. */
const refusalOf = (environment: Record<string, string>, holdsDemo = false) => {
  try {
    refuseUnsafe(readConfig(environment), holdsDemo)
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

describe('the address to listen on', () => {
  test('is this machine’s own for a demo, unless HOST is set', () => {
    expect(readConfig({}).host).toBe('127.0.0.1')
    expect(readConfig({ DEMO: '1', ...database }).host).toBe('127.0.0.1')
    expect(readConfig({ HOST: '0.0.0.0' }).host).toBe('0.0.0.0')
    expect(readConfig({ DEMO: '0' }).host).toBe('0.0.0.0')
    expect(readConfig(database).host).toBe('0.0.0.0')
  })
  test('is loopback or not', () => {
    expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost', 'LOCALHOST'].map(isLoopback)).toEqual([true, true, true, true, true])
    expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.evil.example', '128.0.0.1', ''].map(isLoopback)).toEqual(Array(6).fill(false))
  })
})

describe('a start for the public is refused', () => {
  test.each([
    ['a demo on a database of one’s own', { ...database, ...sms, DEMO: '1' }, 'With DATABASE_URL there can be no demo'],
    ['a demo at a public address', { PUBLIC_URL: 'https://example.cn', ...sms, DEMO: '1' }, 'With PUBLIC_URL there can be no demo'],
    ['no SMS on a database of one’s own', database, 'With DATABASE_URL the setting SMS_PROVIDER is required'],
    ['no SMS at a public address', { PUBLIC_URL: 'https://example.cn' }, 'With PUBLIC_URL the setting SMS_PROVIDER is required'],
    ['a rehearsal that others reach', { ...database, REHEARSAL: '1', HOST: '0.0.0.0' }, 'With REHEARSAL'],
    ['a rehearsal at a public address', { REHEARSAL: '1', PUBLIC_URL: 'https://example.cn', HOST: '127.0.0.1' }, 'With REHEARSAL'],
  ])('for %s', (_, environment, sentence) => {
    expect(refusalOf(environment)).toContain(sentence)
  })
  test('for a database that holds the demo market already', () => {
    expect(refusalOf({ ...database, ...sms }, true)).toContain('may not hold the demo market')
    expect(refusalOf({ PUBLIC_URL: 'https://example.cn', ...sms }, true)).toContain('may not hold the demo market')
  })
  test('and otherwise not', () => {
    expect(refusalOf({ ...database, ...sms })).toBe('')
    expect(refusalOf({ PUBLIC_URL: 'https://example.cn', ...sms })).toBe('')
    expect(refusalOf({}, true)).toBe('')
    expect(refusalOf({ HOST: '0.0.0.0' }, true)).toBe('')
    expect(refusalOf({ ...database, DEMO: '1', REHEARSAL: '1', HOST: '127.0.0.1' }, true)).toBe('')
  })
  test('a public address starts no demo by itself', () => {
    expect(readConfig({ PUBLIC_URL: 'https://example.cn' }).demo).toBe(false)
    expect(readConfig({}).demo).toBe(true)
  })
})

describe('a secret that can be guessed is refused', () => {
  test.each([
    'a'.repeat(40),
    'ab'.repeat(20),
    '12345678'.repeat(5),
    'password'.repeat(4),
    '1234567890123456'.repeat(2),
    'short',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
  ])('%s', (weak) => {
    expect(() => readConfig({ TOKEN_SECRET: weak })).toThrow('The setting TOKEN_SECRET must be at least 32 characters')
    expect(() => readConfig({ METRICS_TOKEN: weak })).toThrow('The setting METRICS_TOKEN must be at least 16 characters')
  })
  test.each([secret, '0123456789abcdef0123456789abcdee', 'a-secret-for-tests-of-more-than-32-letters'])('and %s is not', (good) => {
    expect(readConfig({ TOKEN_SECRET: good, METRICS_TOKEN: good })).toMatchObject({ tokenSecret: good, metricsToken: good })
  })
})

test('proxies and contacts are checked like the other settings', () => {
  expect(readConfig({}).trustedProxies).toBe('loopback,linklocal,uniquelocal')
  expect(readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32' }).trustedProxies).toBe('10.0.0.0/8, 192.0.2.7,2001:db8::/32')
  for (const wrong of ['everybody', '10.0.0.0/8,', '*', 'true'])
    expect(() => readConfig({ TRUSTED_PROXIES: wrong })).toThrow('The setting TRUSTED_PROXIES must be addresses')
  for (const right of ['mailto:security@example.cn', 'https://example.cn/report', 'tel:+8628000000'])
    expect(readConfig({ SECURITY_CONTACT: right }).securityContact).toBe(right)
  for (const wrong of ['security@example.cn', 'http://example.cn', 'javascript:alert(1)'])
    expect(() => readConfig({ SECURITY_CONTACT: wrong })).toThrow('The setting SECURITY_CONTACT must be')
  const documented = (environment: Record<string, string>) => readConfig(environment).site.apiDocs
  expect([documented({}), documented({ DEMO: '0' }), documented({ DEMO: '0', API_DOCS: '1' })]).toEqual([true, false, true])
})
