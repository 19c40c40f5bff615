import * as contract from '#shared/audit/contract.ts'
import type { Api } from '../api.ts'
import { textOf } from '../http/locale.ts'
import { Refusal } from '../http/refusal.ts'
import { insertAudit } from './log.ts'
import { auditWorkbook, findAudit, findAuditEntry, verifyAuditChain } from './queries.ts'

export function auditRoutes(api: Api): void {
  api.handle(contract.listAudit, ({ db, actor }, { query }) => findAudit(db, actor, query))

  api.handle(contract.verifyAudit, ({ db }) => verifyAuditChain(db))

  api.handle(contract.exportAudit, async ({ db, actor, locale, now }, { query }) => {
    const file = await auditWorkbook(db, actor, query, textOf(locale))
    await insertAudit(db, actor, { action: 'audit.export', bizType: 'audit', bizId: '', companyId: actor.companyId, after: query }, now)
    return file
  })

  api.handle(contract.getAudit, async ({ db, actor }, { params }) => {
    const entry = await findAuditEntry(db, actor, params.seq)
    if (!entry) throw new Refusal('not_found')
    return entry
  })
}
