// Schemas of the forms for signing in and for one's account. They stand apart from the calls, because pages that only read need none (decision 17).
import { z } from 'zod'
import { line, Mobile, paragraph } from '../fields.ts'
import { isStrongPassword, smsTypes } from './rules.ts'

// The server also refuses common passwords and those that contain a name.
const NewPassword = z
  .string()
  .refine((password) => !/\p{Cc}/u.test(password), { error: 'password_control', abort: true })
  .refine(isStrongPassword, 'password')
const SmsCode = z
  .string()
  .trim()
  .regex(/^\d{6}$/, 'sms_code')

export const Credentials = z
  .object({
    username: z.string().trim().max(30).optional(),
    phonenumber: z.string().trim().max(30).optional(),
    password: z.string().min(1).max(100),
    code: z.string().trim().max(10).optional(),
    uuid: z.string().trim().max(50).optional(),
  })
  .refine((body) => body.username || body.phonenumber, { path: ['username'], error: 'required' })

/** For the sign-in page once a picture code is asked for; other clients send an empty one before that. */
export const CredentialsWithCode = Credentials.and(z.object({ code: z.string().trim().min(1) }))

export const ImageCodeCheck = z.object({
  phonenumber: Mobile,
  code: z.string().trim().min(1).max(10),
  uuid: z.string().trim().min(1).max(50),
  type: z.enum(smsTypes),
})

export const Registration = z.object({
  phonenumber: Mobile,
  smsCode: SmsCode,
  password: NewPassword,
  agreeTerms: z.literal(true, { error: 'agree_terms' }),
  agreePrivacy: z.literal(true, { error: 'agree_privacy' }),
})

export const PasswordReset = z.object({ phonenumber: Mobile, smsCode: SmsCode, password: NewPassword })

export const SmsCredentials = z.object({ phonenumber: Mobile, smsCode: SmsCode })

export const PasswordChange = z.object({ oldPassword: z.string().min(1).max(100), password: NewPassword })

/** Six digits of the app, or a recovery code. */
const AnyFactorCode = z.string().trim().min(6).max(20)

/** `code`: of the second factor, from whoever has one. */
export const PhoneChange = z.object({
  password: z.string().min(1).max(100),
  phonenumber: Mobile,
  smsCode: SmsCode,
  code: AnyFactorCode.optional(),
})

export const CancellationRequest = z.object({
  reason: paragraph(500).pipe(z.string().min(2)),
  smsCode: SmsCode,
})

const Password = z.string().min(1).max(100)

export const FactorStart = z.object({ password: Password })

export const FactorCode = z.object({ code: SmsCode })

export const FactorEnd = z.object({ password: Password, code: AnyFactorCode })

export const FactorTicket = z.object({ ticket: z.string().min(1).max(100), code: AnyFactorCode })

export const Nickname = z.object({ nickName: line(1, 30) })
