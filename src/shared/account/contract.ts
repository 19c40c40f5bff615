import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { line } from '../fields.ts'
import { permissions, roles } from './rules.ts'

export const getImageCode = {
  method: 'GET',
  url: '/code',
  summary: 'A picture code, valid for two minutes and one use, bound to its type',
  access: 'public',
  form: 'top',
  query: z.object({ type: z.enum(['login', 'register', 'forget', 'phone', 'cancel', 'contact']).default('login') }),
  answer: z.object({ captchaEnabled: z.boolean(), uuid: z.string(), img: z.string(), mime: z.string() }),
} as const satisfies Endpoint

export const Credentials = z
  .object({
    username: z.string().trim().max(30).optional(),
    phonenumber: z.string().trim().max(30).optional(),
    password: z.string().min(1).max(100),
    code: z.string().trim().max(10).optional(),
    uuid: z.string().trim().max(50).optional(),
  })
  .refine((body) => body.username || body.phonenumber, { path: ['username'], error: 'required' })

export const SignedIn = z.object({
  access_token: z.string(),
  /** Minutes. */
  expires_in: z.number(),
  certSign: z.number(),
  auditStatus: z.number(),
})

export const webLogin = {
  method: 'POST',
  url: '/auth/webLogin',
  summary: 'Sign in with a password',
  access: 'public',
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
  user: CurrentUser,
})
export type UserInfo = z.infer<typeof UserInfo>

export const getUserInfo = {
  method: 'GET',
  url: '/system/user/foregroundGetInfo',
  summary: 'The current user, roles and permissions',
  access: 'account',
  form: 'top',
  answer: UserInfo,
} as const satisfies Endpoint

export const updateNickname = {
  method: 'POST',
  url: '/system/user/updateNickname',
  summary: 'Change the own display name',
  access: 'account',
  form: 'data',
  body: z.object({ nickName: line(1, 30) }),
  answer: z.null(),
} as const satisfies Endpoint
