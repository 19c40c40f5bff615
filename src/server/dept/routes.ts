import * as contract from '#shared/dept/contract.ts'
import type { Api } from '../api.ts'
import * as edit from './edit.ts'
import { listDepts } from './queries.ts'

export function deptRoutes(api: Api): void {
  api.handle(contract.listDepts, ({ db, actor }) => listDepts(db, actor))
  api.handle(contract.addLease, (deed, { body }) => edit.addUnit(deed, body))
  api.handle(contract.addDept, (deed, { body }) => edit.addProject(deed, body))
  api.handle(contract.editDept, (deed, { body }) => edit.editDept(deed, body))
  api.handle(contract.switchDept, (deed, { params, body }) => edit.switchDept(deed, { ...params, ...body }))
  api.handle(contract.deleteDept, (deed, { params }) => edit.deleteDept(deed, params.id))
}
