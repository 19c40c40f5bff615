import { createHash, createHmac, randomUUID } from 'node:crypto'
import { maskPhones } from '#shared/account/rules.ts'
import type { OutboxTemplate } from '#shared/outbox/contract.ts'
import type { Config } from '../config.ts'

/** One SMS for a provider: the template's code there, and the template's parameters in order. */
export type Sms = {
  phonenumber: string
  template: OutboxTemplate
  params: readonly (readonly [name: string, value: string])[]
}

export type SmsSender = {
  /** "local" sends nothing; the SMS is read in the outbox. */
  name: 'local' | 'aliyun' | 'tencent'
  /** Answers with the provider's own id of the message, if it gives one; rejects with the provider's reason. */
  send(sms: Sms, at: Date): Promise<string>
}

export type SignedRequest = { url: string; headers: Record<string, string>; body: string }

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Alibaba Cloud, signature version 3 (ACS3-HMAC-SHA256), for a POST with everything in the query. */
export function signAliyun(
  { id, secret }: { id: string; secret: string },
  { host, action, version, query }: { host: string; action: string; version: string; query: Record<string, string> },
  at: Date,
  nonce: string,
): SignedRequest {
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
  const search = Object.keys(query)
    .toSorted()
    .map((key) => `${encode(key)}=${encode(query[key] ?? '')}`)
    .join('&')
  const hash = sha256('')
  const headers: Record<string, string> = {
    host,
    'x-acs-action': action,
    'x-acs-content-sha256': hash,
    'x-acs-date': at.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    'x-acs-signature-nonce': nonce,
    'x-acs-version': version,
  }
  const names = Object.keys(headers).toSorted()
  const canonical = ['POST', '/', search, names.map((name) => `${name}:${headers[name]}\n`).join(''), names.join(';'), hash].join('\n')
  const signature = hmac(secret, `ACS3-HMAC-SHA256\n${sha256(canonical)}`).toString('hex')
  return {
    url: `https://${host}/?${search}`,
    headers: { ...headers, authorization: `ACS3-HMAC-SHA256 Credential=${id},SignedHeaders=${names.join(';')},Signature=${signature}` },
    body: '',
  }
}

/** Tencent Cloud, TC3-HMAC-SHA256 over content type and host. */
export function signTencent(
  { id, secret }: { id: string; secret: string },
  {
    host,
    service,
    action,
    version,
    region,
    body,
  }: { host: string; service: string; action: string; version: string; region: string; body: string },
  at: Date,
): SignedRequest {
  const day = at.toISOString().slice(0, 10)
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const type = 'application/json; charset=utf-8'
  const canonical = ['POST', '/', '', `content-type:${type}\nhost:${host}\n`, 'content-type;host', sha256(body)].join('\n')
  const scope = `${day}/${service}/tc3_request`
  const key = hmac(hmac(hmac(`TC3${secret}`, day), service), 'tc3_request')
  const signature = hmac(key, ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonical)].join('\n')).toString('hex')
  return {
    url: `https://${host}/`,
    headers: {
      host,
      'content-type': type,
      'x-tc-action': action,
      'x-tc-version': version,
      'x-tc-timestamp': timestamp,
      ...(region && { 'x-tc-region': region }),
      authorization: `TC3-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=content-type;host, Signature=${signature}`,
    },
    body,
  }
}

/** The provider's reason, which the outbox and the log repeat: without numbers of phones. */
const refused = (provider: string, code = '', message = '') => new Error(maskPhones(`${provider}: ${code} ${message}`))

type Post = (request: SignedRequest) => Promise<unknown>

/** Over HTTPS, ten seconds at most. */
const post: Post = async ({ url, headers: { host: _, ...headers }, body }) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
  return response.json()
}

export function aliyunSender(sms: NonNullable<Config['sms']>, request: Post = post): SmsSender {
  return {
    name: 'aliyun',
    async send({ phonenumber, template, params }, at) {
      const query = {
        PhoneNumbers: phonenumber,
        SignName: sms.sign,
        TemplateCode: sms.templates[template],
        TemplateParam: JSON.stringify(Object.fromEntries(params)),
      }
      const signed = signAliyun(sms, { host: 'dysmsapi.aliyuncs.com', action: 'SendSms', version: '2017-05-25', query }, at, randomUUID())
      const answer = (await request(signed)) as { Code?: string; Message?: string; BizId?: string }
      if (answer.Code !== 'OK') throw refused('aliyun', answer.Code, answer.Message)
      return answer.BizId ?? ''
    },
  }
}

export function tencentSender(sms: NonNullable<Config['sms']>, request: Post = post): SmsSender {
  return {
    name: 'tencent',
    async send({ phonenumber, template, params }, at) {
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${phonenumber}`],
        SmsSdkAppId: sms.appId,
        SignName: sms.sign,
        TemplateId: sms.templates[template],
        TemplateParamSet: params.map(([, value]) => value),
      })
      const signed = signTencent(
        sms,
        { host: 'sms.tencentcloudapi.com', service: 'sms', action: 'SendSms', version: '2021-01-11', region: 'ap-guangzhou', body },
        at,
      )
      const { Response } = (await request(signed)) as {
        Response?: { Error?: { Code: string; Message: string }; SendStatusSet?: { Code: string; Message: string; SerialNo?: string }[] }
      }
      const status = Response?.SendStatusSet?.[0]
      if (Response?.Error || status?.Code !== 'Ok')
        throw refused('tencent', Response?.Error?.Code ?? status?.Code, Response?.Error?.Message ?? status?.Message)
      return status.SerialNo ?? ''
    },
  }
}

/** The provider of the settings. Without one, the text is printed where the process runs and stored in the outbox. */
export function smsSender(sms: Config['sms']): SmsSender {
  if (sms?.provider === 'aliyun') return aliyunSender(sms)
  if (sms?.provider === 'tencent') return tencentSender(sms)
  return { name: 'local', send: () => Promise.resolve('') }
}
