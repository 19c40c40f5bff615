// The questions that the pages can ask their lists, drawn at random from what the pages offer.
import { Dice } from '#db/seed/random.ts'
import type { Actor } from '#server/actor/actor.ts'
import { listArticles } from '#server/article/queries.ts'
import { listLessors } from '#server/company/queries.ts'
import type { Db } from '#server/db/connect.ts'
import { listContracts } from '#server/contract/list.ts'
import { listOwnDemands } from '#server/demand/own-list.ts'
import { listPublicDemands } from '#server/demand/queries.ts'
import { listOwnEquipment } from '#server/equipment/own-list.ts'
import { listShelvedEquipment } from '#server/equipment/queries.ts'
import { listOwnMessages } from '#server/message/queries.ts'
import { listDemandsForLessor } from '#server/quote/market.ts'
import * as articles from '#shared/article/contract.ts'
import { articleTabs } from '#shared/article/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as company from '#shared/company/contract.ts'
import * as contract from '#shared/contract/contract.ts'
import { contractStatuses } from '#shared/contract/rules.ts'
import * as demand from '#shared/demand/contract.ts'
import { demandStatus, demandTypes, publicStatuses } from '#shared/demand/rules.ts'
import { demandTodos } from '#shared/demand/todo.ts'
import * as equipment from '#shared/equipment/contract.ts'
import { auditStatuses, shelfStatuses } from '#shared/equipment/rules.ts'
import * as message from '#shared/message/contract.ts'
import { systemSubjects } from '#shared/message/rules.ts'
import * as quote from '#shared/quote/contract.ts'
import { consoleLists } from './console-questions.ts'
import { privateLists } from './private-questions.ts'
import {
  asks,
  direction,
  page,
  parse,
  type Category,
  type Drawn,
  type List,
  type Offers,
  type People,
  type Query,
  type Question,
  type Weights,
} from './question-parts.ts'

export type { Question, Weights } from './question-parts.ts'

export async function loadOffers(db: Db, now: Date): Promise<Offers> {
  const categories = await db.selectFrom('category').where('level', '=', 2).orderBy('id').selectAll().execute()
  const regions = await db.selectFrom('region').orderBy('code').selectAll().execute()
  const brands = await db.selectFrom('brand').where('brand', '<>', '').orderBy('brand').limit(40).select('brand').execute()
  const machines = await db.selectFrom('equipment').orderBy('id').limit(200).select('model').execute()
  const companies = await db
    .selectFrom('company')
    .where('isLessor', '=', true)
    .orderBy('id')
    .limit(200)
    .select(['id', 'enterpriseName'])
    .execute()
  const demands = await db.selectFrom('demand').where('status', '<>', demandStatus.draft).orderBy('id').limit(200).select('id').execute()
  const depts = await db
    .selectFrom('dept')
    .innerJoin('account', 'account.companyId', 'dept.companyId')
    .where('account.userName', '=', 'group1')
    .orderBy('dept.id')
    .limit(200)
    .select('dept.id')
    .execute()
  return {
    now,
    demands: demands.map(({ id }) => id),
    lessors: companies.map(({ id }) => id),
    depts: depts.map(({ id }) => id),
    categories: categories.map(({ id, parentId, name, alias, params }) => ({
      id,
      parentId: parentId ?? 0,
      name,
      alias,
      keys: (params as { key: string; type: string }[]).filter(({ type }) => type === 'number').map(({ key }) => key),
    })),
    regions: regions.map(({ code, parentCode, level, name }) => ({ code, parentCode: parentCode ?? 0, level, name })),
    brands: brands.map(({ brand }) => brand),
    models: machines.map(({ model }) => model),
    names: companies.map(({ enterpriseName }) => enterpriseName),
  }
}

function place(dice: Dice, { regions }: Offers, weights: Weights): Query {
  if (!asks(dice, weights, 0.5)) return {}
  const cities = regions.filter(({ level }) => level === 2)
  const city = dice.pick(cities)
  const provinceId = String(city.parentCode)
  return dice.next() < 0.5 ? { provinceId } : { provinceId, cityId: String(city.code) }
}

/** Words of one, two, three and more letters, of categories, brands, models and places. */
function words(dice: Dice, offers: Offers, weights: Weights): string | undefined {
  if (!asks(dice, weights, 0.25)) return undefined
  const category = dice.pick(offers.categories)
  const name = dice.pick([category.name, ...category.alias]).replace(/[^\u4e00-\u9fff]/g, '') || category.name
  const model = dice.pick(offers.models)
  const city = dice.pick(offers.regions.filter(({ level }) => level === 2)).name
  return dice.pick([
    name.slice(-1),
    name.slice(-2),
    name.slice(-3),
    name,
    dice.pick(offers.brands),
    `${dice.pick(offers.brands)} ${name}`,
    `${city} ${name}`,
    `${dice.between(5, 90)}吨${name}`,
    model,
    model.slice(0, 1),
    model.slice(0, 2),
    model.slice(2, 4),
    `${name} ${model}`,
  ])
}

function kind(dice: Dice, { categories }: Offers, weights: Weights): { query: Query; category?: Category } {
  if (!asks(dice, weights, 0.6)) return { query: {} }
  const category = dice.pick(categories)
  const fatherCategoryId = String(category.parentId)
  return dice.next() < 0.4 ? { query: { fatherCategoryId } } : { query: { fatherCategoryId, categoryId: String(category.id) }, category }
}

function machineQuery(dice: Dice, offers: Offers, weights: Weights): Query {
  const query: Query = { pageSize: dice.pick(['12', '20']), ...page(dice, weights), ...place(dice, offers, weights) }
  const name = words(dice, offers, weights)
  if (name) query.name = name
  const { query: chosen, category } = kind(dice, offers, weights)
  Object.assign(query, chosen)
  if (asks(dice, weights, 0.2)) query.brand = dice.pick(offers.brands)
  if (asks(dice, weights, 0.25)) {
    const from = dice.between(0, 60_000)
    if (dice.next() < 0.8) query.beginPrice = String(from)
    if (dice.next() < 0.8) query.endPrice = String(from + dice.pick([500, 5000, 20_000, 60_000]))
  }
  if (asks(dice, weights, 0.1)) {
    const from = addDays(dayOf(offers.now), dice.between(0, 60))
    Object.assign(query, { freeFrom: from, freeTo: addDays(from, dice.pick([7, 30, 90])) })
  }
  if (category && asks(dice, weights, 0.25)) {
    const key = weights === 'weighted' ? category.keys[0] : dice.pick(category.keys)
    const from = dice.between(0, 80)
    if (key && dice.next() < 0.8) query[`spec_${key}_min`] = String(from)
    if (key && dice.next() < 0.8) query[`spec_${key}_max`] = String(from + dice.pick([5, 20, 80]))
  }
  const sorts = ['priceUp', 'priceDown', 'distance', ...(category ? ['sizeUp', 'sizeDown', 'youngest'] : [])]
  if (asks(dice, weights, 0.3)) query.sort = dice.pick(sorts)
  if (query.sort === 'distance') query.nearCityId = String(dice.pick(offers.regions.filter(({ level }) => level === 2)).code)
  return query
}

function demandQuery(dice: Dice, offers: Offers, weights: Weights): Query {
  const query: Query = { pageSize: '20', ...page(dice, weights), ...place(dice, offers, weights) }
  const keyword = words(dice, offers, weights)
  if (keyword) query.keyword = keyword
  const { query: chosen } = kind(dice, offers, weights)
  Object.assign(query, chosen)
  if (asks(dice, weights, 0.4)) query.status = dice.pick(publicStatuses)
  if (asks(dice, weights, 0.1)) query.demandType = dice.pick(demandTypes)
  if (asks(dice, weights, 0.02)) query.demandCode = `XQ${dice.between(1, 99)}`
  if (asks(dice, weights, 0.02)) query.exact = '1'
  if (asks(dice, weights, 0.1)) {
    const from = addDays(dayOf(offers.now), dice.between(-30, 60))
    Object.assign(query, { planFrom: from, planTo: addDays(from, dice.pick([30, 90])) })
  }
  return query
}

function lessorQuery(dice: Dice, offers: Offers, weights: Weights): Query {
  const query: Query = { pageSize: '12', ...page(dice, weights), ...place(dice, offers, weights), ...kind(dice, offers, weights).query }
  const name = dice.pick(offers.names)
  if (asks(dice, weights, 0.2))
    query.enterpriseName = dice.pick([name.slice(0, 1), name.slice(1, 3), name.slice(2, 5), name, '机械', '有限公司'])
  if (asks(dice, weights, 0.02)) query.exact = '1'
  return query
}

const scopes = ['recommended', 'near', 'open', 'quoted', 'won', 'lost'] as const

const ownDemandQuery: Drawn = (dice, offers, weights) => ({
  ...page(dice, weights),
  ...(asks(dice, weights, 0.3) && { status: dice.pick(publicStatuses) }),
  ...(asks(dice, weights, 0.1) && { projectName: dice.pick(offers.categories).name.slice(-2) }),
  ...(asks(dice, weights, 0.05) && { demandCode: `XQ${dice.between(1, 99)}` }),
  ...(asks(dice, weights, 0.1) && { deptId: String(dice.pick(offers.depts)) }),
  ...(asks(dice, weights, 0.1) && { open: '1' }),
  ...(asks(dice, weights, 0.1) && { todo: dice.pick(demandTodos) }),
  ...(asks(dice, weights, 0.2) && { sort: direction(dice, demand.ownDemandSorts) }),
  ...(asks(dice, weights, 0.05) && { opened: '1' }),
})
const contractQuery: Drawn = (dice, offers, weights) => ({
  ...page(dice, weights),
  ...(asks(dice, weights, 0.4) && { status: dice.pick(contractStatuses) }),
  ...(asks(dice, weights, 0.2) && { keyword: dice.pick(['HT', 'HT12', '需求 7', dice.pick(offers.names).slice(2, 5)]) }),
  ...(asks(dice, weights, 0.1) && { endsWithin: dice.pick(contract.contractEnds) }),
  ...(asks(dice, weights, 0.2) && { companyId: String(dice.between(1, offers.names.length)) }),
  ...(asks(dice, weights, 0.1) && { deptId: String(dice.pick(offers.depts)) }),
  ...(asks(dice, weights, 0.3) && { sort: direction(dice, contract.contractSorts) }),
})

/** Every list with what its page offers and the function that answers it. */
export const lists: Record<string, List> = {
  equipment: {
    url: equipment.listPublicEquipment.url,
    table: 'equipment',
    who: 'visitor',
    draw: machineQuery,
    ask: ({ db }, query) => listShelvedEquipment(db, parse(equipment.EquipmentFilter, query)),
  },
  demand: {
    url: demand.listPublicDemands.url,
    table: 'demand',
    who: 'visitor',
    draw: demandQuery,
    ask: ({ db }, query) => listPublicDemands(db, parse(demand.DemandFilter, query), null),
  },
  lessor: {
    url: company.listLessors.url,
    table: 'company',
    who: 'visitor',
    draw: lessorQuery,
    ask: ({ db }, query) => listLessors(db, parse(company.listLessors.query, query)),
  },
  article: {
    url: articles.listArticles.url,
    table: 'article',
    who: 'visitor',
    draw: (dice, _, weights) => ({ ...page(dice, weights), tab: dice.pick(articleTabs) }),
    ask: ({ db, now }, query) => listArticles(db, parse(articles.listArticles.query, query), now),
  },
  'demands of a group': {
    url: demand.listOwnDemands.url,
    table: 'demand',
    who: 'group',
    draw: ownDemandQuery,
    ask: ({ db, now, people }, query) => listOwnDemands({ db, now, actor: people.group }, parse(demand.listOwnDemands.query, query)),
  },
  'demands of a project': {
    url: demand.listOwnDemands.url,
    table: 'demand',
    who: 'project',
    draw: ownDemandQuery,
    ask: ({ db, now, people }, query) => listOwnDemands({ db, now, actor: people.project }, parse(demand.listOwnDemands.query, query)),
  },
  'machines of a lessor': {
    url: equipment.listOwnEquipment.url,
    table: 'equipment',
    who: 'lessor',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.3) && { shelfStatus: dice.pick(shelfStatuses) }),
      ...(asks(dice, weights, 0.2) && { auditStatus: dice.pick(auditStatuses) }),
      ...(asks(dice, weights, 0.2) && { categoryId: String(dice.pick(offers.categories).id) }),
      ...(asks(dice, weights, 0.2) && { name: words(dice, offers, 'even') ?? '' }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, equipment.ownEquipmentSorts) }),
    }),
    ask: ({ db, now, people }, query) => listOwnEquipment(db, people.lessor, { ...parse(equipment.listOwnEquipment.query, query), now }),
  },
  'market of a lessor': {
    url: quote.listDemandsForLessor.url,
    table: 'demand',
    who: 'lessor',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      scope: weights === 'weighted' && dice.next() < 0.6 ? 'recommended' : dice.pick(scopes),
      ...(asks(dice, weights, 0.1) && { projectName: dice.pick(offers.categories).name.slice(-2) }),
      ...(asks(dice, weights, 0.05) && { demandCode: `XQ${dice.between(1, 99)}` }),
      ...(asks(dice, weights, 0.1) && { status: dice.pick(publicStatuses) }),
    }),
    ask: ({ db, now, people }, query) =>
      listDemandsForLessor(db, { companyId: people.lessor.companyId ?? 0, now }, parse(quote.listDemandsForLessor.query, query)),
  },
  'messages of a person': {
    url: message.listOwnMessages.url,
    table: 'message',
    who: 'lessor',
    draw: (dice, _, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.3) && { isRead: dice.pick(['0', '1']) }),
      ...(asks(dice, weights, 0.1) && { keyword: '报价' }),
      ...(asks(dice, weights, 0.2) && { systemSubject: dice.pick(systemSubjects) }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, ['createTime']) }),
    }),
    ask: ({ db, people }, query) =>
      listOwnMessages({ db, actor: people.lessor, locale: 'zh-CN' }, parse(message.listOwnMessages.query, query)),
  },
  'contracts of a group': {
    url: contract.listContracts.url,
    table: 'contract',
    who: 'group',
    draw: contractQuery,
    ask: ({ db, now, people }, query) => listContracts({ db, now, actor: people.group }, parse(contract.listContracts.query, query)),
  },
  'contracts of a project': {
    url: contract.listContracts.url,
    table: 'contract',
    who: 'project',
    draw: contractQuery,
    ask: ({ db, now, people }, query) => listContracts({ db, now, actor: people.project }, parse(contract.listContracts.query, query)),
  },
  'contracts of a lessor': {
    url: contract.listContracts.url,
    table: 'contract',
    who: 'lessor',
    draw: contractQuery,
    ask: ({ db, now, people }, query) => listContracts({ db, now, actor: people.lessor }, parse(contract.listContracts.query, query)),
  },
  ...privateLists,
  ...consoleLists,
}

export function draw(
  list: string,
  { offers, weights, count, seed = 7 }: { offers: Offers; weights: Weights; count: number; seed?: number },
): Question[] {
  const dice = new Dice(seed)
  const one = lists[list]
  if (!one) throw new Error(`there is no list ${list}`)
  return Array.from({ length: count }, () => ({ list, query: one.draw(dice, offers, weights) }))
}

/** People of the large market: a group with all demands, one of its projects, a lessor, and the platform. */
export async function loadPeople(db: Db): Promise<People> {
  const base = { permissions: [], isAdmin: false, setup: null, address: '' }
  const of = async (userName: string, role: 'leaseholder' | 'projectUser' | 'leaser', userType: '2' | '3' | '4'): Promise<Actor> => {
    const account = await db
      .selectFrom('account')
      .where((eb) => (userName === '' ? eb('userType', '=', userType) : eb('userName', '=', userName)))
      .orderBy('id')
      .select(['id', 'userName', 'companyId', 'deptId'])
      .executeTakeFirstOrThrow()
    return {
      ...base,
      accountId: account.id,
      userName: account.userName,
      userType,
      role,
      contractRole: role,
      companyId: account.companyId,
      deptId: account.deptId,
    }
  }
  return {
    group: await of('group1', 'leaseholder', '2'),
    project: await of('', 'projectUser', '3'),
    lessor: await of('', 'leaser', '4'),
    // The lists of the platform ask for nobody's rows.
    operator: {
      ...base,
      accountId: 0,
      userName: 'operator',
      userType: '8',
      role: 'operator',
      contractRole: 'operator',
      companyId: null,
      deptId: null,
    },
  }
}
