import { auditFields as en } from './en/audit-fields.ts'
import { auditFields as zhCn } from './zh-cn/audit-fields.ts'
import type { Text } from './zh-cn.ts'

export type AuditFields = typeof zhCn

/** The words of logged columns in the language of a catalogue. They stand apart from it, so that only the audit log fetches them. */
export const auditFieldsOf = ({ locale }: Pick<Text, 'locale'>): AuditFields => (locale === zhLocale ? zhCn : en)

const zhLocale = 'zh-CN'
