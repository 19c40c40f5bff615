import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { Flag, Id, line, Mobile, optionalId, optionalText, paging, sorting } from '../fields.ts'
import { accountStatuses } from '../account/rules.ts'
import { contractTasks } from '../contract/rules.ts'
import { deptTypes, type DeptType } from '../dept/rules.ts'

const Person = z.object({
  userId: z.number(),
  userName: z.string(),
  name: z.string(),
  nickName: z.string(),
  phonenumber: z.string(),
  userType: z.string(),
  isAdmin: z.boolean(),
  /** A driver of a lessor, with an account of their own and nothing else. */
  driverOnly: z.boolean(),
  /** 0 in use, 1 switched off. */
  status: z.enum(accountStatuses),
  /** Whether the platform has switched them off, so that only the platform switches them on. */
  platformLocked: z.boolean(),
  deptId: z.number().nullable(),
  deptName: z.string(),
  /** The names of all their departments, that of `deptId` first. */
  deptNames: z.array(z.string()),
  createTime: z.string(),
  version: z.number(),
})
export type Person = z.infer<typeof Person>

export const peopleSorts = ['name', 'createTime'] as const
const peopleFilter = {
  userName: optionalText(40),
  phonenumber: optionalText(20),
  /** This department and all below. */
  deptId: optionalId,
  status: z.union([z.literal('').transform(() => undefined), z.enum(accountStatuses)]).optional(),
}

export const listPeople = {
  method: 'GET',
  url: '/system/user/foregroundList',
  summary: 'People of the own organisation with masked numbers: an organisation its node and below, a lessor their company',
  access: 'user:view',
  form: 'list',
  query: z.object({ ...paging(10), ...sorting(peopleSorts), ...peopleFilter }),
  answer: Person,
} as const satisfies Endpoint

export const exportPeople = {
  method: 'GET',
  url: '/system/user/export',
  summary: 'The filtered list of people as a workbook, 10,000 rows at most',
  access: 'user:view',
  limit: 10,
  form: 'file',
  query: z.object({ ...sorting(peopleSorts), ...peopleFilter }),
  answer: z.null(),
} as const satisfies Endpoint

export const personnelTypes = ['leader', 'contact', ...contractTasks, 'all'] as const

export const listPickablePeople = {
  method: 'GET',
  url: '/system/user/personnelList',
  summary:
    'The people picker: who can be named as leader, contact, signer, acceptor, logger or settler, with a contract only those who may be named for it; leaders are administrators and heads of departments',
  access: 'user:pick',
  form: 'list',
  query: z.object({
    ...paging(5),
    type: z.enum(personnelTypes).default('all'),
    name: optionalText(40),
    deptId: optionalId,
    contractId: optionalId,
    /** The person for whom a colleague is picked, who is left out. */
    besideId: optionalId,
  }),
  answer: Person.pick({ userId: true, name: true, phonenumber: true, deptId: true, deptName: true, deptNames: true }),
} as const satisfies Endpoint

export const getPerson = {
  method: 'GET',
  url: '/system/user/getUserInfo/:id',
  summary: 'One person of the own organisation, with their number, for an administrator',
  access: 'user:view',
  admin: true,
  form: 'data',
  params: z.object({ id: Id }),
  answer: Person.extend({ deptIds: z.array(z.number()) }),
} as const satisfies Endpoint

const PersonInput = z.object({
  name: line(2, 20),
  nickName: line(0, 30).default(''),
  phonenumber: Mobile,
  /** A person may belong to several project departments or to one unit. People of a lessor belong to the company and have no unit. */
  deptIds: z.array(Id).max(20).default([]),
  isAdmin: Flag.default(false),
  /** Of a lessor's people: they run machines and see nothing of the company. */
  driverOnly: Flag.default(false),
})

/** It hashes a password and waits for the SMS provider; the person is added even where that refuses. */
export const addPerson = {
  method: 'POST',
  url: '/system/user/addUser',
  summary: 'Add a person below the own node; a random first password goes by SMS and must be changed',
  access: 'user:edit',
  admin: true,
  transaction: 'own',
  form: 'data',
  body: PersonInput.extend({
    /** Absent: one is made. */
    userName: z
      .string()
      .trim()
      .regex(/^[A-Za-z][\w.-]{1,29}$/, 'user_name')
      .optional(),
  }),
  answer: z.object({ userId: z.number(), userName: z.string() }),
} as const satisfies Endpoint

/** It may hash a password and wait for the SMS provider; the change holds even where that refuses. */
export const editPerson = {
  method: 'POST',
  url: '/system/user/editUser',
  summary: 'Change a person, switch them off or on, or send a new first password',
  access: 'user:edit',
  admin: true,
  transaction: 'own',
  form: 'data',
  body: PersonInput.extend({
    userId: Id,
    /** Absent: as it is. Empty: their name. */
    nickName: line(0, 30).optional(),
    /** Absent: as it is. Whom the platform has locked, only the platform unlocks. */
    status: z.enum(accountStatuses).optional(),
    resetPassword: Flag.default(false),
    /** The version that was read; without it, a change by somebody else in between is overwritten. */
    version: z.number().int().optional(),
  }),
  answer: z.null(),
} as const satisfies Endpoint

export const deletePerson = {
  method: 'DELETE',
  url: '/system/user/delete/:id',
  summary: 'Remove a person who has nothing open; their name stays on their deeds',
  access: 'user:edit',
  admin: true,
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint

export type DeptNode = { id: number; label: string; deptType: DeptType; leader: string; disabled: boolean; children?: DeptNode[] }
const DeptNode: z.ZodType<DeptNode> = z.lazy(() =>
  z.object({
    id: z.number(),
    label: z.string(),
    deptType: z.enum(deptTypes),
    leader: z.string(),
    disabled: z.boolean(),
    children: z.array(DeptNode).optional(),
  }),
)

export const getDeptTree = {
  method: 'GET',
  url: '/system/user/foregroundDeptTree',
  summary: 'The own node of the organisation and all below, as a tree',
  access: 'user:pick',
  form: 'data',
  answer: z.array(DeptNode),
} as const satisfies Endpoint
