import { readFileSync } from 'node:fs'
import * as contract from '#shared/system/contract.ts'
import type { Api } from '../api.ts'
import { countPlatform, getSystemStatus, listJobs, retryJob } from './queries.ts'
import { findWaiting } from './waiting.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }

export function systemRoutes(api: Api): void {
  api.handle(contract.getOverview, async ({ db, actor, now, answerCache }) => ({
    waiting: await findWaiting(db, actor),
    // Asked again after each decision of a review; of a large market it takes a second (decision 14).
    figures: await answerCache.figure(`platform ${actor.role} ${actor.companyId} ${actor.deptId}`, () => countPlatform(db, actor, now)),
  }))
  api.handle(contract.listJobs, ({ db }) => listJobs(db))
  api.handle(contract.retryJobItems, (deed, { params }) => retryJob(deed, params.id))
  api.handle(contract.getSystemStatus, (services) => getSystemStatus(services, version))
}
