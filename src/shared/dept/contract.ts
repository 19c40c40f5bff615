import { z } from 'zod'
import { projectTypes } from '../demand/rules.ts'
import type { Endpoint } from '../endpoint.ts'
import { Flag, Id, isPhone, line, numeric } from '../fields.ts'
import { deptType, deptTypes, leaseUnitTypes } from './rules.ts'
import { enableStatuses } from '../rules.ts'

export const Dept = z.object({
  deptId: z.number(),
  parentId: z.number().nullable(),
  ancestors: z.array(z.number()),
  deptName: z.string(),
  deptType: z.enum(deptTypes),
  leader: z.string(),
  phone: z.string(),
  orderNum: z.number(),
  status: z.enum(enableStatuses),
  createTime: z.string(),
  projectName: z.string().nullable(),
  projectType: z.string().nullable(),
  provinceId: z.number().nullable(),
  cityId: z.number().nullable(),
  districtId: z.number().nullable(),
  address: z.string(),
  lowEmissionZone: z.boolean(),
  approvesDemands: z.boolean(),
  approvesAwards: z.boolean(),
  approvesContracts: z.boolean(),
  needsScan: z.boolean(),
  /** Number of people in this unit and all below, as the list of people filtered by it shows. */
  people: z.number(),
  /** Demands not yet decided of this unit and all below, as the list of demands filtered by it shows. */
  openDemands: z.number(),
  version: z.number(),
})
export type Dept = z.infer<typeof Dept>

export const listDepts = {
  method: 'GET',
  url: '/system/dept/foregroundList',
  summary: 'The own node of the organisation and all below, flat, parents before their children',
  access: 'dept:view',
  form: 'data',
  answer: z.array(Dept),
} as const satisfies Endpoint

const contact = {
  leader: line(0, 30).default(''),
  phone: z
    .string()
    .trim()
    .refine((text) => text === '' || isPhone(text), 'phone')
    .default(''),
  orderNum: numeric(z.number().int().min(0).max(9999)).default(0),
}

export const LeaseUnit = z.object({
  parentId: Id,
  deptName: line(2, 60),
  /** Demands, or awards, of everything below need the approval of an administrator of this unit or one above. */
  approvesDemands: Flag.default(false),
  approvesAwards: Flag.default(false),
  approvesContracts: Flag.default(false),
  /** Contracts of everything below need the scan of the sealed paper; those of six months or more always do. */
  needsScan: Flag.default(true),
  ...contact,
})

export const addLease = {
  method: 'POST',
  url: '/system/dept/addLease',
  summary: 'Add a subordinate unit',
  access: 'dept:edit',
  admin: true,
  form: 'data',
  body: LeaseUnit,
  answer: z.object({ deptId: z.number() }),
} as const satisfies Endpoint

export const ProjectDept = z.object({
  parentId: Id,
  deptName: line(2, 60),
  projectName: line(2, 60),
  projectType: z.enum(projectTypes),
  provinceId: Id,
  cityId: Id,
  districtId: Id.nullable().default(null),
  address: line(2, 200),
  lowEmissionZone: Flag.default(false),
  ...contact,
})

export const addDept = {
  method: 'POST',
  url: '/system/dept/addDept',
  summary: 'Add a project department',
  access: 'dept:edit',
  admin: true,
  form: 'data',
  body: ProjectDept,
  answer: z.object({ deptId: z.number() }),
} as const satisfies Endpoint

/** The version that was read; without it, a change by somebody else in between is overwritten. */
const version = z.number().int().optional()

export const editDept = {
  method: 'PUT',
  url: '/system/dept',
  summary: 'Change a unit or project department; another parent moves it with all below',
  access: 'dept:edit',
  admin: true,
  form: 'data',
  body: z.union([
    ProjectDept.extend({ deptId: Id, deptType: z.literal(deptType.project), version }),
    LeaseUnit.extend({ deptId: Id, deptType: z.enum(leaseUnitTypes), parentId: Id.nullable(), version }),
  ]),
  answer: z.null(),
} as const satisfies Endpoint

export const switchDept = {
  method: 'PUT',
  url: '/system/dept/:id/status',
  summary: 'Switch off what has nothing running, or on again',
  access: 'dept:edit',
  admin: true,
  form: 'data',
  params: z.object({ id: Id }),
  body: z.object({ status: z.enum(enableStatuses) }),
  answer: z.null(),
} as const satisfies Endpoint

export const deleteDept = {
  method: 'DELETE',
  url: '/system/dept/:id',
  summary: 'Remove what was never used: nothing below, no people, no demand, no application that waits',
  access: 'dept:edit',
  admin: true,
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.null(),
} as const satisfies Endpoint
