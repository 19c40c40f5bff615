import type { fileKinds } from '#shared/file/contract.ts'
import { ArchiveRefused, listEntries } from '../workbook/archive.ts'

type Kind = keyof typeof fileKinds

const archive = Buffer.from('PK\u0003\u0004')
const signatures: [Kind, (content: Buffer) => boolean][] = [
  ['image/jpeg', (content) => content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/png', (content) => content.subarray(0, 8).equals(Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'))],
  ['image/webp', (content) => content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP'],
  ['application/pdf', (content) => content.toString('latin1', 0, 5) === '%PDF-'],
]
/** What an archive is, by the part that every one of its kind has. */
const parts: [Kind, string][] = [
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/workbook.xml'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word/document.xml'],
]
const mostEntries = 10_000

/** The kind of a file by its first bytes, for an archive by the names of its entries; null for what the platform does not take. */
export function kindOf(content: Buffer): Kind | null {
  const known = signatures.find(([, fits]) => fits(content))
  if (known) return known[0]
  if (!content.subarray(0, archive.length).equals(archive)) return null
  try {
    const names = new Set(listEntries(content, mostEntries).map(({ name }) => name))
    return parts.find(([, part]) => names.has(part))?.[0] ?? 'application/zip'
  } catch (error) {
    if (error instanceof ArchiveRefused || error instanceof RangeError) return null
    throw error
  }
}
