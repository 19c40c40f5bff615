import { sql, type SelectQueryBuilder } from 'kysely'
import { awardRequestStatus } from '#shared/award/rules.ts'
import { DemandTerms, OwnTerms, type DemandCard, type DemandItem, type OwnDemand, type PublicDemand } from '#shared/demand/contract.ts'
import { demandStatus } from '#shared/demand/rules.ts'
import { delFlag } from '#shared/rules.ts'
import type { Actor } from '../actor/actor.ts'
import { recordContactLook } from '../actor/contact-look.ts'
import { nameOf } from '../actor/name.ts'
import { inScope } from '../actor/scope.ts'
import type { Read } from '../db/connect.ts'
import { literals } from '../db/literals.ts'
import type { Deed } from '../deed.ts'
import { Refusal } from '../http/refusal.ts'
import { listOf, listPage, mostFound, pageId, type List, type OrderKey } from '../db/paging.ts'
import { beginsWith, rowHoldsWords, textHoldsWords } from '../db/search.ts'
import type { DB } from '../db/tables.generated.ts'
import { regionNamesOf } from '../region/queries.ts'
import { findAwardContracts } from './award-contracts.ts'
import { accessMoves } from './events.ts'
import { isAllFrequent, means, understood, type Filter, type Understood } from './meaning.ts'
import { approvedFor, isPublishedTo, isReadableBy, lessorOf, mayApprove } from './scope.ts'
import { awaitsApproval, decisionEnds, isAwardSubmitted, isToldShort } from './todo.ts'

const itemCards = sql<DemandCard['items']>`
  coalesce((select json_agg(json_build_object('id', i.id, 'fatherCategoryId', i.father_category_id, 'categoryId', i.category_id, 'categoryName', c.name,
    'categoryNameEn', c.name_en, 'qty', i.qty, 'planStart', i.plan_start, 'planEnd', i.plan_end) order by i.line_no)
  from demand_item i join category c on c.id = i.category_id where i.demand_id = demand.id), '[]')`

/** The card of a demand in the shape of the wire. */
export function withCard<O>(query: SelectQueryBuilder<DB, 'demand', O>) {
  return query
    .innerJoin('company', 'company.id', 'demand.companyId')
    .select([
      'demand.id',
      'demand.demandCode',
      'demand.demandType',
      'demand.title',
      'demand.projectName',
      'company.enterpriseName as companyName',
      'demand.provinceId',
      'demand.cityId',
      ...regionNamesOf('demand'),
      'demand.status',
      'demand.sealed',
      'demand.urgent',
      'demand.method',
      'demand.quoteDeadline',
      'demand.publishTime',
      'demand.planStart',
      'demand.planEnd',
      itemCards.as('items'),
    ])
}

/** The demands that are not deleted. */
export const alive = (db: Read) => db.selectFrom('demand').where('demand.delFlag', '=', sql.lit(delFlag.present))

/** Published ones: public to everybody, invited ones to the invited lessors. */
const published = (db: Read, companyId: number | null) => alive(db).where(isPublishedTo(companyId))

/** `byKind`: the index of the categories finds the demands; otherwise they are read along their order, and their categories are compared. */
function filtered(db: Read, filter: Understood, { companyId, byKind }: { companyId: number | null; byKind: boolean }) {
  let query = published(db, companyId)
  if (filter.status) query = query.where('demand.status', '=', filter.status)
  if (filter.demandType) query = query.where('demand.demandType', '=', filter.demandType)
  if (filter.provinceId) query = query.where('demand.provinceId', '=', filter.provinceId)
  if (filter.cityId) query = query.where('demand.cityId', '=', filter.cityId)
  if (filter.demandCode) query = query.where(beginsWith('demand.demand_code', filter.demandCode.toUpperCase()))
  if (filter.meaning) query = query.where(means(filter.meaning, filter.frequent ?? new Set(), byKind ? textHoldsWords : rowHoldsWords))
  if (filter.planFrom) query = query.where('demand.planEnd', '>', filter.planFrom)
  if (filter.planTo) query = query.where('demand.planStart', '<=', filter.planTo)
  const kinds = kindsOf(filter)
  if (byKind) return query.where(sql<boolean>`demand.kinds @> ${kinds}::integer[]`)
  for (const kind of kinds) query = query.where(sql<boolean>`${kind} = any(demand.kinds)`)
  return query
}

const kindsOf = ({ categoryId, fatherCategoryId }: Filter) => [categoryId, fatherCategoryId].filter((kind) => kind !== undefined)

/** Those of the ids that this person finds in the library. */
export function findDemandsByIds(db: Read, ids: readonly number[], actor: Actor | null) {
  return ids.length === 0 ? Promise.resolve([]) : withCard(published(db, lessorOf(actor)).where('demand.id', 'in', ids)).execute()
}

/** What was published to this company, or to everybody, in (since, until] and fits. */
export async function countNewDemands(
  db: Read,
  filter: Filter,
  { since, until, companyId }: { since: string; until: Date; companyId: number | null },
): Promise<number> {
  const { n } = await filtered(db, await understood(db, filter), { companyId, byKind: kindsOf(filter).length > 0 })
    .where('demand.publishTime', '>', since)
    .where('demand.publishTime', '<=', until.toISOString())
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

const quotingFirst: OrderKey = { by: sql`(demand.status = ${sql.lit(demandStatus.quoting)})`, direction: 'desc' }

export async function listPublicDemands(db: Read, filter: Filter, actor: Actor | null) {
  const understoodFilter = await understood(db, filter)
  const order: OrderKey[] = [
    // Of one status the index is in order already.
    ...(filter.status === undefined ? [quotingFirst] : []),
    { by: sql.ref('demand.publish_time'), direction: 'desc' },
    { by: sql.ref('demand.id'), direction: 'desc' },
  ]
  const isOfKind = kindsOf(filter).length > 0
  const companyId = lessorOf(actor)
  const found = filtered(db, understoodFilter, { companyId, byKind: isOfKind })
  const along = filtered(db, understoodFilter, { companyId, byKind: false })
  const list: List = {
    ...listOf(along, 'demand.id', order),
    found: (columns) => found.select([...columns]),
    isDear: isOfKind || understoodFilter.meaning !== undefined,
    ...(isOfKind && { bound: mostFound }),
    // A page of frequent words is near.
    ...(isAllFrequent(understoodFilter) && !isOfKind && { isAlong: filter.demandCode === undefined, bound: mostFound }),
  }
  const paging = filter.keyword || isOfKind ? { ...filter, most: mostFound } : filter
  return listPage(db, { list, paging, card: withCard(db.selectFrom('demand').where('demand.id', '=', pageId)) })
}

/** Lines of a demand as a message names them, in both languages. */
export const linesOf = (items: readonly Pick<DemandItem, 'categoryName' | 'categoryNameEn' | 'qty'>[]) => ({
  lines: items.map((item) => `${item.categoryName} ×${item.qty}`).join('、'),
  linesEn: items.map((item) => `${item.categoryNameEn} ×${item.qty}`).join(', '),
})

export async function findItems(db: Read, demandId: number): Promise<DemandItem[]> {
  return (await findItemsOf(db, [demandId])).map(({ demandId: _, ...item }) => item)
}

/** The lines of several demands, each with its demand. */
export function findItemsOf(db: Read, demandIds: readonly number[]) {
  return db
    .selectFrom('demandItem')
    .innerJoin('category', 'category.id', 'demandItem.categoryId')
    .where('demandId', 'in', demandIds)
    .orderBy('demandId')
    .orderBy('lineNo')
    .select([
      'demandItem.id',
      'demandId',
      'lineNo',
      'fatherCategoryId',
      'categoryId',
      'category.name as categoryName',
      'category.nameEn as categoryNameEn',
      'specRequirements',
      'brandPreference',
      'maxAgeYears',
      'minEmission',
      'qty',
      'planStart',
      'planEnd',
      'rentUnit',
      'estQuantity',
      'shiftMode',
      'remark',
    ])
    .execute()
}

const demandTermColumns = DemandTerms.keyof().options.map((name) => `demand.${name}` as const)
const ownColumns = OwnTerms.keyof().options.map((name) => `demand.${name}` as const)

const wholeColumns = [
  ...demandTermColumns,
  sql<
    PublicDemand['attachments']
  >`coalesce((select json_agg(json_build_object('fileId', f.id, 'name', f.name, 'size', f.size) order by a.order_num)
    from demand_attachment a join file f on f.id = a.file_id where a.demand_id = demand.id), '[]')`.as('attachments'),
  sql<
    PublicDemand['winners']
  >`coalesce((select json_agg(json_build_object('companyName', c.enterprise_name, 'lineNo', i.line_no, 'qty', l.qty) order by i.line_no)
    from award w join award_line l on l.award_id = w.id join company c on c.id = l.company_id join demand_item i on i.id = l.demand_item_id
    where w.demand_id = demand.id), '[]')`.as('winners'),
] as const

/** As `findPublicDemand`. Throws not_found unless this person may see the demand. */
export async function getPublicDemand(db: Read, id: number, actor: Actor | null) {
  const demand = await findPublicDemand(db, id, actor)
  if (!demand) throw new Refusal('not_found')
  return demand
}

/** A demand as everybody signed in sees it, once it is published or they have quoted it, and whether it is of their own side; visitors get no address, terms or attachments. */
async function findPublicDemand(db: Read, id: number, actor: Actor | null) {
  const readable = alive(db)
    .where('demand.id', '=', id)
    .where(isReadableBy(lessorOf(actor)))
  // The platform's people have every demand in their scope, and none of their own.
  const isOwn = actor && actor.role !== 'operator' ? inScope('demand.dept_id', actor) : sql<boolean>`false`
  const demand = await withCard(readable)
    .select([...wholeColumns, isOwn.as('isOwn')])
    .executeTakeFirst()
  if (!demand) return undefined
  const whole = { ...demand, items: await findItems(db, id) }
  return actor ? whole : { ...whole, address: '', terms: '', attachments: [] }
}

/** Whether something of an awarded `demand` was not awarded, or was given up or lapsed since: it may be published again. */
export const hasRest = sql<boolean>`(demand.status = ${sql.lit(demandStatus.awardedPart)} or demand.status = ${sql.lit(demandStatus.completed)} and coalesce(
  (select sum(l.qty) from award_line l join award a on a.id = l.award_id where a.demand_id = demand.id)
    < (select sum(i.qty) from demand_item i where i.demand_id = demand.id), false))`

export async function getOwnDemand(db: Read, actor: Actor, id: number) {
  const demand = await withCard(
    alive(db).where('demand.id', '=', id).where('demand.status', '<>', demandStatus.draft).where(inScope('demand.dept_id', actor)),
  )
    .select([
      ...wholeColumns,
      ...ownColumns,
      'demand.budgetFen as budgetLimit',
      'demand.notifiedCount',
      sql<
        string | null
      >`case when demand.status = ${sql.lit(demandStatus.reviewing)} and not ${isAwardSubmitted} then ${decisionEnds} end`.as(
        'decisionEnds',
      ),
      sql<boolean>`not (${approvedFor(actor, sql.ref('demand.dept_id'), 'approves_demands')})`.as('isDecidedAbove'),
      hasRest.as('hasRest'),
      isToldShort.as('isToldShort'),
      sql<OwnDemand['source']>`(select json_build_object('id', o.id, 'demandCode', o.demand_code, 'title', o.title) from demand o
        where o.id = demand.source_id)`.as('source'),
      sql<
        OwnDemand['followers']
      >`coalesce((select json_agg(json_build_object('id', o.id, 'demandCode', o.demand_code, 'title', o.title, 'status', o.status) order by o.id)
        from demand o where o.source_id = demand.id and o.status <> ${sql.lit(demandStatus.draft)} and o.del_flag = ${sql.lit(delFlag.present)}), '[]')`.as(
        'followers',
      ),
      sql<Record<string, number>>`coalesce((select json_object_agg(i.id, i.price_ceiling_fen) from demand_item i
        where i.demand_id = demand.id and i.price_ceiling_fen is not null), '{}')`.as('ceilings'),
      sql<
        OwnDemand['invited']
      >`coalesce((select json_agg(json_build_object('companyId', c.id, 'companyName', c.enterprise_name) order by c.id)
        from demand_invite v join company c on c.id = v.company_id where v.demand_id = demand.id), '[]')`.as('invited'),
    ])
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  const approval = demand.status === demandStatus.submitted ? 'approves_demands' : 'approves_awards'
  return {
    ...(actor.role === 'operator' ? withoutSecretsOfOwner(demand) : demand),
    items: await findItems(db, id),
    events: await findTimeline(db, demand),
    mayApprove: await mayApprove(db, actor, demand.deptId, approval),
    awardRequest: await findAwardRequest(db, id),
    contracts: await findAwardContracts(db, id),
  }
}

type Secrets = {
  contactName: string
  contactPhone: string
  budgetLimit: number | null
  ceilings: Record<string, number>
  showCeiling: boolean
  methodReason: string
  internalReason: string
  internalCheck: OwnDemand['internalCheck']
  openTime: string | null
}

/**
 * A demand as the platform's people read it (domain 1.19): without the contact, whose looks are counted, without budget and hidden ceilings, and
 * until the opening without the reasons for the direct method and for not taking the group's own machines.
 */
function withoutSecretsOfOwner<D extends Secrets>(demand: D) {
  return {
    ...demand,
    contactName: '',
    contactPhone: '',
    budgetLimit: null,
    ...(!demand.showCeiling && { ceilings: {} }),
    ...(demand.openTime === null && { methodReason: '', internalReason: '', internalCheck: [] }),
  }
}

/** Who did what: own people by name. What became of quotes is left out until the opening, and an event of a lessor stays without a name. */
function findTimeline(db: Read, { id, openTime }: { id: number; openTime: string | null }) {
  return db
    .selectFrom('demandEvent')
    .leftJoin('account', 'account.id', 'demandEvent.accountId')
    .where('demandId', '=', id)
    .$if(openTime === null, (query) => query.where('quoteId', 'is', null))
    .orderBy('demandEvent.id')
    .select([
      // The stored number also counts the events of other demands.
      sql<number>`row_number() over (order by demand_event.id)`.as('id'),
      'at',
      'move',
      'note',
      'toStatus',
      sql<string>`case when demand_event.account_id is null then '' when demand_event.quote_id is not null and move not in (${literals(accessMoves)}) then '-' else ${nameOf('account')} end`.as(
        'who',
      ),
    ])
    .execute()
}

/** The last choice that was submitted, unless it waits for nobody or came back without a decision. */
async function findAwardRequest(db: Read, demandId: number) {
  const request = await db
    .selectFrom('awardRequest')
    .innerJoin('account', 'account.id', 'awardRequest.accountId')
    .innerJoin('demand', 'demand.id', 'demandId')
    .where('demandId', '=', demandId)
    .orderBy('awardRequest.id', 'desc')
    .limit(1)
    .select([
      'awardRequest.id',
      nameOf('account').as('who'),
      'requestTime',
      'netFen as net',
      'awardRequest.status',
      'reason',
      sql<{ demandItemId: number; quoteLineId: number; qty: number; reason: string }[]>`input -> 'lines'`.as('lines'),
      awaitsApproval.as('isAwaited'),
      'decidedBy',
    ])
    .executeTakeFirst()
  if (!request) return null
  const { isAwaited, decidedBy, ...rest } = request
  return rest.status === awardRequestStatus.waiting ? (isAwaited ? rest : null) : decidedBy === null ? null : rest
}

/** The contact of a demand that is readable or in scope. Each look is counted; beyond `limit` in 24 hours it is refused. */
export async function lookAtContact(deed: Deed, { id, limit }: { id: number; limit: number }) {
  const { db, actor } = deed
  const demand = await alive(db)
    .where('demand.id', '=', id)
    .where('demand.status', '<>', sql.lit(demandStatus.draft))
    .where(sql<boolean>`(${isReadableBy(lessorOf(actor))} or ${inScope('demand.dept_id', actor)})`)
    .select(['demand.contactName', 'demand.contactPhone'])
    .executeTakeFirst()
  if (!demand) throw new Refusal('not_found')
  await recordContactLook(deed, { demandId: id }, limit)
  return demand
}
