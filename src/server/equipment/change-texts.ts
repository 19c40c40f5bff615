import type { EquipmentInput } from '#shared/equipment/upload.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Machine } from './own.ts'

type Papers = EquipmentInput['papers']

/** The machine with its requested change as pairs of texts, field by field, and the documents whose file the change would replace or add. */
export function withChangeTexts(machine: Machine, text: Text) {
  const { change } = machine
  if (!change) return { ...machine, change: null }
  const { id, status, submitTime, reason, before, after, mimes } = change
  const names = text.equipment.upload.fields as Record<string, string>
  const present = new Set(before.papers?.flatMap(({ fileId }) => fileId ?? []))
  const isNew = (fileId: string | null) => fileId !== null && !present.has(fileId)
  const fields = Object.keys(after).map((field) => ({
    field: names[field] ?? field,
    before: cellText(before[field as keyof EquipmentInput], text),
    after: field === 'papers' ? papersText(after.papers ?? [], text, isNew) : cellText(after[field as keyof EquipmentInput], text),
  }))
  // A decided request has no files of its own any more, so its documents are not shown.
  const papers = (after.papers ?? []).flatMap((paper) => {
    const mime = isNew(paper.fileId) && mimes[paper.fileId ?? '']
    return mime ? [{ ...paper, mime }] : []
  })
  return { ...machine, change: { id, status, submitTime, reason, fields, papers } }
}

function cellText(value: unknown, text: Text): string {
  if (value === null || value === undefined || value === '') return '—'
  if (Array.isArray(value)) return papersText(value as Papers, text)
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, inner]) => `${key} ${String(inner)}`)
      .join(', ')
  return String(value as string)
}

/** A new file under the same number and date would read like the old one, so it is named. */
function papersText(papers: Papers, text: Text, isNew: (fileId: string | null) => boolean = () => false): string {
  const { document, upload } = text.equipment
  return papers
    .map(({ kind, number, validTo, fileId }) =>
      [document[kind], number, validTo, isNew(fileId) && upload.newFile].filter(Boolean).join(' '),
    )
    .join('; ')
}
