import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { exact, Id, optionalId, optionalText, paging } from '../fields.ts'

export const LessorCard = z.object({
  id: z.number(),
  enterpriseName: z.string(),
  provinceId: z.number().nullable(),
  cityId: z.number().nullable(),
  regionName: z.string(),
  regionNameEn: z.string(),
  grade: z.string().nullable(),
  equipmentCount: z.number(),
  dealCount: z.number(),
  mainCategories: z.array(z.object({ id: z.number(), name: z.string(), nameEn: z.string() })),
})
export type LessorCard = z.infer<typeof LessorCard>

export const listLessors = {
  method: 'GET',
  url: '/business/supplier/firstPageList',
  summary: 'The certified lessors',
  access: 'public',
  form: 'list',
  shared: true,
  query: z.object({
    ...paging(12),
    exact,
    enterpriseName: optionalText(40),
    provinceId: optionalId,
    cityId: optionalId,
    /** With a category or a group of them, only lessors with such a machine on the shelf. */
    categoryId: optionalId,
    fatherCategoryId: optionalId,
  }),
  answer: LessorCard,
} as const satisfies Endpoint

export const getLessor = {
  method: 'GET',
  url: '/business/supplier/firstPageList/:id',
  summary: 'A certified lessor',
  access: 'public',
  form: 'data',
  shared: true,
  params: z.object({ id: Id }),
  answer: LessorCard.extend({
    intro: z.string(),
    scaleType: z.string().nullable(),
    taxpayerType: z.string(),
    establishedOn: z.string().nullable(),
    certifiedTo: z.string().nullable(),
    serviceRegions: z.array(z.object({ code: z.number(), name: z.string(), nameEn: z.string() })),
    /** Invitations of demands that are past their deadline, quotes that were opened. */
    record: z.object({ invited: z.number(), answered: z.number(), quoted: z.number(), won: z.number(), withdrawn: z.number() }),
    fleet: z.array(
      z.object({ categoryId: z.number(), fatherCategoryId: z.number(), name: z.string(), nameEn: z.string(), count: z.number() }),
    ),
  }),
} as const satisfies Endpoint

export const lookAtLessor = {
  method: 'GET',
  url: '/business/supplier/:id/contact',
  summary: 'The contact of a certified lessor; every look is recorded and counts among those of the day',
  access: 'contact:look',
  transaction: 'call',
  form: 'data',
  params: z.object({ id: Id }),
  answer: z.object({ contactName: z.string(), contactPhone: z.string() }),
} as const satisfies Endpoint

export const listOwnDepts = {
  method: 'GET',
  url: '/system/dept/ownProjects',
  summary: 'The project departments one may publish for',
  access: 'demand:edit',
  form: 'data',
  answer: z.array(
    z.object({
      deptId: z.number(),
      deptName: z.string(),
      projectName: z.string(),
      projectType: z.string(),
      provinceId: z.number().nullable(),
      cityId: z.number().nullable(),
      districtId: z.number().nullable(),
      address: z.string(),
      lowEmissionZone: z.boolean(),
      leader: z.string(),
      phone: z.string(),
    }),
  ),
} as const satisfies Endpoint
