import type { FastifyBaseLogger } from 'fastify'
import { finishCancellations } from '../account/cancellation.ts'
import { deleteExpired } from '../account/queries.ts'
import { expireBlacklist } from '../blacklist/moves.ts'
import { findDueDemands, openDemand } from '../demand/moves.ts'
import { expireCertifications, remindOfPapers } from '../certification/expiry.ts'
import { remindOfEquipmentPapers, takeExpiredOff } from '../equipment/expiry.ts'
import { alertSavedSearches } from '../favourite/saved-searches.ts'
import { lapseFeedback } from '../feedback/queries.ts'
import { flushOutbox } from '../outbox/queries.ts'
import type { Services } from '../services.ts'

/** Opens what is due. Several instances may do this at once: each demand moves for one of them only. */
export async function openDueDemands({ db, hub, secret, clock }: Services): Promise<number> {
  let opened = 0
  for (const id of await findDueDemands(db, clock.now())) if (await openDemand(db, { hub, secret }, id, 'clock', clock.now())) opened++
  return opened
}

/** What depends on the day; each part finds by itself whether there is something to do. */
export async function daily(services: Services): Promise<void> {
  await expireCertifications(services)
  await remindOfPapers(services)
  await takeExpiredOff(services)
  await remindOfEquipmentPapers(services)
  await expireBlacklist(services)
  await finishCancellations(services)
  await lapseFeedback(services.db, services.clock.now())
  await deleteExpired(services.db, services.clock.now())
}

/** Work on a clock; each round waits for the one before it. */
export function startJobs(services: Services, log: Pick<FastifyBaseLogger, 'error'>): () => Promise<void> {
  const minute = 60_000
  const stops = [
    every(2000, () => openDueDemands(services)),
    every(5000, () => flushOutbox(services)),
    every(minute, () => alertSavedSearches(services)),
    every(10 * minute, () => daily(services)),
  ]

  function every(interval: number, work: () => Promise<unknown>): () => Promise<void> {
    let running: Promise<unknown> = Promise.resolve()
    let stopped = false
    const round = () => {
      if (stopped) return
      running = work()
        .catch((error: unknown) => log.error({ err: error }, 'a job failed'))
        .finally(() => {
          if (!stopped) timer = setTimeout(round, interval)
        })
    }
    let timer = setTimeout(round, 500)
    return async () => {
      stopped = true
      clearTimeout(timer)
      await running
    }
  }

  return async () => {
    await Promise.all(stops.map((stop) => stop()))
  }
}
