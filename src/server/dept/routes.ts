import * as contract from '#shared/dept/contract.ts'
import type { Api } from '../api.ts'
import * as depts from './queries.ts'

export function deptRoutes(api: Api): void {
  api.handle(contract.listDepts, ({ db, actor }) => depts.findDepts(db, actor))

  api.handle(contract.addLease, async ({ db, actor, now }, { body }) => ({ deptId: await depts.insertDept(db, actor, '2', body, now) }))

  api.handle(contract.addDept, async ({ db, actor, now }, { body }) => ({ deptId: await depts.insertDept(db, actor, '3', body, now) }))

  api.handle(contract.editDept, async ({ db, actor }, { body }) => {
    await depts.updateDept(db, actor, body)
    return null
  })

  api.handle(contract.switchDept, async ({ db, actor }, { params, body }) => {
    await depts.setDeptStatus(db, actor, params.id, body.status)
    return null
  })

  api.handle(contract.deleteDept, async ({ db, actor }, { params }) => {
    await depts.deleteDept(db, actor, params.id)
    return null
  })
}
