import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { aliyunSender, signAliyun, signTencent, smsSender, tencentSender, type SignedRequest } from './sms.ts'

test('the Aliyun signature is that of the vendor’s worked example (ACS3-HMAC-SHA256)', () => {
  const { url, headers } = signAliyun(
    { id: 'YourAccessKeyId', secret: 'YourAccessKeySecret' },
    {
      host: 'ecs.cn-shanghai.aliyuncs.com',
      action: 'RunInstances',
      version: '2014-05-26',
      query: { ImageId: 'win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd', RegionId: 'cn-shanghai' },
    },
    new Date('2023-10-26T10:22:32Z'),
    '3156853299f313e23d1673dc12e1703d',
  )
  expect(url).toBe('https://ecs.cn-shanghai.aliyuncs.com/?ImageId=win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd&RegionId=cn-shanghai')
  expect(headers.authorization).toBe(
    'ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0',
  )
})

test('the Tencent signature is that of the vendor’s worked example (TC3-HMAC-SHA256)', () => {
  const { headers } = signTencent(
    { id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******', secret: 'Gu5t9xGARNpq86cd98joQYCN3*******' },
    {
      host: 'cvm.tencentcloudapi.com',
      service: 'cvm',
      action: 'DescribeInstances',
      version: '2017-03-12',
      region: 'ap-guangzhou',
      body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    },
    new Date(1_551_113_065_000),
  )
  expect(headers.authorization).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3*******/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=2230eefd229f582d8b1b891af7107b91597240707d778ab3738f756258d7652c',
  )
})

const environment = {
  SMS_KEY_ID: 'id',
  SMS_KEY_SECRET: 'secret',
  SMS_SIGN: '筑机通',
  SMS_APP_ID: '1400000000',
  SMS_TEMPLATE_CODE: 'SMS_1',
  SMS_TEMPLATE_SIGN: 'SMS_5',
  SMS_TEMPLATE_REGISTERED: 'SMS_2',
  SMS_TEMPLATE_NOTICE: 'SMS_3',
  SMS_TEMPLATE_PASSWORD: 'SMS_4',
}
const configOf = (provider: string) => {
  const { sms } = readConfig({ ...environment, SMS_PROVIDER: provider })
  if (!sms) throw new Error('no provider')
  return sms
}
const letter = { phonenumber: '14400000001', template: 'code' as const, params: [['code', '123456']] as const }
const at = new Date('2026-11-23T02:00:00Z')

test('the settings name the provider; a missing one is reported in one sentence', () => {
  expect(smsSender(undefined).name).toBe('local')
  expect(smsSender(configOf('aliyun')).name).toBe('aliyun')
  expect(smsSender(configOf('tencent')).name).toBe('tencent')
  expect(() => readConfig({ SMS_PROVIDER: 'aliyun', SMS_KEY_ID: 'x' })).toThrow('SMS_KEY_SECRET is required')
  expect(() => readConfig({ ...environment, SMS_PROVIDER: 'tencent', SMS_APP_ID: '' })).toThrow('SMS_APP_ID is required')
  expect(() => readConfig({ SMS_PROVIDER: 'carrier-pigeon' })).toThrow('SMS_PROVIDER must be aliyun or tencent')
})

test('a request to Aliyun has its parameters, and a refusal becomes an error', async () => {
  const sent: SignedRequest[] = []
  const sender = (answer: unknown) =>
    aliyunSender(configOf('aliyun'), (request) => {
      sent.push(request)
      return Promise.resolve(answer)
    })
  await sender({ Code: 'OK' }).send(letter, at)
  const { searchParams, host } = new URL(sent[0]?.url ?? '')
  expect(host).toBe('dysmsapi.aliyuncs.com')
  expect(Object.fromEntries(searchParams)).toEqual({
    PhoneNumbers: '14400000001',
    SignName: '筑机通',
    TemplateCode: 'SMS_1',
    TemplateParam: '{"code":"123456"}',
  })
  await expect(sender({ Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: 'too many' }).send(letter, at)).rejects.toThrow(
    'BUSINESS_LIMIT_CONTROL',
  )
})

test('a request to Tencent has its parameters, and refusals become errors', async () => {
  const sent: SignedRequest[] = []
  const sender = (answer: unknown) =>
    tencentSender(configOf('tencent'), (request) => {
      sent.push(request)
      return Promise.resolve(answer)
    })
  await sender({ Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success' }] } }).send(letter, at)
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    PhoneNumberSet: ['+8614400000001'],
    SmsSdkAppId: '1400000000',
    SignName: '筑机通',
    TemplateId: 'SMS_1',
    TemplateParamSet: ['123456'],
  })
  expect(sent[0]?.headers['x-tc-version']).toBe('2021-01-11')
  await expect(sender({ Response: { Error: { Code: 'AuthFailure', Message: 'no' } } }).send(letter, at)).rejects.toThrow('AuthFailure')
  await expect(sender({ Response: { SendStatusSet: [{ Code: 'LimitExceeded', Message: 'no' }] } }).send(letter, at)).rejects.toThrow(
    'LimitExceeded',
  )
})
