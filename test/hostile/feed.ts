// Hands files to the calls that take them, several at once.
import type { Hostile } from './corpus.ts'

export type Answered = { http: number; code: number; msg: string }
export type Handed = Answered & { name: string; ms: number }

export const addressOf = ({ kind }: Hostile): string =>
  kind === 'workbook' ? '/prod-api/business/equipment/importData' : '/prod-api/file/upload'

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
