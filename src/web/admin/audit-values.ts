import { toMoment } from '#shared/calendar.ts'
import { articleStatus } from '#shared/article/rules.ts'
import type { AuditBizType } from '#shared/audit/rules.ts'
import { auditFieldsOf } from '#shared/text/audit-fields.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import { colon } from '../app/colon.ts'
import { moneyOfFen } from '../app/format.ts'

const snake = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camel = (field: string) => field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The word of a column or of a field of a form; its own name where the catalogues have none. */
export function fieldLabel(text: Text, field: string): string {
  const name = camel(field)
  const ofForms: Record<string, string> = { ...text.equipment.upload.fields, ...text.certification.fields }
  const columns: Record<string, string> = auditFieldsOf(text)
  return columns[snake(field)] ?? ofForms[name] ?? field
}

/** Who acted: the sign-in name, and for a job of the platform its name in words. */
export function actorLabel(text: Text, who: string): string {
  const jobs: Record<string, string> = text.admin.jobs.names
  return jobs[who] ?? who
}

/** The object of an entry in words. A day that stands for itself is named once. */
export const objectLabel = ({ bizId, bizName }: { bizId: string; bizName: string }): string[] =>
  bizName === bizId ? [bizName] : [bizName, bizId]

/** What a logged value stands for, as a person reads it: codes in words, moments in local time, lists and forms line by line. */
export function valueLines(text: Text, bizType: AuditBizType, field: string, value: unknown): string[] {
  const { common } = text.site
  if (value === undefined || value === null || value === '') return [common.none]
  if (typeof value === 'boolean') return [value ? common.yes : common.no]
  if (Array.isArray(value)) {
    const parts = value.map((one: unknown) => valueLines(text, bizType, field, one))
    return parts.length === 0
      ? [common.none]
      : parts.every((lines) => lines.length === 1)
        ? [parts.flat().join(comma(text))]
        : parts.map((lines) => lines.join(semicolon(text)))
  }
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) => {
      const lines = valueLines(text, bizType, name, inner)
      const label = `${fieldLabel(text, name)}${colon(text)}`
      return lines.length === 1 ? [label + lines.join()] : [label, ...lines]
    })
  if (typeof value === 'number' && field.endsWith('_fen')) return [moneyOfFen(value)]
  const words = String(value as string | number)
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(words)) return [toMoment(new Date(words))]
  return [codesOf(text, bizType)[snake(field)]?.[words] ?? words]
}

/** The words of codes by column; the same column has other codes in another table. */
function codesOf(text: Text, bizType: AuditBizType): Record<string, Record<string, string>> {
  const status: Partial<Record<AuditBizType, Record<string, string>>> = {
    company: text.admin.companies.status,
    account: text.admin.accounts.status,
    demand: text.demand.status,
    certification: text.certification.status,
    blacklist: text.blacklist.status,
    feedback: text.personal.feedback.status,
    contact: text.admin.contacts.status,
    cancellation: text.admin.cancellations.status,
    outbox: text.personal.admin.sms,
    article: {
      [articleStatus.draft]: text.admin.articles.states.draft,
      [articleStatus.published]: text.admin.articles.states.published,
      [articleStatus.offline]: text.admin.articles.states.offline,
    },
  }
  return {
    shelf_status: text.equipment.shelf,
    rent_unit: text.equipment.unit,
    shift_mode: text.demand.shift,
    fuel_by: text.demand.side,
    audit_status: bizType === 'equipment' ? text.equipment.audit : text.certification.status,
    lessor_audit: text.certification.status,
    lessee_audit: text.certification.status,
    duties: text.admin.accounts.duty,
    user_type: text.admin.accounts.types,
    kind: bizType === 'certification' ? text.certification.kinds : text.blacklist.kinds,
    level: text.blacklist.levels,
    reason: bizType === 'blacklist' ? text.blacklist.reasons : {},
    tab: text.admin.articles.tabs,
    type:
      bizType === 'contact'
        ? text.site.contact.types
        : bizType === 'certification'
          ? text.certification.documents
          : text.personal.feedback.types,
    roles: text.admin.broadcasts.role,
    template: text.personal.admin.templates,
    entity_type: text.certification.entityTypes,
    scale_type: text.certification.scaleTypes,
    taxpayer_type: text.certification.taxpayerTypes,
    status: status[bizType] ?? {},
  }
}
