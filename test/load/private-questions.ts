// The questions that the smaller lists of the private areas and of the console can be asked.
import { listSignIns } from '#server/account/sessions.ts'
import { listCancellations } from '#server/account/cancellation-review.ts'
import { listManagedArticles } from '#server/article/manage.ts'
import { listEntries } from '#server/blacklist/queries.ts'
import { listBroadcasts } from '#server/broadcast/queries.ts'
import { listCeilings } from '#server/ceiling/queries.ts'
import { listContacts } from '#server/contact/queries.ts'
import { listDrafts } from '#server/demand/drafts.ts'
import { listImports } from '#server/equipment/import.ts'
import { listAllFeedback, listOwnFeedback } from '#server/feedback/queries.ts'
import { listInternal, listTransfers } from '#server/internal/queries.ts'
import { listPeople, listPickablePeople } from '#server/person/queries.ts'
import { listReceived } from '#server/quote/queries.ts'
import { listExceptions } from '#server/statistics/exceptions.ts'
import { listRows } from '#server/statistics/report.ts'
import * as cancellation from '#shared/account/cancellation.ts'
import * as account from '#shared/account/contract.ts'
import { accountStatuses, cancellationStatuses } from '#shared/account/rules.ts'
import * as articles from '#shared/article/manage.ts'
import { articleTabs } from '#shared/article/rules.ts'
import * as blacklist from '#shared/blacklist/contract.ts'
import { blacklistStatuses } from '#shared/blacklist/rules.ts'
import * as broadcast from '#shared/broadcast/contract.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as ceiling from '#shared/ceiling/contract.ts'
import * as contact from '#shared/contact/manage.ts'
import { contactStatuses } from '#shared/contact/rules.ts'
import * as demand from '#shared/demand/contract.ts'
import * as imports from '#shared/equipment/import.ts'
import * as feedback from '#shared/feedback/contract.ts'
import { feedbackStatuses } from '#shared/feedback/rules.ts'
import * as internal from '#shared/internal/contract.ts'
import { transferTodos } from '#shared/internal/rules.ts'
import * as person from '#shared/person/contract.ts'
import * as quote from '#shared/quote/contract.ts'
import * as panel from '#shared/statistics/panel.ts'
import * as report from '#shared/statistics/report.ts'
import { certificationsOf } from './console-questions.ts'
import { asks, direction, page, parse, typed, type Drawn, type List, type Query, type Who } from './question-parts.ts'

const onlyPages: Drawn = (dice, _, weights) => page(dice, weights)
const categoryOf: Drawn = (dice, offers, weights): Query =>
  asks(dice, weights, 0.4) ? { categoryId: String(dice.pick(offers.categories).id) } : {}

const entriesOf = (who: 'group' | 'lessor' | 'operator'): List => ({
  url: blacklist.listBlacklist.url,
  table: 'blacklist',
  who,
  draw: (dice, offers, weights) => ({
    ...page(dice, weights),
    ...(asks(dice, weights, 0.4) && { status: dice.pick(blacklistStatuses) }),
    ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
    ...(asks(dice, weights, 0.1) && { todo: '1' }),
    ...(asks(dice, weights, 0.2) && { sort: direction(dice, blacklist.blacklistSorts) }),
  }),
  ask: ({ db, people }, query) => listEntries(db, people[who], parse(blacklist.listBlacklist.query, query)),
})

const peopleOf = (who: Exclude<Who, 'visitor'>): List => ({
  url: person.listPeople.url,
  table: 'account',
  who,
  draw: (dice, offers, weights) => ({
    ...page(dice, weights),
    ...(asks(dice, weights, 0.3) && { status: dice.pick(accountStatuses) }),
    ...(asks(dice, weights, 0.1) && { userName: dice.pick(['group', 'lessor1', 'p']) }),
    ...(asks(dice, weights, 0.1) && { phonenumber: dice.pick(['144', '0001']) }),
    ...(asks(dice, weights, 0.2) && { deptId: String(dice.pick(offers.depts)) }),
    ...(asks(dice, weights, 0.2) && { sort: direction(dice, person.peopleSorts) }),
  }),
  ask: ({ db, people }, query) => listPeople(db, people[who], parse(person.listPeople.query, query)),
})

const ofPeople: Record<string, List> = {
  'people of a group': peopleOf('group'),
  'people of a lessor': peopleOf('lessor'),
  'people to pick': {
    url: person.listPickablePeople.url,
    table: 'account',
    who: 'group',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      type: dice.pick(person.personnelTypes),
      ...(asks(dice, weights, 0.3) && { name: typed(dice, offers) }),
      ...(asks(dice, weights, 0.3) && { deptId: String(dice.pick(offers.depts)) }),
      ...(asks(dice, weights, 0.2) && { contractId: String(dice.between(1, 200)) }),
      ...(asks(dice, weights, 0.2) && { besideId: String(dice.between(1, 200)) }),
    }),
    ask: ({ db, now, people }, query) =>
      listPickablePeople({ db, now, actor: people.group }, parse(person.listPickablePeople.query, query)),
  },
  'sign-ins of a person': {
    url: account.listSignIns.url,
    table: 'sign_in',
    who: 'lessor',
    draw: onlyPages,
    ask: ({ db, people }, query) => listSignIns(db, people.lessor.accountId, parse(account.listSignIns.query, query)),
  },
  'feedback of a person': {
    url: feedback.listOwnFeedback.url,
    table: 'feedback',
    who: 'lessor',
    draw: (dice, _, weights) => ({ ...page(dice, weights), ...(asks(dice, weights, 0.4) && { status: dice.pick(feedbackStatuses) }) }),
    ask: ({ db, people }, query) => listOwnFeedback(db, people.lessor, parse(feedback.listOwnFeedback.query, query)),
  },
}

const ofLessees: Record<string, List> = {
  ceilings: {
    url: ceiling.listCeilings.url,
    table: 'price_ceiling',
    who: 'group',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...categoryOf(dice, offers, weights),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, ceiling.ceilingSorts) }),
    }),
    ask: ({ db, people }, query) => listCeilings(db, people.group, parse(ceiling.listCeilings.query, query)),
  },
  'drafts of a group': {
    url: demand.listDrafts.url,
    table: 'demand',
    who: 'group',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.2) && { projectName: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, demand.draftSorts) }),
    }),
    ask: ({ db, people }, query) => listDrafts(db, people.group, parse(demand.listDrafts.query, query)),
  },
  'quotes received': {
    url: quote.listReceived.url,
    table: 'quote',
    who: 'group',
    draw: (dice, offers, weights) => ({ ...page(dice, weights), demandId: String(dice.pick(offers.demands)) }),
    ask: ({ db, people }, query) => listReceived(db, people.group, parse(quote.listReceived.query, query)),
  },
  'demands of a report': {
    url: report.listReportRows.url,
    table: 'demand',
    who: 'group',
    draw: (dice, { now, depts, categories, lessors, regions }, weights) => {
      const from = addDays(dayOf(now), -dice.between(0, 30))
      const by = dice.pick(report.reportGroups)
      const provinces = regions.filter(({ level }) => level === 1).map(({ code }) => code)
      const ids = { unit: depts, region: provinces, category: categories.map(({ id }) => id), lessor: lessors }
      const key = by === 'month' ? from.slice(0, 7) : String(dice.pick(ids[by]))
      return {
        ...page(dice, weights),
        from,
        to: addDays(from, dice.pick([7, 30])),
        figure: dice.pick(report.reportFigures),
        ...(asks(dice, weights, 0.4) && { by, key }),
        ...(asks(dice, weights, 0.2) && { deptId: String(dice.pick(depts)) }),
      }
    },
    ask: ({ db, people }, query) => listRows(db, people.group, parse(report.listReportRows.query, query)),
  },
  'demands to look at': {
    url: panel.listExceptions.url,
    table: 'demand',
    who: 'group',
    draw: (dice, _, weights) => ({ ...page(dice, weights), ...(asks(dice, weights, 0.5) && { kind: dice.pick(panel.exceptionKinds) }) }),
    ask: ({ db, now, people }, query) => listExceptions(db, { actor: people.group, now, ...parse(panel.listExceptions.query, query) }),
  },
  'idle machines of a group': {
    url: internal.listInternal.url,
    table: 'internal_machine',
    who: 'group',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...categoryOf(dice, offers, weights),
      ...(asks(dice, weights, 0.4) && { mine: '1' }),
    }),
    ask: ({ db, now, people }, query) => listInternal({ db, now, actor: people.group }, parse(internal.listInternal.query, query)),
  },
  'transfers of a group': {
    url: internal.listTransfers.url,
    table: 'internal_transfer',
    who: 'group',
    draw: (dice, _, weights) => ({ ...page(dice, weights), ...(asks(dice, weights, 0.4) && { todo: dice.pick(transferTodos) }) }),
    ask: ({ db, people }, query) => listTransfers(db, people.group, parse(internal.listTransfers.query, query)),
  },
  'blacklist of a group': entriesOf('group'),
  'certifications of a group': certificationsOf('group'),
}

const ofLessors: Record<string, List> = {
  'imports of a lessor': {
    url: imports.listImports.url,
    table: 'equipment_import',
    who: 'lessor',
    draw: onlyPages,
    ask: ({ db, people }, query) => listImports(db, people.lessor, parse(imports.listImports.query, query)),
  },
  'blacklist of a lessor': entriesOf('lessor'),
}

const ofPlatform: Record<string, List> = {
  'blacklist of the platform': entriesOf('operator'),
  'feedback of the platform': {
    url: feedback.listAllFeedback.url,
    table: 'feedback',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.4) && { status: dice.pick(feedbackStatuses) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { todo: '1' }),
    }),
    ask: ({ db }, query) => listAllFeedback(db, parse(feedback.listAllFeedback.query, query)),
  },
  'accounts to cancel': {
    url: cancellation.listCancellations.url,
    table: 'cancellation',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.4) && { status: dice.pick(cancellationStatuses) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, cancellation.cancellationSorts) }),
    }),
    ask: ({ db, now }, query) => listCancellations({ db, now }, parse(cancellation.listCancellations.query, query)),
  },
  'articles of the platform': {
    url: articles.listManagedArticles.url,
    table: 'article',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.4) && { tab: dice.pick(articleTabs) }),
      ...(asks(dice, weights, 0.2) && { state: dice.pick(articles.articleStates) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, articles.articleSorts) }),
    }),
    ask: ({ db, now }, query) => listManagedArticles(db, parse(articles.listManagedArticles.query, query), now),
  },
  'requests for cooperation': {
    url: contact.listContacts.url,
    table: 'contact',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.4) && { status: dice.pick(contactStatuses) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { sort: direction(dice, contact.contactSorts) }),
    }),
    ask: ({ db }, query) => listContacts(db, parse(contact.listContacts.query, query)),
  },
  'broadcasts of the platform': {
    url: broadcast.listBroadcasts.url,
    table: 'broadcast',
    who: 'operator',
    draw: onlyPages,
    ask: ({ db }, query) => listBroadcasts(db, parse(broadcast.listBroadcasts.query, query)),
  },
}

export const privateLists: Record<string, List> = { ...ofPeople, ...ofLessees, ...ofLessors, ...ofPlatform }
