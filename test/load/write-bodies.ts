// What the measurements write as people do: demands for wheel loaders, and quotes for them.
import { randomBytes } from 'node:crypto'
import { addDays, dayOf, toMoment } from '#shared/calendar.ts'
import { writtenTitle } from './large.ts'
import { browserHeaders } from './rates.ts'

const today = dayOf(new Date())
const from = addDays(today, 400)
export const tokenOf = (userName: string) => ({ ...browserHeaders, authorization: `bench-${userName}` })
/** What the pages send with every creating call of somebody who is signed in: each call its own key. */
export const creating = (userName: string) => ({ ...tokenOf(userName), 'idempotency-key': randomBytes(16).toString('hex') })
/** Wheel loaders, by their rated load. */
export const wheelLoaders = 106

export const demandBody = (deptId: number, lines = 1) => ({
  title: writtenTitle,
  deptId,
  provinceId: 510_000,
  cityId: 510_100,
  address: '工地驻地',
  contactName: '王样本',
  contactPhone: '14400000001',
  quoteDeadline: toMoment(new Date(Date.now() + 3 * 86_400_000)),
  items: Array.from({ length: lines }, () => ({
    fatherCategoryId: 100,
    categoryId: wheelLoaders,
    specRequirements: [{ key: 'ratedLoad', rule: 'ge', value: '5' }],
    qty: 1,
    planStart: from,
    planEnd: addDays(from, 60),
    rentUnit: 'M',
  })),
})

export const quoteBody = (demandId: number, items: number[], machines: number[]) => ({
  demandId,
  contactName: '陈调度',
  contactPhone: '14400000002',
  validUntil: addDays(today, 40),
  lines: items.map((demandItemId, at) => ({
    demandItemId,
    machines: [{ equipmentId: machines[at] }],
    unitPrice: 16_000 + at,
    rentUnit: 'M',
    includesOperator: true,
    includesFuel: false,
    taxRate: 9,
    invoiceKind: 'special',
    earliestEntry: from,
    promisesRenewal: true,
  })),
})

/** Lessors with a wheel loader that fits `demandBody`, each with the machine that they offer. For `$1` a number of them. */
export const biddersQuery = `select distinct on (a.id) a.user_name, e.id from account a
  join equipment e on e.company_id = a.company_id and e.category_id = ${wheelLoaders} and e.main_value >= 5
  where a.user_type = '4' and a.id < 6000 order by a.id limit $1`

/** People of projects, each with their department. */
export const publishersQuery = `select user_name, dept_id from account where user_type = '3' and company_id = 1 and id < 6000 order by id`
