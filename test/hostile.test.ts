import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { getCategoryTree } from '#shared/category/contract.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { importRowsOf, mostSheetRows } from '#server/equipment/import-workbook.ts'
import { Refusal } from '#server/http/refusal.ts'
import { workbookLimits } from '#server/workbook/limits.ts'
import { readSheet } from '#server/workbook/sheet.ts'
import { hostileFiles, type Hostile } from './hostile/corpus.ts'
import { addressOf, clearAnswers, feed, formOf, insertSenders, type Answered } from './hostile/feed.ts'
import { monday, openWorld } from './world.ts'

const world = await openWorld()
const { cast, db, server } = world
afterAll(() => world.close())

const files = hostileFiles()
/** The heavy ones are fed by `npm run hostile`, which measures as well. */
const quick = files.filter(({ heavy }) => !heavy)

/** The beginnings of the names of files that a bound refuses, and of those that no reader takes; the rest only looks like an attack. */
const beyondBounds = [
  'row number: ',
  'cell: ',
  'rows in the wrong order: ',
  'cells in the wrong order: ',
  'cells without end: ',
  'one text: ',
  'one shared text: in 200,000 cells',
  'unpacked: 300 MB',
  'claimed size: ',
  'entries: ',
  'XML: of five million levels',
  'XML: with 300,000 attributes',
]
const beyondPixels = [
  ...[7746, 30_000, 65_535].map((side) => `PNG that claims a side of: ${side}`),
  ...[7746, 30_000].map((side) => `JPEG that claims a side of: ${side}`),
  'PNG line of: ',
]
const broken = ['overlapping entries: ', 'claimed entries: ', 'XML: of ', 'XML: with ', 'archive: encrypted']

const familyOf = (name: string) => name.split(':')[0]
/**
 * Of each family of workbooks the first is handed in, and the reader itself is given the others: the thread that it runs in takes a tenth of a second
 * of a processor to start.
 */
const isHandedIn = ({ kind, name }: Hostile, content: Buffer) =>
  kind !== 'workbook' ||
  content.length > workbookLimits.bytes ||
  name === quick.find((first) => familyOf(first.name) === familyOf(name))?.name

/** The answer of the import to a workbook. */
function readHere(content: Buffer): Answered {
  try {
    importRowsOf(readSheet(content, mostSheetRows))
    return { http: 200, code: 200, msg: '' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { http: 422, code: 422, msg: zhCn.refusal[error.code] }
  }
}

test('the corpus has more than 200 files of different names', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  for (const kind of ['workbook', 'picture', 'pdf']) expect(quick.filter((file) => file.kind === kind).length).toBeGreaterThan(15)
})

test(
  'eight hostile files at once: each gets a clear answer, none is taken for a template, and everybody else is served',
  { timeout: 600_000 },
  async () => {
    const tokens = await insertSenders(db, { companyId: cast.lessor.companyId, count: 8, now: monday })
    const end = new AbortController()
    const others = (async () => {
      const codes = new Set<number>()
      while (!end.signal.aborted) {
        codes.add((await cast.visitor.call(getCategoryTree, {})).code)
        await pause(100)
      }
      return [...codes]
    })()
    const slow: string[] = []
    const handed = await feed(quick, 8, async (file, content, index) => {
      // A person may hand in 60 files a minute, so the count begins anew.
      if (index % 240 === 239) await db.deleteFrom('callLimit').execute()
      if (!isHandedIn(file, content)) return readHere(content)
      const answer = await server.inject({
        method: 'POST',
        url: addressOf(file),
        headers: { authorization: tokens[index % tokens.length], 'content-type': 'multipart/form-data; boundary=zzzz' },
        payload: formOf(content, 'zzzz'),
      })
      const { code, msg } = answer.json<{ code: number; msg: string }>()
      // On a busy machine the thread may use up its time first; the reader itself says which bound refuses the file.
      if (msg === zhCn.refusal.import_slow) {
        slow.push(file.name)
        return readHere(content)
      }
      return { http: answer.statusCode, code, msg }
    })
    end.abort()
    expect(await others).toEqual([200])
    expect(handed).toHaveLength(quick.length)
    expect(slow.length, slow.join()).toBeLessThan(10)
    expect(handed.filter(({ code }) => !clearAnswers.includes(code))).toEqual([])
    const refusals = (families: readonly string[]) =>
      families.flatMap((family) => {
        const files = handed.filter(({ name }) => name.startsWith(family))
        return files.length > 0 ? files.map(({ name, code, msg }) => [name, code === 200 ? 'taken' : msg]) : [[family, 'no such file']]
      })
    const { import_bounds: bounds, picture_pixels: pixels } = zhCn.refusal
    // Each has rows of a template as well, so nothing but the bound refuses it.
    expect(refusals(beyondBounds).filter(([, msg]) => msg !== bounds)).toEqual([])
    expect(refusals(beyondPixels).filter(([, msg]) => msg !== pixels)).toEqual([])
    expect(refusals(broken).filter(([, msg]) => msg === 'taken' || msg === 'no such file')).toEqual([])
    // Neither the account nor a limit refuses the others.
    expect(refusals(['sound: workbook', 'sound: PNG']).map(([, msg]) => msg)).toEqual(['taken', 'taken'])
  },
)
