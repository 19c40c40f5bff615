import type { Category } from '#shared/category/contract.ts'
import { changeStatus } from '#shared/equipment/rules.ts'
import { sizeOf } from '#shared/equipment/size.ts'
import type { EquipmentInput } from '#shared/equipment/upload.ts'
import { nameIn } from '#shared/text/name-in.ts'
import { comma, semicolon } from '#shared/text/punctuation.ts'
import type { Text } from '#shared/text/zh-cn.ts'
import type { Read } from '../db/connect.ts'
import type { Machine } from './own.ts'

type Papers = EquipmentInput['papers']
type NamedCategory = Pick<Category, 'id' | 'name' | 'nameEn' | 'params'>
/** The words for the values of one side of a change, of a machine of this category. */
type Wording = { text: Text; categories: Map<number, NamedCategory>; categoryId: number }

/** The machine with its requested change as pairs of texts, field by field, and the documents whose file the change would replace or add. */
export async function withChangeTexts(db: Read, machine: Machine, text: Text) {
  const { change } = machine
  if (!change) return { ...machine, change: null }
  const { id, status, submitTime, reason, before, after, mimes } = change
  const names = text.equipment.upload.fields as Record<string, string>
  const present = new Set(before.papers?.flatMap(({ fileId }) => fileId ?? []))
  const isNew = (fileId: string | null) => fileId !== null && !present.has(fileId)
  const categories = await findNamed(db, [
    machine.categoryId,
    ...[before, after].flatMap((side) => [side.fatherCategoryId, side.categoryId]),
  ])
  const wordingOf = (side: Partial<EquipmentInput>) => ({ text, categories, categoryId: side.categoryId ?? machine.categoryId })
  const fields = (Object.keys(after) as (keyof EquipmentInput)[]).map((field) => ({
    field: names[field] ?? field,
    before: cellText(before, field, wordingOf(before)),
    after: field === 'papers' ? papersText(after.papers ?? [], text, isNew) : cellText(after, field, wordingOf(after)),
  }))
  // A decided request has no files of its own any more, so its documents are not shown.
  const papers = (after.papers ?? []).flatMap((paper) => {
    const mime = isNew(paper.fileId) && mimes[paper.fileId ?? '']
    return mime ? [{ ...paper, mime }] : []
  })
  const categoryWaits = status === changeStatus.waiting && after.categoryId !== undefined
  return { ...machine, change: { id, status, submitTime, reason, fields, papers, categoryWaits } }
}

/** Categories by id, those included that are disabled by now: a machine or a rejected change may still name them. */
async function findNamed(db: Read, ids: readonly (number | undefined)[]): Promise<Map<number, NamedCategory>> {
  const named = ids.filter((id) => id !== undefined)
  const rows: NamedCategory[] = await db
    .selectFrom('category')
    .where('id', 'in', named)
    .select(['id', 'name', 'nameEn', 'params'])
    .execute()
  return new Map(rows.map((category) => [category.id, category]))
}

/** The value as the facts of the machine show it. */
function cellText(side: Partial<EquipmentInput>, field: keyof EquipmentInput, { text, categories, categoryId }: Wording): string {
  const value = side[field]
  const nameOf = (id: unknown) => {
    const category = categories.get(Number(id))
    return category && nameIn(text, category.name, category.nameEn)
  }
  const words = () => {
    switch (field) {
      case 'fatherCategoryId':
      case 'categoryId':
        return nameOf(value)
      case 'emissionStage':
        return text.equipment.emission[side.emissionStage ?? 'none']
      case 'papers':
        return papersText(side.papers ?? [], text)
      case 'specs':
        return (categories.get(categoryId)?.params ?? [])
          .flatMap((param) => {
            const size = sizeOf(param, side.specs ?? {})
            return size === '' ? [] : `${nameIn(text, param.label, param.labelEn)} ${size}`
          })
          .join(comma(text))
      default:
        return typeof value === 'string' ? value : ''
    }
  }
  return words() || '—'
}

/** A new file under the same number and date would read like the old one, so it is named. */
function papersText(papers: Papers, text: Text, isNew: (fileId: string | null) => boolean = () => false): string {
  const { document, upload } = text.equipment
  return papers
    .map(({ kind, number, validTo, fileId }) =>
      [document[kind], number, validTo, isNew(fileId) && upload.newFile].filter(Boolean).join(' '),
    )
    .join(semicolon(text))
}
