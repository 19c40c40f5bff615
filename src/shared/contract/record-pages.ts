import { z } from 'zod'
import { numeric } from '../fields.ts'
import { ContractRecord } from './record.ts'

/** Steps after `after`, and none after `until`, so that what happens while somebody reads the pages belongs to none of them. */
export const RecordPageQuery = z.object({
  after: numeric(z.number().int().min(0)).default(0),
  until: numeric(z.number().int().min(1)).optional(),
})

/** A page of the record: some of its steps, and with the first of them all the rest. `lastSeq` is the step with which the last page ends. */
export const RecordPage = ContractRecord.extend({ lastSeq: z.number() })
export type RecordPage = z.output<typeof RecordPage>

/** Reads a record page by page and puts it together. */
export async function wholeRecord(read: (query: z.input<typeof RecordPageQuery>) => Promise<RecordPage>): Promise<ContractRecord> {
  const { lastSeq, ...record } = await read({})
  let last = record.links.at(-1)?.seq ?? lastSeq
  while (last < lastSeq) {
    const { links } = await read({ after: last, until: lastSeq })
    const end = links.at(-1)
    if (!end) break
    record.links.push(...links)
    last = end.seq
  }
  return record
}
