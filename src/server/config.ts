import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { OutboxTemplate } from '#shared/outbox/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { scannerAddress, type ScannerAddress } from './outside/scanner.ts'
import type { S3 } from './outside/storage.ts'
import type { Site } from '#shared/site.ts'

const Port = z.coerce.number().int().min(1).max(65_535)
const Switch = z.enum(['0', '1', 'true', 'false', 'on', 'off']).transform((value) => ['1', 'true', 'on'].includes(value))

/** Addresses of proxies: the names that the proxy-addr package knows, and addresses with or without a prefix length. */
const Proxies = z.string().regex(/^(?:(?:loopback|linklocal|uniquelocal|[\da-f.:]+(?:\/\d{1,3})?)(?:,\s*(?!$)|$))+$/i)
/** Not one letter again and again, nor a short piece of text repeated. */
const isHardToGuess = (secret: string): boolean =>
  new Set(secret).size >= 8 && ![...Array(16).keys()].some((at) => secret.slice(at + 1) === secret.slice(0, -at - 1))

const Environment = z.object({
  PORT: Port.default(3000),
  HOST: z.string().min(1).optional(),
  DATA_DIR: z.string().min(1).default('data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUSTED_PROXIES: Proxies.default('loopback,linklocal,uniquelocal'),
  TOKEN_SECRET: z.string().min(32).refine(isHardToGuess).optional(),
  DEMO: Switch.optional(),
  REHEARSAL: Switch.optional(),
  API_DOCS: Switch.optional(),
  SECURITY_CONTACT: z.url({ protocol: /^(https|mailto|tel)$/ }).optional(),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
  DATABASE_STATEMENT_SECONDS: z.coerce.number().int().min(1).max(600).default(15),
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z.string().min(1).max(63).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_KEY_ID: z.string().min(1).optional(),
  S3_SECRET: z.string().min(1).optional(),
  CLAMAV: z
    .string()
    .refine((text) => scannerAddress(text) !== undefined)
    .optional(),
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  METRICS_TOKEN: z.string().min(16).refine(isHardToGuess).optional(),
  CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(1000),
  SITE_NAME: z.string().min(1).max(20).default(zhCn.site.name),
  SITE_NAME_EN: z.string().min(1).max(40).default(en.site.name),
  COMPANY_NAME: z.string().max(60).default(''),
  COMPANY_ADDRESS: z.string().max(100).default(''),
  ICP_NUMBER: z.string().max(40).default(''),
  POLICE_NUMBER: z.string().max(40).default(''),
  SERVICE_PHONE: z.string().max(30).default(''),
  SERVICE_HOURS: z.string().max(60).default(''),
  SMS_PROVIDER: z.enum(['aliyun', 'tencent']).optional(),
  SMS_KEY_ID: z.string().min(1).optional(),
  SMS_KEY_SECRET: z.string().min(1).optional(),
  SMS_SIGN: z.string().min(1).max(40).optional(),
  SMS_APP_ID: z.string().max(40).default(''),
  SMS_TEMPLATE_CODE: z.string().min(1).max(60).optional(),
  SMS_TEMPLATE_SIGN: z.string().min(1).max(60).optional(),
  SMS_TEMPLATE_REGISTERED: z.string().min(1).max(60).optional(),
  SMS_TEMPLATE_NOTICE: z.string().min(1).max(60).optional(),
  SMS_TEMPLATE_PASSWORD: z.string().min(1).max(60).optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
})

const hints: Record<keyof z.infer<typeof Environment>, string> = {
  PORT: 'a port from 1 to 65535',
  HOST: 'an address to listen on, such as 0.0.0.0 or 127.0.0.1',
  DATA_DIR: 'a folder for the database and the files',
  DATABASE_URL: 'a PostgreSQL address, postgres://user:password@host:5432/name',
  PUBLIC_URL: 'the address people use, https://example.cn',
  TRUSTED_PROXIES: 'addresses such as 10.0.0.0/8, or loopback, linklocal and uniquelocal, separated by commas',
  TOKEN_SECRET: 'at least 32 characters that nobody can guess, such as those of: openssl rand -base64 48',
  DEMO: '1 or 0',
  REHEARSAL: '1 or 0',
  API_DOCS: '1 or 0',
  SECURITY_CONTACT: 'an address that takes reports of weaknesses, mailto:security@example.cn, tel:+8628000000 or https://example.cn/report',
  DATABASE_CONNECTIONS: 'from 2 to 200',
  DATABASE_STATEMENT_SECONDS: 'from 1 to 600 seconds',
  DATABASE_REPLICA_URL: 'a PostgreSQL address of a copy that is kept up to date, for what visitors read',
  S3_ENDPOINT: 'the address of an S3 store, https://s3.example.cn',
  S3_BUCKET: 'the bucket for the files',
  S3_REGION: 'the region of the bucket',
  S3_KEY_ID: 'the access key of the store',
  S3_SECRET: 'the secret of that key',
  CLAMAV: 'where clamd listens, unix:/run/clamav/clamd.ctl or tcp://clamav:3310',
  DRAIN_SECONDS: 'from 0 to 60 seconds',
  METRICS_TOKEN: 'at least 16 characters that nobody can guess',
  CACHE_MS: 'from 0 to 60000 milliseconds',
  SITE_NAME: '1 to 20 characters',
  SITE_NAME_EN: '1 to 40 characters',
  COMPANY_NAME: 'at most 60 characters',
  COMPANY_ADDRESS: 'at most 100 characters',
  ICP_NUMBER: 'at most 40 characters',
  POLICE_NUMBER: 'at most 40 characters',
  SERVICE_PHONE: 'at most 30 characters',
  SERVICE_HOURS: 'at most 60 characters',
  SMS_PROVIDER: 'aliyun or tencent',
  SMS_KEY_ID: 'the access key of the SMS provider',
  SMS_KEY_SECRET: 'the secret of that key',
  SMS_SIGN: 'the signature registered with the SMS provider',
  SMS_APP_ID: 'the application of the SMS provider (tencent only)',
  SMS_TEMPLATE_CODE: 'the template for codes, with the parameter code',
  SMS_TEMPLATE_SIGN: 'the template for codes that sign a contract, with the parameters code and title',
  SMS_TEMPLATE_REGISTERED: 'the template that tells a number is registered already',
  SMS_TEMPLATE_NOTICE: 'the template for notices, with the parameter title',
  SMS_TEMPLATE_PASSWORD: 'the template for first passwords, with the parameters name and password',
  LOG_LEVEL: 'silent, error, warn, info or debug',
}

export type Config = {
  port: number
  host: string
  dataDir: string
  /** Absent: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  publicUrl: string | undefined
  /** Whose `X-Forwarded-For` is believed, where there is a public address. */
  trustedProxies: string
  /** Absent with the embedded database: made at the first start and kept in `dataDir`. */
  tokenSecret: string | undefined
  demo: boolean
  /** A test run, which may have on its own database what only a demo may have. */
  rehearsal: boolean
  /** Absent: the page of contacts takes reports of weaknesses. */
  securityContact: string | undefined
  /** At most so many of this process at once. */
  connections: number
  /** After so long the database ends a statement of a call. */
  statementSeconds: number
  /** Absent: what visitors read comes from the database itself. */
  replicaUrl: string | undefined
  /** Absent: files lie in `dataDir`. */
  s3: S3 | undefined
  /** Absent: files are not scanned for viruses. */
  scanner: ScannerAddress | undefined
  /** How long a process that ends still answers, while a balancer learns that it does. */
  drainMs: number
  /** Absent: no metrics are given out. */
  metricsToken: string | undefined
  /** How long what visitors see may be old; 0 keeps nothing. */
  cacheMs: number
  site: Site
  /** Absent: nothing leaves, SMS stay in the outbox. */
  sms:
    | {
        provider: 'aliyun' | 'tencent'
        id: string
        secret: string
        sign: string
        appId: string
        templates: Record<OutboxTemplate, string>
      }
    | undefined
  logLevel: z.infer<typeof Environment>['LOG_LEVEL']
}

/** A start that cannot go on; its message is one sentence for the person at the terminal. */
export class StartRefused extends Error {}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.keys(hints).map((key) => [key, environment[key] === '' ? undefined : environment[key]]))
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const key = String(parsed.error.issues[0]?.path[0]) as keyof typeof hints
    throw new StartRefused(`The setting ${key} must be ${hints[key]}.`)
  }
  const env = parsed.data
  if (env.DATABASE_URL && !env.TOKEN_SECRET)
    throw new StartRefused('With DATABASE_URL the setting TOKEN_SECRET is required: the same for every instance, at least 32 characters.')
  const sms = smsOf(env)
  const demo = env.DEMO ?? !(env.DATABASE_URL ?? env.PUBLIC_URL)
  return {
    port: env.PORT,
    // The passwords of a demo are published, so it is for this machine unless somebody says otherwise.
    host: env.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'),
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    publicUrl: env.PUBLIC_URL,
    trustedProxies: env.TRUSTED_PROXIES,
    tokenSecret: env.TOKEN_SECRET,
    demo,
    rehearsal: env.REHEARSAL ?? false,
    securityContact: env.SECURITY_CONTACT,
    connections: env.DATABASE_CONNECTIONS,
    statementSeconds: env.DATABASE_STATEMENT_SECONDS,
    replicaUrl: env.DATABASE_REPLICA_URL,
    s3: s3Of(env),
    scanner: env.CLAMAV ? scannerAddress(env.CLAMAV) : undefined,
    drainMs: env.DRAIN_SECONDS * 1000,
    metricsToken: env.METRICS_TOKEN,
    cacheMs: env.CACHE_MS,
    site: {
      name: env.SITE_NAME,
      nameEn: env.SITE_NAME_EN,
      company: env.COMPANY_NAME,
      address: env.COMPANY_ADDRESS,
      icp: env.ICP_NUMBER,
      police: env.POLICE_NUMBER,
      phone: env.SERVICE_PHONE,
      hours: env.SERVICE_HOURS,
      apiDocs: env.API_DOCS ?? demo,
    },
    sms,
    logLevel: env.LOG_LEVEL,
  }
}

/** Whether only this machine reaches a server that listens there. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host)

/**
 * Refuses to start for the public, with an address or a database of its own, with what only a demo may have. `holdsDemo`: the database holds
 * the accounts of the demo market, whose passwords are published.
 */
export function refuseUnsafe({ publicUrl, databaseUrl, rehearsal, host, demo, sms }: Config, holdsDemo = false): void {
  if (rehearsal && (publicUrl || !isLoopback(host)))
    throw new StartRefused('With REHEARSAL the server is for this machine: set HOST to 127.0.0.1 and leave out PUBLIC_URL.')
  if (rehearsal || !(publicUrl ?? databaseUrl)) return
  const because = publicUrl ? 'PUBLIC_URL' : 'DATABASE_URL'
  if (demo) throw new StartRefused(`With ${because} there can be no demo, because its passwords are published: leave out DEMO.`)
  if (holdsDemo)
    throw new StartRefused(
      `With ${because} the database may not hold the demo market, because its passwords are published: use an empty one.`,
    )
  if (!sms)
    throw new StartRefused(
      `With ${because} the setting SMS_PROVIDER is required, because codes and first passwords leave by SMS: ${hints.SMS_PROVIDER}.`,
    )
}

function smsOf(env: z.infer<typeof Environment>): Config['sms'] {
  if (!env.SMS_PROVIDER) return undefined
  const needed = [
    'SMS_KEY_ID',
    'SMS_KEY_SECRET',
    'SMS_SIGN',
    'SMS_TEMPLATE_CODE',
    'SMS_TEMPLATE_SIGN',
    'SMS_TEMPLATE_REGISTERED',
    'SMS_TEMPLATE_NOTICE',
    'SMS_TEMPLATE_PASSWORD',
  ] as const
  const missing = needed.find((key) => !env[key]) ?? (env.SMS_PROVIDER === 'tencent' && !env.SMS_APP_ID ? 'SMS_APP_ID' : undefined)
  if (missing) throw new StartRefused(`With SMS_PROVIDER the setting ${missing} is required: ${hints[missing]}.`)
  return {
    provider: env.SMS_PROVIDER,
    id: env.SMS_KEY_ID ?? '',
    secret: env.SMS_KEY_SECRET ?? '',
    sign: env.SMS_SIGN ?? '',
    appId: env.SMS_APP_ID,
    templates: {
      code: env.SMS_TEMPLATE_CODE ?? '',
      signCode: env.SMS_TEMPLATE_SIGN ?? '',
      registered: env.SMS_TEMPLATE_REGISTERED ?? '',
      notice: env.SMS_TEMPLATE_NOTICE ?? '',
      firstPassword: env.SMS_TEMPLATE_PASSWORD ?? '',
    },
  }
}

function s3Of(env: z.infer<typeof Environment>): Config['s3'] {
  if (!env.S3_ENDPOINT) return undefined
  const missing = (['S3_BUCKET', 'S3_KEY_ID', 'S3_SECRET'] as const).find((key) => !env[key])
  if (missing) throw new StartRefused(`With S3_ENDPOINT the setting ${missing} is required: ${hints[missing]}.`)
  return {
    endpoint: env.S3_ENDPOINT,
    bucket: env.S3_BUCKET ?? '',
    region: env.S3_REGION,
    keyId: env.S3_KEY_ID ?? '',
    secret: env.S3_SECRET ?? '',
  }
}

/** Made at the first start and kept in the data folder. */
export function storedSecret(dataDir: string): string {
  const path = join(dataDir, 'secret')
  if (!existsSync(path)) writeFileSync(path, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  return readFileSync(path, 'utf8').trim()
}
