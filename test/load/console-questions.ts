// The questions that the lists of the platform's console can be asked.
import { listAccounts } from '#server/account/manage.ts'
import { listAudit } from '#server/audit/queries.ts'
import { listCertifications } from '#server/certification/queries.ts'
import { listCompanies } from '#server/company/manage.ts'
import { listAllContracts } from '#server/contract/manage.ts'
import { listReviews } from '#server/equipment/review.ts'
import { listOutbox } from '#server/outbox/queries.ts'
import * as account from '#shared/account/manage.ts'
import { accountStatuses, userTypes } from '#shared/account/rules.ts'
import * as audit from '#shared/audit/contract.ts'
import { auditActions, auditBizTypes } from '#shared/audit/rules.ts'
import { addDays, dayOf } from '#shared/calendar.ts'
import * as certification from '#shared/certification/contract.ts'
import { certificationKinds, certificationStatuses } from '#shared/certification/rules.ts'
import * as company from '#shared/company/manage.ts'
import { companyStatuses } from '#shared/company/rules.ts'
import * as contract from '#shared/contract/manage.ts'
import { contractSources, contractStatuses } from '#shared/contract/rules.ts'
import * as equipment from '#shared/equipment/manage.ts'
import * as outbox from '#shared/outbox/contract.ts'
import { outboxStates } from '#shared/outbox/rules.ts'
import { asks, direction, page, parse, typed, type List } from './question-parts.ts'

export const certificationsOf = (who: 'group' | 'operator'): List => ({
  url: certification.listCertifications.url,
  table: 'certification',
  who,
  draw: (dice, offers, weights) => ({
    ...page(dice, weights),
    ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
    ...(asks(dice, weights, 0.5) && { status: dice.pick(certificationStatuses) }),
    ...(asks(dice, weights, 0.2) && { kind: dice.pick(certificationKinds) }),
    ...(asks(dice, weights, 0.2) && { todo: '1' }),
    ...(asks(dice, weights, 0.3) && { sort: direction(dice, certification.certificationSorts) }),
  }),
  ask: ({ db, people }, query) => listCertifications(db, people[who], parse(certification.listCertifications.query, query)),
})

export const consoleLists: Record<string, List> = {
  'accounts of the platform': {
    url: account.listAccounts.url,
    table: 'account',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.2) && { userType: dice.pick(userTypes) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { status: dice.pick(accountStatuses) }),
      ...(asks(dice, weights, 0.1) && { companyId: String(dice.between(1, offers.names.length)) }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, account.accountSorts) }),
    }),
    ask: ({ db }, query) => listAccounts(db, parse(account.listAccounts.query, query)),
  },
  'companies of the platform': {
    url: company.listCompanies.url,
    table: 'company',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.2) && { kind: dice.pick(['lessor', 'lessee']) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.2) && { grade: dice.pick(company.grades) }),
      ...(asks(dice, weights, 0.1) && { status: dice.pick(companyStatuses) }),
      ...(asks(dice, weights, 0.2) && { provinceId: String(dice.pick(offers.regions.filter(({ level }) => level === 1)).code) }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, company.companySorts) }),
    }),
    ask: ({ db }, query) => listCompanies(db, parse(company.listCompanies.query, query)),
  },
  'contracts of the platform': {
    url: contract.listAllContracts.url,
    table: 'contract',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.4) && { status: dice.pick(contractStatuses) }),
      ...(asks(dice, weights, 0.2) && { source: dice.pick(contractSources) }),
      ...(asks(dice, weights, 0.1) && { keyword: typed(dice, offers) }),
      ...(asks(dice, weights, 0.3) && { companyId: String(dice.between(1, offers.names.length)) }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, contract.watchedSorts) }),
    }),
    ask: ({ db }, query) => listAllContracts(db, parse(contract.listAllContracts.query, query)),
  },
  'certifications to review': certificationsOf('operator'),
  'machines to review': {
    url: equipment.listReviews.url,
    table: 'equipment',
    who: 'operator',
    draw: (dice, offers, weights) => ({
      ...page(dice, weights),
      scope: dice.pick(equipment.reviewScopes),
      ...(asks(dice, weights, 0.3) && { keyword: dice.pick([typed(dice, offers), dice.pick(offers.models), 'SB2026010112']) }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, equipment.reviewSorts) }),
    }),
    ask: ({ db }, query) => listReviews(db, parse(equipment.listReviews.query, query)),
  },
  'SMS of the platform': {
    url: outbox.listOutbox.url,
    table: 'outbox',
    who: 'operator',
    draw: (dice, _, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.3) && { status: dice.pick(outboxStates) }),
      ...(asks(dice, weights, 0.1) && { todo: '1' }),
      ...(asks(dice, weights, 0.1) && { phonenumber: '14400000001' }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, outbox.outboxSorts) }),
    }),
    ask: ({ db }, query) => listOutbox({ db, secret: 'a-secret-for-the-bench' }, parse(outbox.listOutbox.query, query)),
  },
  'audit log': {
    url: audit.listAudit.url,
    table: 'audit_log',
    who: 'operator',
    draw: (dice, { now, names }, weights) => ({
      ...page(dice, weights),
      ...(asks(dice, weights, 0.2) && { who: 'operator' }),
      ...(asks(dice, weights, 0.1) && { keyword: dice.pick(names).slice(2, 5) }),
      ...(asks(dice, weights, 0.3) && { action: dice.pick(auditActions) }),
      ...(asks(dice, weights, 0.2) && { bizType: dice.pick(auditBizTypes), bizId: String(dice.between(1, 1000)) }),
      ...(asks(dice, weights, 0.2) && { from: addDays(dayOf(now), -dice.between(1, 30)), to: dayOf(now) }),
      ...(asks(dice, weights, 0.3) && { sort: direction(dice, audit.auditSorts) }),
    }),
    ask: ({ db, people }, query) => listAudit(db, people.operator, parse(audit.listAudit.query, query)),
  },
}
