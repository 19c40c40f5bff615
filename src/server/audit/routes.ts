import * as contract from '#shared/audit/contract.ts'
import type { Api } from '../api.ts'
import { exportAudit, getAuditEntry, listAudit, verifyInTurn } from './queries.ts'

export function auditRoutes(api: Api): void {
  api.handle(contract.listAudit, ({ db, actor }, { query }) => listAudit(db, actor, query))
  api.handle(contract.verifyAudit, (context) => verifyInTurn(context))
  api.handle(contract.exportAudit, (context, { query }) => exportAudit(context, query))
  api.handle(contract.getAudit, ({ db, actor }, { params }) => getAuditEntry(db, actor, params.seq))
}
