// Hands files to the calls that take them, several at once.
import { insertSession } from '#server/account/sessions.ts'
import type { Read } from '#server/db/connect.ts'
import type { Hostile } from './corpus.ts'

export type Answered = { http: number; code: number; msg: string }
export type Handed = Answered & { name: string; ms: number }

export const addressOf = ({ kind }: Hostile): string =>
  kind === 'workbook' ? '/prod-api/business/equipment/importData' : '/prod-api/file/upload'

/** Sessions of as many new people of a lessor: of one person only a few files wait, and only so many are taken a minute. */
export async function insertSenders(
  db: Read,
  { companyId, count, now }: { companyId: number; count: number; now: Date },
): Promise<string[]> {
  const people = Array.from({ length: count }, (_, n) => ({
    userName: `hostile${n}`,
    passwordHash: 'none',
    userType: '4' as const,
    auditStatus: '2' as const,
    certSign: 1,
    companyId,
  }))
  const sessions: string[] = []
  for (const { id } of await db.insertInto('account').values(people).returning('id').execute())
    sessions.push(await insertSession({ db, now, address: '', agent: '' }, { accountId: id }))
  return sessions
}

/** The body of a form with this one file. */
export function formOf(content: Buffer, boundary: string): Buffer {
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Feeds all files, so many at once. */
export async function feed(
  files: readonly Hostile[],
  atOnce: number,
  hand: (file: Hostile, content: Buffer, index: number) => Promise<Answered>,
): Promise<Handed[]> {
  const handed: Handed[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < files.length; index = next++) {
      const file = files[index] as Hostile
      const content = await file.content()
      const began = performance.now()
      const answer = await hand(file, content, index)
      handed.push({ name: file.name, ...answer, ms: performance.now() - began })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return handed
}

/** Answers that tell the person what is wrong; 200 stands for a file that does no harm. */
export const clearAnswers: readonly number[] = [200, 400, 413, 422]
