import type { FastifyBaseLogger } from 'fastify'
import type { JobName } from '#shared/system/contract.ts'
import { finishCancellations } from '../account/cancellation.ts'
import { deleteExpired } from '../account/queries.ts'
import { expireBlacklist } from '../blacklist/moves.ts'
import { findDueDemands, openDemand } from '../opening/moves.ts'
import { tellWaiting } from '../quote/notices.ts'
import { expireCertifications, remindOfPapers } from '../certification/expiry.ts'
import { remindOfEquipmentPapers, takeExpiredOff } from '../equipment/expiry.ts'
import { alertSavedSearches } from '../favourite/saved-searches.ts'
import { lapseFeedback } from '../feedback/queries.ts'
import { flushOutbox } from '../outbox/queries.ts'
import { transact } from '../deed.ts'
import type { Services } from '../services.ts'
import { recordRun } from './runs.ts'

/** Opens what is due. Several instances may do this at once: each demand moves for one of them only. */
export async function openDueDemands(services: Services): Promise<number> {
  const { db, clock } = services
  let opened = 0
  for (const id of await findDueDemands(db, clock.now()))
    if (await transact(services, { now: clock.now() }, (work) => openDemand(work, id, 'clock'))) opened++
  return opened
}

type Work = (services: Services) => Promise<unknown>

/** What depends on the day; each part finds by itself whether there is something to do. */
const dailyWork: Partial<Record<JobName, Work>> = {
  certifications: async (services) => {
    await expireCertifications(services)
    await remindOfPapers(services)
  },
  equipmentPapers: async (services) => {
    await takeExpiredOff(services)
    await remindOfEquipmentPapers(services)
  },
  blacklist: expireBlacklist,
  cancellations: finishCancellations,
  cleaning: async ({ db, clock }) => {
    await lapseFeedback(db, clock.now())
    await deleteExpired(db, clock.now())
  },
}

export async function daily(services: Services): Promise<void> {
  for (const work of Object.values(dailyWork)) await work(services)
}

/** Seconds between two runs; what is not here is started by hand. */
export const jobEvery: Partial<Record<JobName, number>> = {
  openDemands: 2,
  tellLessors: 1,
  sendSms: 5,
  savedSearches: 60,
  ...Object.fromEntries(Object.keys(dailyWork).map((name) => [name, 600])),
}

const works: Partial<Record<JobName, Work>> = {
  openDemands: openDueDemands,
  tellLessors: tellWaiting,
  sendSms: flushOutbox,
  savedSearches: alertSavedSearches,
  ...dailyWork,
}

/** Work on a clock; each round of a job waits for the one before it, and one that fails keeps no other back. */
export function startJobs(services: Services, log: Pick<FastifyBaseLogger, 'error'>): () => Promise<void> {
  const stops = (Object.keys(works) as JobName[]).map((name) => {
    const work = works[name]
    let running: Promise<unknown> = Promise.resolve()
    let stopped = false
    const round = () => {
      if (stopped || !work) return
      running = recordRun(services, name, () => work(services))
        .catch((error: unknown) => log.error({ err: error, job: name }, 'a job failed'))
        .finally(() => {
          if (!stopped) timer = setTimeout(round, (jobEvery[name] ?? 600) * 1000)
        })
    }
    let timer = setTimeout(round, 500)
    return async () => {
      stopped = true
      clearTimeout(timer)
      await running
    }
  })
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
