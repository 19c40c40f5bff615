import { sql } from 'kysely'
import { shelfStatus } from '#shared/equipment/rules.ts'
import { paths, wholeList } from '#shared/paths.ts'
import type { Tx } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { sendMessages } from '../message/queries.ts'
import { workThrough, type Queue } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { findMachineNamesEn } from './names.ts'

type Kind = DB['machineNotice']['kind']

/**
 * Stores what the lessor has to hear of a machine. `notifyOfPapers` and `notifyOfUnconfirmed` send it, with all else of
 * its kind in one message.
 */
export async function insertMachineNotice(
  db: Tx,
  { params, ...notice }: { companyId: number; equipmentId: number; kind: Kind; params: Record<string, string> },
): Promise<void> {
  await db
    .insertInto('machineNotice')
    .values({ ...notice, params: JSON.stringify(params) })
    .execute()
}

/** All that one company has to hear of one kind. The message about a single machine names it; the one about several says how many they are. */
const waitingNotices = (
  job: 'equipmentPapers' | 'freshness',
  kinds: readonly Kind[],
): Queue<{ key: string; companyId: number; kind: Kind }> => ({
  job,
  batch: 1000,
  find: (db, _now, ready) => {
    const key = sql<string>`concat_ws(':', 'notify', company_id, kind)`
    return db
      .selectFrom('machineNotice')
      .where('kind', 'in', kinds)
      .where(ready(key))
      .groupBy(['companyId', 'kind'])
      .limit(1000)
      .select(['companyId', 'kind', key.as('key')])
      .execute()
  },
  async run(work, { companyId, kind }) {
    const notices = await work.db
      .deleteFrom('machineNotice')
      .where('companyId', '=', companyId)
      .where('kind', '=', kind)
      .returning(['id', 'equipmentId', 'params'])
      .execute()
    // Documents are found by the day on which they end, so the first is the most urgent.
    const [first, ...others] = notices.toSorted((a, b) => a.id - b.id)
    if (!first) return false
    const isOff = kind !== 'paperExpiring'
    const machineEn = (await findMachineNamesEn(work.db, [first.equipmentId])).get(first.equipmentId)
    const params = { ...first.params, ...(machineEn && { machineEn }) }
    const offShelf = paths.ownMachinesIn({ shelfStatus: shelfStatus.off })
    const about =
      others.length === 0
        ? {
            params,
            bizType: 'equipment',
            bizId: first.equipmentId,
            link: kind === 'machineUnconfirmed' ? offShelf : paths.editMachine(first.equipmentId),
          }
        : {
            params: { ...params, count: String(notices.length) },
            bizType: 'company',
            bizId: companyId,
            link: isOff ? offShelf : wholeList(paths.ownMachines),
          }
    await sendMessages(work, { to: { companies: [companyId] }, kind, ...about })
    return true
  },
})

const paperNotices = waitingNotices('equipmentPapers', ['equipmentOff', 'paperExpiring'])
const unconfirmedNotices = waitingNotices('freshness', ['machineUnconfirmed'])

/** Notifies lessors of documents that run out and of machines that left the shelf for one. Answers how many messages there were. */
export const notifyOfPapers = (services: Services, signal?: AbortSignal) => workThrough(services, paperNotices, signal)

/** Notifies lessors of machines that left the shelf because nobody had confirmed them. Answers how many messages there were. */
export const notifyOfUnconfirmed = (services: Services, signal?: AbortSignal) => workThrough(services, unconfirmedNotices, signal)
