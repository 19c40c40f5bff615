import { pickAuditedCompanies, pickCompanies } from '#shared/broadcast/contract.ts'
import { getLessor, listOwnDepts, listLessors, lookAtLessor } from '#shared/company/contract.ts'
import * as contract from '#shared/company/manage.ts'
import { listRelatedCompanies as listRelatedCall } from '#shared/company/related.ts'
import type { Api } from '../api.ts'
import { listOwnProjects } from '../dept/project.ts'
import { findSetting } from '../setting/queries.ts'
import * as manage from './manage.ts'
import * as lessors from './queries.ts'
import { listRelatedCompanies } from './related.ts'

export function companyRoutes(api: Api): void {
  api.handle(listLessors, ({ db }, { query }) => lessors.listLessors(db, query))
  api.handle(getLessor, ({ db }, { params }) => lessors.getLessor(db, params.id))
  api.handle(lookAtLessor, async (deed, { params }) => {
    const { looksPerDay } = await findSetting(deed.db, 'limits')
    return lessors.lookAtLessor(deed, { ...params, limit: looksPerDay })
  })
  api.handle(listOwnDepts, ({ db, actor }) => listOwnProjects(db, actor))

  api.handle(contract.listCompanies, ({ db }, { query }) => manage.listCompanies(db, query))
  api.handle(contract.exportCompanies, (context, { query }) => manage.exportCompanies(context, query))
  api.handle(contract.getCompany, ({ db }, { params }) => manage.getCompany(db, params.id))
  api.handle(listRelatedCall, ({ db }, { params }) => listRelatedCompanies(db, params.id))
  api.handle(contract.gradeCompany, (deed, { params, body }) => manage.gradeCompany(deed, { ...params, ...body }))
  api.handle(contract.lockCompany, (deed, { params, body }) => manage.lockCompany(deed, { ...params, ...body }))
  api.handle(contract.unlockCompany, (deed, { params }) => manage.unlockCompany(deed, params.id))
  api.handle(pickCompanies, ({ db }, { query }) => manage.pickCompanies(db, { ...query, isLessee: false }))
  api.handle(pickAuditedCompanies, ({ db }, { query }) => manage.pickCompanies(db, { ...query, isLessee: true }))
}
