import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Id, line, Mobile, optionalId, optionalText, paging, sorting } from '../fields.ts'
import { accountStatuses, operatorDuties, staffTypes, userType, userTypes } from './rules.ts'

const none = z.literal('').transform(() => undefined)
const params = z.object({ id: Id })
const reason = z.object({ reason: line(2, 500) })

/** An account as the platform's staff see it; the phone number is masked. */
export const ManagedAccount = z.object({
  userId: z.number(),
  userName: z.string(),
  name: z.string(),
  phonenumber: z.string(),
  userType: z.enum(userTypes),
  companyId: z.number().nullable(),
  companyName: z.string(),
  deptName: z.string(),
  isAdmin: z.boolean(),
  duties: z.array(z.enum(operatorDuties)),
  status: z.enum(accountStatuses),
  createTime: z.string(),
  lastSignIn: z.string().nullable(),
  version: z.number(),
})
export type ManagedAccount = z.infer<typeof ManagedAccount>

export const accountSorts = ['createTime'] as const

export const listAccounts = {
  method: 'GET',
  url: '/system/account/list',
  summary:
    'Every account, newest first; found by name, sign-in name, company or whole phone number. Of one company its people; its auditors only where userType asks for them',
  access: 'account:manage',
  form: 'list',
  query: z.object({
    ...paging(20),
    ...sorting(accountSorts),
    keyword: optionalText(60),
    userType: z.union([none, z.enum(userTypes)]).optional(),
    status: z.union([none, z.enum(accountStatuses)]).optional(),
    companyId: optionalId,
  }),
  answer: ManagedAccount,
} as const satisfies Endpoint

export const getAccount = {
  method: 'GET',
  url: '/system/account/:id',
  summary: 'One account with its latest sign-ins and open sessions',
  access: 'account:manage',
  form: 'data',
  params,
  answer: ManagedAccount.extend({
    nickName: z.string(),
    auditStatus: z.string(),
    /** While wrong passwords have used up the tries of one place at least, which unlocking the account ends. */
    lockedUntil: z.string().nullable(),
    signIns: z.array(
      z.object({ id: z.number(), at: z.string(), way: z.string(), succeeded: z.boolean(), address: z.string(), agent: z.string() }),
    ),
    sessions: z.array(z.object({ id: z.number(), createdAt: z.string(), expiresAt: z.string(), address: z.string(), agent: z.string() })),
  }),
} as const satisfies Endpoint

export const lockAccount = {
  method: 'PUT',
  url: '/system/account/:id/lock',
  summary: 'The person cannot sign in; open pages sign out at once',
  access: 'account:manage',
  audit: { action: 'account.lock', bizType: 'account' },
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint

export const unlockAccount = {
  method: 'PUT',
  url: '/system/account/:id/unlock',
  summary: 'The person may sign in again; wrong passwords are forgotten',
  access: 'account:manage',
  audit: { action: 'account.unlock', bizType: 'account' },
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint

/** It hashes a password and waits for the SMS provider; the new password holds even where that refuses. */
export const resetAccountPassword = {
  method: 'PUT',
  url: '/system/account/:id/resetPassword',
  summary: 'A new first password goes to the person by SMS and must be changed; open pages sign out',
  access: 'account:manage',
  transaction: 'own',
  form: 'data',
  params,
  body: reason,
  answer: z.null(),
} as const satisfies Endpoint

export const endAccountSessions = {
  method: 'PUT',
  url: '/system/account/:id/endSessions',
  summary: 'Signs the person out everywhere; how many sessions ended',
  access: 'account:manage',
  audit: { action: 'account.endSessions', bizType: 'account' },
  form: 'data',
  params,
  body: reason,
  answer: z.number(),
} as const satisfies Endpoint

const Staff = z.object({
  name: line(2, 20),
  userType: z.enum(staffTypes),
  duties: z.array(z.enum(operatorDuties)).max(operatorDuties.length).default([]),
  isAdmin: z.boolean().default(false),
  companyId: z.number().int().positive().nullable().default(null),
})
const complete = (staff: z.infer<typeof Staff>, context: z.RefinementCtx) => {
  const miss = (path: string) => context.addIssue({ code: 'custom', path: [path], message: 'required' })
  if (staff.userType === userType.auditor && staff.companyId === null) miss('companyId')
  if (staff.userType === userType.operator && staff.duties.length === 0) miss('duties')
}

/** It hashes a password and waits for the SMS provider; the account is added even where that refuses. */
export const addStaff = {
  method: 'POST',
  url: '/system/staff',
  summary: 'A new operator with duties, or an auditor of one organisation; the first password goes out by SMS',
  access: 'staff:edit',
  transaction: 'own',
  form: 'data',
  body: Staff.extend({
    userName: z
      .string()
      .trim()
      .regex(/^[a-zA-Z][\w.-]{1,29}$/, 'user_name'),
    phonenumber: Mobile,
  }).superRefine(complete),
  answer: z.object({ id: z.number() }),
} as const satisfies Endpoint

export const editStaff = {
  method: 'PUT',
  url: '/system/staff',
  summary: 'Other duties, another organisation to audit, or the administrator of the platform’s people',
  access: 'staff:edit',
  audit: { action: 'staff.edit', bizType: 'account', id: 'userId' },
  form: 'data',
  body: Staff.extend({ userId: Id, version: z.number().int() }).superRefine(complete),
  answer: z.null(),
} as const satisfies Endpoint
