import { z } from 'zod'
import { grades } from '../company/manage.ts'
import type { Endpoint } from '../endpoint.ts'
import { line } from '../fields.ts'
import { LprEntries } from './lpr.ts'

/** All settings that change without a restart, with their defaults. Amounts are in fen. */
export const settingSchemas = {
  /** Days after which a password must be changed; 0 never. */
  security: z.object({ passwordDays: z.number().int().min(0).max(365) }),
  /** Grades of lessors whose machines go on the shelf before their review (先上后审). */
  review: z.object({ trustGrades: z.array(z.enum(grades)).max(grades.length) }),
  /** Number of contacts that one account may reveal in a day. */
  limits: z.object({ looksPerDay: z.number().int().min(1).max(1000) }),
  /** One-year loan prime rates; late interest of a contract may not be lower than that of the day. */
  lpr: z.object({ entries: LprEntries }),
  /** Assumptions of the landed cost: diesel per litre, an operator per month. */
  cost: z.object({ dieselFenPerLitre: z.number().int().min(1).max(10_000), operatorMonthFen: z.number().int().min(1).max(100_000_000) }),
} as const
export type SettingKey = keyof typeof settingSchemas
export type Setting<K extends SettingKey> = z.infer<(typeof settingSchemas)[K]>

export const settingDefaults: { [K in SettingKey]: Setting<K> } = {
  security: { passwordDays: 0 },
  review: { trustGrades: [] },
  limits: { looksPerDay: 50 },
  lpr: { entries: [{ fromDay: '2025-05-20', bp: 300 }] },
  cost: { dieselFenPerLitre: 760, operatorMonthFen: 900_000 },
}

const Values = z.object({
  security: settingSchemas.security,
  review: settingSchemas.review,
  limits: settingSchemas.limits,
  lpr: settingSchemas.lpr,
  cost: settingSchemas.cost,
})

export const getSettings = {
  method: 'GET',
  url: '/system/config/list',
  summary: 'Every setting with its value; its history is in the audit log',
  access: 'setting:edit',
  form: 'data',
  answer: Values,
} as const satisfies Endpoint

const change = <K extends SettingKey>(key: K) =>
  z.object({
    key: z.literal(key),
    value: settingSchemas[key],
    /** The value that the change was made on. */
    before: settingSchemas[key],
    reason: line(2, 500),
  })

export const saveSetting = {
  method: 'PUT',
  url: '/system/config',
  summary:
    'Change one setting, with a reason; it holds from now on, in every instance, and is refused if somebody else has changed the setting since',
  access: 'setting:edit',
  form: 'data',
  body: z.discriminatedUnion('key', [change('security'), change('review'), change('limits'), change('lpr'), change('cost')]),
  answer: z.null(),
} as const satisfies Endpoint

export const listSettingHistory = {
  method: 'GET',
  url: '/system/config/history',
  summary: 'The latest changes of settings, newest first',
  access: 'setting:edit',
  form: 'data',
  answer: z.array(
    z.object({
      seq: z.number(),
      at: z.string(),
      who: z.string(),
      key: z.string(),
      reason: z.string(),
      before: z.record(z.string(), z.unknown()).nullable(),
      after: z.record(z.string(), z.unknown()).nullable(),
    }),
  ),
} as const satisfies Endpoint
