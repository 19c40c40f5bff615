import { getSupplier, listOwnDepts, listSuppliers } from '#shared/company/contract.ts'
import type { Api } from '../http/api.ts'
import { Refusal } from '../http/refusal.ts'
import { findLessor, findLessors, findOwnProjects } from './queries.ts'

export function companyRoutes(api: Api): void {
  api.handle(listSuppliers, ({ query }, { db }) => findLessors(db, query))

  api.handle(getSupplier, async ({ params }, { db }) => {
    const lessor = await findLessor(db, params.id)
    if (!lessor) throw new Refusal('not_found')
    return lessor
  })

  api.handle(listOwnDepts, (_, { db, actor }) => findOwnProjects(db, actor))
}
