import { auditFields as en } from './en/audit-fields.ts'
import { nameIn } from './name-in.ts'
import { auditFields as zhCn } from './zh-cn/audit-fields.ts'
import type { Text } from './zh-cn.ts'

export type AuditFields = typeof zhCn

/** The words of logged columns in the language of a catalogue. They stand apart from it, so that only the audit log fetches them. */
export const auditFieldsOf = (text: Pick<Text, 'locale'>): AuditFields => nameIn<AuditFields>(text, zhCn, en)
