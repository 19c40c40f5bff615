import { sql } from 'kysely'
import type { Storage } from '../outside/storage.ts'

/** Every table that refers to a file: one that is missing here keeps whoever attached the file from ever being erased. */
export const filesAttachedIn = [
  'article_image',
  'blacklist_file',
  'certification_document',
  'contract_file',
  'demand_attachment',
  'equipment_change_file',
  'equipment_document',
  'equipment_image',
  'feedback_image',
] as const

type Attaching = (typeof filesAttachedIn)[number]

/** The tables that attach files to something of an organisation, whose people read it from then on. */
const ofOrganisations: readonly Attaching[] = [
  'blacklist_file',
  'contract_file',
  'demand_attachment',
  'equipment_change_file',
  'equipment_document',
  'equipment_image',
]

const isAttachedIn = (tables: readonly Attaching[]) =>
  sql<boolean>`exists (${sql.join(
    tables.map((table) => sql`select from ${sql.table(table)} where file_id = file.id`),
    sql` union all `,
  )})`

/** Whether something refers to a `file`. */
export const isAttached = isAttachedIn(filesAttachedIn)

/** Whether something of an organisation refers to a `file`. */
export const isOrganisations = isAttachedIn(ofOrganisations)

/** Removes files, and their thumbnails, from the storage. */
export async function deleteFiles(storage: Storage, files: readonly string[]): Promise<void> {
  for (const file of files) {
    await storage.delete(file)
    await storage.delete(`${file}-thumb`)
  }
}
