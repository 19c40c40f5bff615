import { getSupplier, listOwnDepts, listSuppliers } from '#shared/company/contract.ts'
import { pickCompanies } from '#shared/broadcast/contract.ts'
import * as manage from '#shared/company/manage.ts'
import type { Api } from '../api.ts'
import { Refusal } from '../http/refusal.ts'
import * as managed from './manage.ts'
import { findLessor, findLessors, findOwnProjects } from './queries.ts'

export function companyRoutes(api: Api): void {
  api.handle(listSuppliers, ({ db }, { query }) => findLessors(db, query))

  api.handle(getSupplier, async ({ db }, { params }) => {
    const lessor = await findLessor(db, params.id)
    if (!lessor) throw new Refusal('not_found')
    return lessor
  })

  api.handle(listOwnDepts, ({ db, actor }) => findOwnProjects(db, actor))

  api.handle(manage.listCompanies, ({ db }, { query }) => managed.findCompanies(db, query))

  api.handle(manage.getCompany, async ({ db }, { params }) => {
    const company = await managed.findCompany(db, params.id)
    if (!company) throw new Refusal('not_found')
    return company
  })

  api.handle(manage.gradeCompany, async ({ db, actor, now }, { params, body }) => {
    await managed.setGrade(db, actor, params.id, body.grade, body.reason, now)
    return null
  })

  api.handle(manage.lockCompany, async ({ db, hub, actor, now }, { params, body }) => {
    await managed.setCompanyLock(db, hub, actor, params.id, true, body.reason, now)
    return null
  })

  api.handle(manage.unlockCompany, async ({ db, hub, actor, now }, { params, body }) => {
    await managed.setCompanyLock(db, hub, actor, params.id, false, body.reason, now)
    return null
  })

  api.handle(pickCompanies, ({ db }, { query }) => managed.pickCompanies(db, query.keyword, query.ids))
}
