import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'

export const waitingKinds = [
  'certification',
  'equipment',
  'trusted',
  'feedback',
  'contact',
  'cancellation',
  'blacklist',
  'outbox',
  'jobs',
] as const
export type WaitingKind = (typeof waitingKinds)[number]

export const getOverview = {
  method: 'GET',
  url: '/system/overview',
  summary: 'What waits and how long, as far as it is the operator’s duty, and the figures of the platform (of an auditor’s organisation)',
  access: 'admin:view',
  form: 'data',
  answer: z.object({
    /** `oldest` is when the longest waiting task began to wait. */
    waiting: z.array(z.object({ kind: z.enum(waitingKinds), count: z.number(), oldest: z.string().nullable() })),
    figures: z.object({
      companies: z.number(),
      people: z.number(),
      machines: z.number(),
      quoting: z.number(),
      judging: z.number(),
      published7: z.number(),
      quotes7: z.number(),
      awards7: z.number(),
    }),
  }),
} as const satisfies Endpoint

export const jobNames = [
  'openDemands',
  'undecidedDemands',
  'notifyLessors',
  'sendSms',
  'broadcasts',
  'savedSearches',
  'categoryMachines',
  'certifications',
  'equipmentPapers',
  'freshness',
  'blacklist',
  'cancellations',
  'contracts',
  'contractRoots',
  'cleaning',
  'backup',
] as const
export type JobName = (typeof jobNames)[number]

export const listJobs = {
  method: 'GET',
  url: '/system/job/list',
  summary: 'Work on a clock: when it last ran, how long it took, what failed, which items wait to be tried again or for the operator',
  access: 'system:view',
  form: 'data',
  answer: z.array(
    z.object({
      name: z.enum(jobNames),
      /** Seconds between two runs; null: started by hand. */
      every: z.number().nullable(),
      startedAt: z.string().nullable(),
      finishedAt: z.string().nullable(),
      durationMs: z.number(),
      runs: z.number(),
      failures: z.number(),
      lastError: z.string(),
      lastErrorAt: z.string().nullable(),
      detail: z.string(),
      /** Items that failed and are tried again by themselves. */
      retrying: z.number(),
      /** Items that failed each time and wait for the operator. */
      setAside: z.number(),
      /** The newest five of both. `key`: what the item is about, in the job's own words. */
      failedItems: z.array(
        z.object({
          key: z.string(),
          tries: z.number(),
          lastError: z.string(),
          failedAt: z.string(),
        }),
      ),
    }),
  ),
} as const satisfies Endpoint

export const retryJobItems = {
  method: 'PUT',
  url: '/system/job/:id/retry',
  summary: 'Try again, with the next round of the job, what was set aside of it; how many items',
  access: 'system:view',
  form: 'data',
  /** The job's name. */
  params: z.object({ id: z.enum(jobNames) }),
  answer: z.object({ items: z.number() }),
} as const satisfies Endpoint

export const getSystemStatus = {
  method: 'GET',
  url: '/system/status',
  summary: 'Version, database, files, connections, and the last backup',
  access: 'system:view',
  form: 'data',
  answer: z.object({
    version: z.string(),
    node: z.string(),
    upSeconds: z.number(),
    memoryBytes: z.number(),
    sockets: z.number(),
    database: z.object({
      version: z.string(),
      bytes: z.number(),
      connections: z.number(),
      maxConnections: z.number(),
      migrations: z.number(),
      lastMigration: z.string(),
      largest: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
    }),
    files: z.object({ count: z.number(), bytes: z.number(), freeBytes: z.number().nullable() }),
    smsProvider: z.string(),
    /** Age of the last backup in seconds; null when there was none. */
    lastBackup: z.object({ at: z.string(), detail: z.string() }).nullable(),
  }),
} as const satisfies Endpoint
