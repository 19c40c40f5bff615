/**
 * All actions that the audit log records, by the kind of object that they change. A kind has the name of its table, unless `src/server/audit/log.ts`
 * says otherwise. The words of both are in the text catalogues, under `audited`.
 */
const auditActionsOf = {
  certification: ['certification.pass', 'certification.reject', 'certification.revoke', 'certification.export'],
  equipment: ['equipment.pass', 'equipment.reject', 'equipment.takeDown', 'equipment.restore', 'equipment.confirm', 'equipment.export'],
  demand: ['demand.takeDown', 'demand.evidence', 'demand.export', 'demand.quotes', 'demand.report'],
  company: ['company.grade', 'company.lock', 'company.unlock', 'company.import', 'company.export'],
  account: [
    'account.add',
    'account.admin',
    'account.lock',
    'account.unlock',
    'account.resetPassword',
    'account.removeFactor',
    'account.endSessions',
    'account.driver',
    'account.phone',
    'staff.add',
    'staff.edit',
  ],
  category: ['category.add', 'category.edit', 'category.order'],
  dictionary: ['dictionary.save'],
  setting: ['setting.save'],
  article: ['article.add', 'article.edit', 'article.publish', 'article.offline', 'article.delete', 'article.export'],
  broadcast: ['broadcast.send'],
  feedback: ['feedback.answer', 'feedback.close'],
  contact: ['contact.handle'],
  blacklist: [
    'blacklist.propose',
    'blacklist.edit',
    'blacklist.notify',
    'blacklist.withdraw',
    'blacklist.emergency',
    'blacklist.decide',
    'blacklist.decideAppeal',
    'blacklist.lift',
    'blacklist.export',
  ],
  cancellation: ['cancellation.finish', 'cancellation.refuse'],
  outbox: ['outbox.resend'],
  contract: ['contract.look', 'contract.evidence', 'contract.export', 'contract.list'],
  contractRoot: ['contractRoot.add'],
  priceCeiling: ['ceiling.save', 'ceiling.delete'],
  job: ['job.retry'],
  audit: ['audit.export'],
  system: ['system.restore'],
} as const satisfies Record<string, readonly string[]>

export type AuditBizType = keyof typeof auditActionsOf
export type AuditAction = (typeof auditActionsOf)[AuditBizType][number]

export const auditBizTypes = Object.keys(auditActionsOf) as AuditBizType[]
export const auditActions = Object.values(auditActionsOf).flat()

/** Kinds that an organisation and its auditor know alone (domain 1.19): the platform's people do not read their entries. */
export const organisationKinds: readonly AuditBizType[] = ['priceCeiling']

/** Rows of one export. */
export const auditExportLimit = 10_000
