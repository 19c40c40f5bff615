import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, paging } from '../fields.ts'
import {
  CancellationRequest,
  Credentials,
  ImageCodeCheck,
  Nickname,
  PasswordChange,
  PasswordReset,
  PhoneChange,
  Registration,
  SmsCredentials,
} from './input.ts'
import { codeTypes, roles, setupSteps, signInWays } from './rules.ts'
import { permissions } from './permissions.ts'

export const getImageCode = {
  method: 'GET',
  url: '/code',
  summary: 'A picture code, valid for two minutes and one use, bound to its type',
  access: 'public',
  limit: 60,
  form: 'top',
  query: z.object({ type: z.enum(codeTypes).default('login') }),
  answer: z.object({ captchaEnabled: z.boolean(), uuid: z.string(), img: z.string(), mime: z.string() }),
} as const satisfies Endpoint

export const SignedIn = z.object({
  access_token: z.string(),
  /** Minutes. */
  expires_in: z.number(),
  certSign: z.number(),
  auditStatus: z.number(),
  /** Signing in within the cooling period takes a cancellation back. */
  cancellationWithdrawn: z.boolean(),
})
export type SignedIn = z.infer<typeof SignedIn>

export const validImageCode = {
  method: 'POST',
  url: '/auth/validImageCode',
  summary: 'Checks the picture code and sends an SMS code of the same type: 6 digits, 5 minutes, one use; 60 s apart, 10 a day',
  access: 'public',
  limit: 60,
  transaction: 'own',
  form: 'data',
  body: ImageCodeCheck,
  /** Seconds. */
  answer: z.object({ resendAfter: z.number(), expiresIn: z.number() }),
} as const satisfies Endpoint

export const foregroundRegister = {
  method: 'POST',
  url: '/auth/foregroundRegister',
  summary: 'Register with a phone number; the new account is signed in',
  access: 'public',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: Registration,
  answer: SignedIn,
} as const satisfies Endpoint

export const forgetPassword = {
  method: 'POST',
  url: '/auth/forgetPassword',
  summary: 'A new password by SMS code; every session of the account ends',
  access: 'public',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: PasswordReset,
  answer: z.null(),
} as const satisfies Endpoint

export const messageLogin = {
  method: 'POST',
  url: '/auth/messageLogin',
  summary: 'Sign in with an SMS code',
  access: 'public',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: SmsCredentials,
  answer: SignedIn,
} as const satisfies Endpoint

export const resetPassword = {
  method: 'POST',
  url: '/auth/resetPassword',
  summary: 'Change the own password; the other sessions end',
  access: 'account',
  setup: 'password',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: PasswordChange,
  answer: z.null(),
} as const satisfies Endpoint

export const resetPhoneNumber = {
  method: 'POST',
  url: '/auth/resetPhoneNumber',
  summary:
    'Change the own phone number; the SMS code went to the new one, and whoever has a second factor gives its code. The other sessions end',
  access: 'account',
  limit: 30,
  transaction: 'own',
  form: 'data',
  body: PhoneChange,
  answer: z.null(),
} as const satisfies Endpoint

export const refreshProject = {
  method: 'GET',
  url: '/auth/refreshPrject/:id',
  summary: 'Switch to another of the own project departments: a new token, the old one ends',
  access: 'account',
  transaction: 'call',
  form: 'data',
  params: z.object({ id: Id }),
  answer: SignedIn,
} as const satisfies Endpoint

export const listSignIns = {
  method: 'GET',
  url: '/auth/signInRecords',
  summary: 'Own sign-ins, newest first, failed ones too',
  access: 'account',
  form: 'list',
  query: z.object(paging()),
  answer: z.object({
    id: z.number(),
    at: z.string(),
    way: z.enum(signInWays),
    succeeded: z.boolean(),
    address: z.string(),
    agent: z.string(),
  }),
} as const satisfies Endpoint

export const listSessions = {
  method: 'GET',
  url: '/auth/sessions',
  summary: 'Where the account is signed in',
  access: 'account',
  form: 'data',
  answer: z.array(
    z.object({
      id: z.number(),
      createdAt: z.string(),
      expiresAt: z.string(),
      address: z.string(),
      agent: z.string(),
      current: z.boolean(),
    }),
  ),
} as const satisfies Endpoint

export const endSession = {
  method: 'DELETE',
  url: '/auth/sessions/:id',
  summary: 'Sign another device out',
  access: 'account',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export const endOtherSessions = {
  method: 'DELETE',
  url: '/auth/sessions',
  summary: 'Sign every other device out',
  access: 'account',
  form: 'data',
  /** Number of sessions that ended. */
  answer: z.number(),
} as const satisfies Endpoint

export const webLogin = {
  method: 'POST',
  url: '/auth/webLogin',
  summary: 'Sign in with a password',
  access: 'public',
  limit: 60,
  transaction: 'own',
  form: 'data',
  body: Credentials,
  answer: SignedIn,
} as const satisfies Endpoint

export const logout = {
  method: 'DELETE',
  url: '/auth/logout',
  summary: 'End the session; answers 200 without a valid token too',
  access: 'public',
  form: 'data',
  answer: z.null(),
} as const satisfies Endpoint

export const Dept = z.object({
  deptId: z.number().nullable(),
  deptName: z.string(),
  name: z.string(),
  leader: z.string(),
})

export const CurrentUser = z.object({
  userId: z.number(),
  userName: z.string(),
  nickName: z.string(),
  name: z.string(),
  phonenumber: z.string(),
  deptId: z.number().nullable(),
  dept: Dept,
  createTime: z.string(),
  userType: z.string(),
  isAdmin: z.boolean(),
  companyId: z.number().nullable(),
  companyName: z.string(),
  certSign: z.number(),
  auditStatus: z.number(),
  deptList: z.array(z.object({ deptId: z.number(), deptName: z.string() })),
})
export type CurrentUser = z.infer<typeof CurrentUser>

export const UserInfo = z.object({
  permissions: z.array(z.enum(permissions)),
  roles: z.array(z.enum(roles)),
  /** The role in which they go on with contracts, also where a certification has run out and they have no other. */
  contractRole: z.enum(roles).nullable(),
  user: CurrentUser,
  /** The first password was given by somebody else and must be changed. */
  isDefaultModifyPwd: z.boolean(),
  /** What must be done before anything else is answered. */
  setup: z.enum(setupSteps).nullable(),
  /** Only where the operator switched password expiry on. */
  isPasswordExpired: z.boolean(),
})
export type UserInfo = z.infer<typeof UserInfo>

export const getUserInfo = {
  method: 'GET',
  url: '/system/user/foregroundGetInfo',
  summary: 'The current user, roles and permissions',
  access: 'account',
  setup: 'password',
  form: 'top',
  answer: UserInfo,
} as const satisfies Endpoint

export const updateNickname = {
  method: 'POST',
  url: '/system/user/updateNickname',
  summary: 'Change the own display name',
  access: 'account',
  form: 'data',
  body: Nickname,
  answer: z.null(),
} as const satisfies Endpoint

export const checkCancellation = {
  method: 'GET',
  url: '/system/logoutUser/check',
  summary: 'What stands in the way of cancelling the account',
  access: 'account',
  form: 'data',
  answer: z.object({
    /** Masked: the SMS code goes there. */
    phonenumber: z.string(),
    coolingDays: z.number(),
    /** When the request was made that waits for the operator. */
    waitingSince: z.string().nullable(),
    points: z.array(
      z.object({
        kind: z.enum(['demands', 'quotes', 'deals', 'contracts', 'lastAdmin', 'blacklist']),
        count: z.number(),
        link: z.string(),
      }),
    ),
  }),
} as const satisfies Endpoint

export const requestCancellation = {
  method: 'POST',
  url: '/system/logoutUser/add',
  summary: 'Ask for the account to be cancelled: every session ends, seven days later it is erased; signing in takes it back',
  access: 'account',
  limit: 10,
  transaction: 'own',
  form: 'data',
  body: CancellationRequest,
  answer: z.object({ dueAt: z.string() }),
} as const satisfies Endpoint

export const exportOwnData = {
  method: 'GET',
  url: '/system/user/exportMine',
  summary: 'Everything the platform keeps about the person: a ZIP of JSON and CSV',
  access: 'account',
  limit: 10,
  form: 'file',
  answer: z.null(),
} as const satisfies Endpoint
