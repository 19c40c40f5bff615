import { readFileSync } from 'node:fs'
import { getOverview, getSystemStatus, listJobs, retryJobItems } from '#shared/system/contract.ts'
import type { Api } from '../api.ts'
import { findJobs, findPlatformFigures, findSystemStatus, findWaiting, retryJob } from './queries.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }

export function systemRoutes(api: Api): void {
  api.handle(getOverview, async ({ db, actor, now }) => ({
    waiting: await findWaiting(db, actor),
    figures: await findPlatformFigures(db, actor, now),
  }))
  api.handle(listJobs, ({ db }) => findJobs(db))
  api.handle(retryJobItems, async ({ db, actor, now }, { params }) => ({ items: await retryJob(db, actor, params.id, now) }))
  api.handle(getSystemStatus, (services) => findSystemStatus(services, version))
}
