import { sql, type Insertable } from 'kysely'
import { dayOf, startOfDay } from '#shared/calendar.ts'
import type { DemandInput } from '#shared/demand/input.ts'
import { demandMoves, demandsADay, demandStatus, demandType } from '#shared/demand/rules.ts'
import { machineNameEn } from '#shared/equipment/name.ts'
import { openTransfers } from '#shared/internal/rules.ts'
import { delFlag } from '#shared/rules.ts'
import { holdOwnAccount, type Actor } from '../actor/actor.ts'
import { inScope } from '../actor/scope.ts'
import { categoriesIn } from '../category/queries.ts'
import { hasCeilings } from '../ceiling/queries.ts'
import type { Read } from '../db/connect.ts'
import type { DB } from '../db/tables.generated.ts'
import { nextVersion } from '../db/version.ts'
import type { Deed } from '../deed.ts'
import { holdProject } from '../dept/project.ts'
import { FieldRefusal, Refusal, refuseField } from '../http/refusal.ts'
import { insertTransfer, refuseManyRequests, withdrawAsked } from '../internal/moves.ts'
import { hasIdle, matchInternal } from '../internal/queries.ts'
import { eventRow, insertEvent, notifyApprovers, notifyProject, refuseMany } from './events.ts'
import { attach, byId, categoryIdsOf, checkInput, columnsOf, itemRow, mainOf, withCeilings, type Categories } from './input.ts'
import { insertInvites } from './invites.ts'
import { hasRest } from './queries.ts'
import { approvedFor } from './scope.ts'

/** The draft, or the rejected demand, that is published, and the version of it that the form continues. */
type Continued = { draftId?: number | undefined; version?: number | undefined }

/**
 * Publishes, or submits where the unit above approves first: the demand, its lines, invitations, files, requests for own machines, the event
 * and the notices.
 */
export async function publishDemand(deed: Deed, { draftId, version, ...input }: DemandInput & Continued) {
  const { db, actor, now, codes } = deed
  const dept = await holdProject(db, actor, input.deptId)
    .select([
      approvedFor(actor, sql`dept.id`, 'approves_demands').as('approved'),
      categoriesIn(categoryIdsOf(input)).as('categories'),
      hasIdle(actor, categoryIdsOf(input)).as('idle'),
      hasCeilings(categoryIdsOf(input)).as('ceilings'),
    ])
    .executeTakeFirst()
  if (!dept) throw new Refusal('dept_not_yours')
  const categories = byId(dept.categories)
  await checkInput(db, input, { categories, now })
  const source = input.sourceId === null ? null : await openRestOf(db, actor, input.sourceId)
  const matches = dept.idle ? await checkInternal(deed, input, categories) : []
  const items = dept.ceilings ? await withCeilings(db, input, { deptId: dept.id, categories }) : input.items
  await holdOwnAccount(db, actor.accountId)
  if (dept.approved) await refuseManyPublished(deed)
  const draft = draftId ? await takeDraft(deed, draftId, version) : null
  const demandCode = draft?.demandCode ?? (await codes.next('XQ', now))
  const move = dept.approved ? 'publish' : 'submit'
  if (draft && move === 'submit') await refuseMany(deed, { demandId: draft.id, step: 'submit' })
  const { to } = demandMoves[move]
  const values = {
    ...columnsOf(input, { projectName: dept.projectName, demandCode, categories }),
    demandCode,
    companyId: dept.companyId,
    deptId: dept.id,
    accountId: actor.accountId,
    projectName: dept.projectName,
    projectType: dept.projectType,
    status: to,
    statusReason: '',
    sourceId: source?.id ?? null,
    internalCheck: JSON.stringify(matches.map(checkedOf)),
    draft: null,
    publishTime: dept.approved ? now : null,
    updateTime: now,
  }
  const event: Stored['event'] = { accountId: actor.accountId, move, fromStatus: draft?.status ?? demandStatus.draft, toStatus: to }
  const id = await storeDemand(deed, { values, draftId: draft?.id, items, categories, event, isPublic: dept.approved })
  await insertInvites(db, id, input.invitedCompanyIds)
  // A demand that is new has no files yet, and nothing has been asked for it.
  if (draft || input.attachmentIds.length > 0) await attach(deed, id, input.attachmentIds)
  if (draft || matches.length > 0) await requestOwnMachines(deed, matches, { ...input, demandId: id, deptId: dept.id, demandCode })
  // What was sent back has been the rest of its source since it was submitted first.
  if (source && draft?.status !== demandStatus.rejected) {
    await refuseMany(deed, { demandId: source.id, step: 'reopenRest' })
    await insertEvent(deed, { demandId: source.id, accountId: actor.accountId, move: 'reopenRest', note: demandCode })
  }
  if (dept.approved) {
    const params = { title: input.title, code: demandCode }
    await notifyProject(deed, { deptId: dept.id, demandId: id, kind: 'demandPublished', params })
  } else await notifyApprovers(deed, id, 'demandSubmitted')
  return { id, demandCode, status: to }
}

/**
 * Refuses one more demand of somebody who has published as many today as they may: the lessors around are told of each. Those of one person wait for each
 * other, so that they are counted exactly.
 */
async function refuseManyPublished({ db, actor, now }: Deed): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`publish:${actor.accountId}`}, 0))`.execute(db)
  const { published } = await db
    .selectFrom('demand')
    .where('accountId', '=', actor.accountId)
    .where('publishTime', '>=', startOfDay(dayOf(now)))
    .select((eb) => eb.fn.countAll<number>().as('published'))
    .executeTakeFirstOrThrow()
  if (published >= demandsADay) throw new Refusal('demand_limit')
}

type Stored = {
  values: Omit<Insertable<DB['demand']>, 'createTime'>
  draftId: number | undefined
  items: DemandInput['items']
  categories: Categories
  event: Parameters<typeof eventRow>[0]
  isPublic: boolean
}

/**
 * Stores the demand, as a new row or in place of the draft, with its lines, its event and the notice of a public one. One statement: publishing is
 * what many do at once, and each statement is a wait of its own.
 */
async function storeDemand({ db, now }: Deed, { values, draftId, items, categories, event, isPublic }: Stored): Promise<number> {
  const demandId = sql<number>`(select id from stored)`
  const { id } = await db
    .with('stored', (cte) =>
      draftId === undefined
        ? cte
            .insertInto('demand')
            .values({ ...values, createTime: now })
            .returning('id')
        : cte
            .updateTable('demand')
            .set({ ...values, version: nextVersion })
            .where('id', '=', draftId)
            .returning('id'),
    )
    .with('lines', (cte) =>
      cte.insertInto('demandItem').values(items.map((item, index) => itemRow(item, { demandId, lineNo: index + 1, categories }))),
    )
    .with('event', (cte) => cte.insertInto('demandEvent').values({ ...eventRow(event, now), demandId }))
    .with('notice', (cte) =>
      cte
        .insertInto('demandNotice')
        .columns(['demandId', 'due'])
        .expression(
          cte
            .selectFrom('stored')
            .where(sql.lit(isPublic))
            .select(['id', sql<string>`${now.toISOString()}::timestamptz`.as('due')]),
        )
        .onConflict((conflict) => conflict.column('demandId').doUpdateSet({ due: now })),
    )
    .selectFrom('stored')
    .select('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes the draft, or the rejected demand, if nobody saved it since that version. Its lines and invitations are stored anew, its files by `attach`. */
async function takeDraft({ db, actor }: Deed, id: number, version: number | undefined) {
  const draft = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where('status', 'in', demandMoves.publish.from)
    .where('delFlag', '=', delFlag.present)
    .where(inScope('demand.dept_id', actor))
    .select(['id', 'status', 'demandCode', 'version'])
    .forUpdate()
    .executeTakeFirst()
  if (!draft) throw new Refusal('demand_changed')
  if (version !== undefined && version !== draft.version) throw new Refusal('changed')
  for (const table of ['demandItem', 'demandInvite'] as const) await db.deleteFrom(table).where('demandId', '=', id).execute()
  return draft
}

type Match = Awaited<ReturnType<typeof checkInternal>>[number]

const checkedOf = ({ machine, distanceKm, answer }: Match) => ({
  machineId: machine.id,
  name: machine.name,
  nameEn: machineNameEn(machine),
  deptName: machine.deptName,
  distanceKm,
  take: answer.take,
  reason: answer.reason,
})

/**
 * Asks their owners for the own machines that the publisher wants instead of hired ones. Of a demand that is submitted again the requests stay, but for
 * those that it does not make any more: without an answer they are withdrawn.
 */
async function requestOwnMachines(
  deed: Deed,
  matches: Match[],
  input: DemandInput & { demandId: number; deptId: number; demandCode: string },
): Promise<void> {
  const { items, demandId, deptId, demandCode } = input
  const asked = await deed.db
    .selectFrom('internalTransfer')
    .innerJoin('internalMachine', 'internalMachine.id', 'internalMachineId')
    .where('demandId', '=', demandId)
    .where('internalTransfer.status', 'in', openTransfers)
    .select([
      'internalTransfer.id',
      'internalMachineId as machineId',
      'toDeptId',
      'categoryId',
      sql<string>`lower(period)`.as('from'),
      sql<string>`upper(period)`.as('to'),
    ])
    .execute()
  const isFor = (request: (typeof asked)[number], item: DemandInput['items'][number] | undefined) =>
    request.toDeptId === deptId && request.from === item?.planStart && request.to === item.planEnd
  const requestOf = ({ machine, lineNo }: Match) =>
    asked.find((request) => request.machineId === machine.id && isFor(request, items[lineNo - 1]))
  // A machine that is offered to nobody else any more matches no line, and is asked for until the publisher declines it.
  const staying = asked.filter((request) => {
    if (input.internalAnswers.some(({ machineId, take }) => machineId === request.machineId && !take)) return false
    const match = matches.find(({ machine }) => machine.id === request.machineId)
    return match ? requestOf(match) === request : items.some((item) => item.categoryId === request.categoryId && isFor(request, item))
  })
  if (asked.length > staying.length)
    await withdrawAsked(
      deed,
      demandId,
      staying.map(({ id }) => id),
    )
  const taken = matches.filter(({ answer }) => answer.take)
  const wanted = taken.filter((match) => !requestOf(match))
  if (wanted.length > 0) await refuseManyRequests(deed, deptId, wanted.length)
  const transferCodes = await deed.codes.take('DB', deed.now, wanted.length)
  for (const [index, { machine, lineNo }] of wanted.entries()) {
    const item = items[lineNo - 1]
    const transferCode = transferCodes[index]
    if (!item || !transferCode) continue
    const ask = { machineId: machine.id, deptId, from: item.planStart, to: item.planEnd, demandId, note: demandCode, transferCode }
    await insertTransfer(deed, ask)
  }
}

/** Own machines first: each that would do is asked for or has a reason against it. */
async function checkInternal({ db, actor }: Deed, input: DemandInput, categories: Categories) {
  if (input.demandType !== demandType.public) return []
  const lines = input.items.map((item) => ({ ...item, ...mainOf(item, categories) }))
  const matches = await matchInternal(db, actor, { cityId: input.cityId, items: lines })
  const answered = matches.map((match) => ({
    ...match,
    answer: input.internalAnswers.find(({ machineId }) => machineId === match.machine.id) ?? { take: false, reason: '' },
  }))
  const open = answered.filter(({ answer }) => !answer.take && answer.reason.length < 2)
  if (open.length > 0)
    throw new FieldRefusal(open.map(({ machine }) => ({ path: ['internalAnswers', machine.id], rule: 'internal_answer' })))
  return answered
}

/** Only what was awarded in part has a rest to ask for, or what was completed without all that was asked for. */
async function openRestOf(db: Read, actor: Actor, id: number) {
  const source = await db
    .selectFrom('demand')
    .where('id', '=', id)
    .where(hasRest)
    .where(inScope('demand.dept_id', actor))
    .select('id')
    .executeTakeFirst()
  return source ?? refuseField(['sourceId'], 'source_unknown')
}
