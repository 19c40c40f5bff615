import type { DocumentKind } from '#shared/equipment/rules.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Machine } from './own.ts'

/** The machine with its requested change as pairs of texts, field by field. */
export function withChangeTexts(machine: Machine, text: Text) {
  const { change } = machine
  if (!change) return { ...machine, change: null }
  const { id, status, submitTime, reason, before, after } = change
  const names = text.equipment.upload.fields as Record<string, string>
  const fields = Object.keys(after).map((field) => ({
    field: names[field] ?? field,
    before: cellText(before[field as keyof EquipmentInput], text),
    after: cellText(after[field as keyof EquipmentInput], text),
  }))
  return { ...machine, change: { id, status, submitTime, reason, fields } }
}

function cellText(value: unknown, text: Text): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value))
    return (value as { kind: DocumentKind; number: string; validTo: string | null }[])
      .map(({ kind, number, validTo }) => [text.equipment.document[kind], number, validTo].filter(Boolean).join(' '))
      .join('; ')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, inner]) => `${key} ${String(inner)}`)
      .join(', ')
  return String(value as string)
}
