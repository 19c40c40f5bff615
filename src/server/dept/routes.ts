import * as contract from '#shared/dept/contract.ts'
import type { Api } from '../http/api.ts'
import * as depts from './queries.ts'

export function deptRoutes(api: Api): void {
  api.handle(contract.listDepts, (_, { db, actor }) => depts.findDepts(db, actor))

  api.handle(contract.addLease, async ({ body }, { db, actor, now }) => ({ deptId: await depts.insertDept(db, actor, '2', body, now) }))

  api.handle(contract.addDept, async ({ body }, { db, actor, now }) => ({ deptId: await depts.insertDept(db, actor, '3', body, now) }))

  api.handle(contract.editDept, async ({ body }, { db, actor }) => {
    await depts.updateDept(db, actor, body)
    return null
  })

  api.handle(contract.switchDept, async ({ params, body }, { db, actor }) => {
    await depts.setDeptStatus(db, actor, params.id, body.status)
    return null
  })

  api.handle(contract.deleteDept, async ({ params }, { db, actor }) => {
    await depts.deleteDept(db, actor, params.id)
    return null
  })
}
