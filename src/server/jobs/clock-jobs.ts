import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { accountStatus, userType, type OperatorDuty } from '#shared/account/rules.ts'
import { paths } from '#shared/paths.ts'
import { delFlag } from '#shared/rules.ts'
import type { JobName } from '#shared/system/contract.ts'
import { en } from '#shared/text/en.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { deleteAbandonedFiles, finishCancellations } from '../account/cancellation.ts'
import { enforceBegun } from '../blacklist/beginning.ts'
import { refreshMachinesOfCategories } from '../category/machines.ts'
import { expireBlacklist, lapseHearings } from '../blacklist/expiry.ts'
import { sendWaitingParts } from '../broadcast/queries.ts'
import { failUndecided, remindOfDecisions, sendBackUnaskedDemands, takeBackUnaskedAwards } from '../demand/undecided.ts'
import { openDueDemands } from '../opening/due.ts'
import { notifyWaiting } from '../quote/notices.ts'
import { expireCertifications, remindOfPapers } from '../certification/expiry.ts'
import { tellPartyMoves } from '../party-move/party-moves.ts'
import { remindOfEquipmentDocuments, takeExpiredOff } from '../equipment/expiry.ts'
import { notifyOfPapers, notifyOfUnconfirmed } from '../equipment/notices.ts'
import { endMonthPrices } from '../equipment/price-ends.ts'
import { remindOfStaleFleets, takeUnconfirmedOff } from '../equipment/freshness.ts'
import { alertSavedSearches } from '../favourite/saved-searches.ts'
import { lapseFeedback } from '../feedback/queries.ts'
import { deleteUnusedFiles } from '../file/unused.ts'
import { transact } from '../deed.ts'
import { sendMessages } from '../message/queries.ts'
import { flushOutbox } from '../outbox/queries.ts'
import { findSetAsideSince } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { applyDueAccounts } from '../contract/account.ts'
import { takeBackChanges } from '../contract/change-approval.ts'
import { draftDueContracts } from '../contract/draft.ts'
import { remindOfEndings } from '../contract/ending.ts'
import { recordContractRoots } from '../contract/heads.ts'
import { lapseDueAwards, remindOfDrafts } from '../contract/lapse.ts'
import { deleteExpired } from './cleaning.ts'
import { recordRun } from './runs.ts'

/**
 * The bounds of the jobs' connections. Nobody waits for a job, so a statement may take long, and a job waits for a connection while another one holds
 * it. One that hangs ends as well, and its item is tried again.
 */
export const jobBounds = { patienceMs: 0, statementSeconds: 600 } as const

/** One round of a job: how many items were done. */
type Round = (services: Services, signal?: AbortSignal) => Promise<number>

/** The rounds one after the other, each also where an item of an earlier one fails. The first failure is thrown at the end. */
const inTurn =
  (...rounds: Round[]): Round =>
  async (services, signal) => {
    let done = 0
    const failures: unknown[] = []
    for (const round of rounds) {
      try {
        done += await round(services, signal)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    return done
  }

/** A backup is started by hand, as a command. */
export type ClockJob = Exclude<JobName, 'backup'>

/** Each with the seconds between two of its rounds. */
export const clockJobs: Record<ClockJob, { every: number; round: Round }> = {
  openDemands: { every: 2, round: openDueDemands },
  undecidedDemands: {
    every: 600,
    round: inTurn(takeBackUnaskedAwards, sendBackUnaskedDemands, failUndecided, remindOfDecisions),
  },
  notifyLessors: { every: 1, round: notifyWaiting },
  sendSms: { every: 5, round: flushOutbox },
  broadcasts: { every: 5, round: sendWaitingParts },
  savedSearches: { every: 60, round: alertSavedSearches },
  categoryMachines: { every: 10, round: refreshMachinesOfCategories },
  certifications: { every: 600, round: inTurn(expireCertifications, remindOfPapers) },
  equipmentPapers: { every: 600, round: inTurn(takeExpiredOff, endMonthPrices, remindOfEquipmentDocuments, notifyOfPapers) },
  freshness: { every: 600, round: inTurn(takeUnconfirmedOff, remindOfStaleFleets, notifyOfUnconfirmed) },
  blacklist: { every: 600, round: inTurn(expireBlacklist, lapseHearings, enforceBegun) },
  cancellations: { every: 600, round: inTurn(finishCancellations, deleteAbandonedFiles) },
  contracts: {
    every: 60,
    round: inTurn(
      lapseDueAwards,
      draftDueContracts,
      takeBackChanges,
      // What is due by the minute comes before the news of a company that was locked.
      applyDueAccounts,
      remindOfDrafts,
      remindOfEndings,
      tellPartyMoves,
    ),
  },
  contractRoots: { every: 600, round: recordContractRoots },
  cleaning: { every: 600, round: inTurn(lapseFeedback, deleteExpired, deleteUnusedFiles) },
}

/** One round, written down with what it did or what failed. The operators hear of the items that it set aside. */
export async function runJob(services: Services, name: ClockJob, signal?: AbortSignal): Promise<void> {
  const startedAt = services.clock.now()
  try {
    await recordRun(services, name, () => clockJobs[name].round(services, signal))
  } catch (error) {
    await notifyOperators(services, name, startedAt)
    throw error
  }
}

async function notifyOperators(services: Services, name: ClockJob, since: Date): Promise<void> {
  const { count, error } = await findSetAsideSince(services.db, name, since)
  if (count === 0) return
  await transact(services, { now: services.clock.now() }, async (work) => {
    const operators = await work.db
      .selectFrom('account')
      .where('userType', '=', sql.lit(userType.operator))
      .where('delFlag', '=', sql.lit(delFlag.present))
      .where('status', '=', accountStatus.active)
      .where(sql<boolean>`${systemDuty} = any(duties)`)
      .select('id')
      .execute()
    await sendMessages(work, {
      to: { accounts: operators.map(({ id }) => id) },
      kind: 'jobItemSetAside',
      params: { job: zhCn.admin.jobs.names[name], jobEn: en.admin.jobs.names[name], count: String(count), error: error.slice(0, 200) },
      bizType: 'job',
      bizId: name,
      link: paths.jobs,
    })
  })
}

const systemDuty: OperatorDuty = 'system'

/**
 * Runs every job on its clock; a round waits for the one before it, and a job that fails stops no other. Answers how to stop: no round
 * begins any more, and a round under way ends after its item.
 */
export function startJobs(services: Services, log: Pick<FastifyBaseLogger, 'error'>): () => Promise<void> {
  const stopping = new AbortController()
  const stops = (Object.keys(clockJobs) as ClockJob[]).map((name) => {
    let running: Promise<void> = Promise.resolve()
    const round = () => {
      running = runJob(services, name, stopping.signal)
        .catch((error: unknown) => log.error({ err: error, job: name }, 'a job failed'))
        .finally(() => {
          if (!stopping.signal.aborted) timer = setTimeout(round, clockJobs[name].every * 1000)
        })
    }
    let timer = setTimeout(round, 500)
    return async () => {
      clearTimeout(timer)
      await running
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(stops.map((stop) => stop()))
  }
}
