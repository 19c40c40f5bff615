import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { getCategoryTree } from '#shared/category/contract.ts'
import { insertSession } from '#server/account/sessions.ts'
import { hostileFiles } from './hostile/corpus.ts'
import { addressOf, clearAnswers, feed, formOf } from './hostile/feed.ts'
import { monday, openWorld } from './world.ts'

const world = await openWorld()
const { cast, db, server } = world
afterAll(() => world.close())

const files = hostileFiles()
/** The heavy ones are fed by `npm run hostile`, which measures as well. */
const quick = files.filter(({ heavy }) => !heavy)

test('the corpus has more than 200 files of different names', () => {
  expect(files.length).toBeGreaterThan(200)
  expect(new Set(files.map(({ name }) => name)).size).toBe(files.length)
  for (const kind of ['workbook', 'picture', 'pdf']) expect(quick.filter((file) => file.kind === kind).length).toBeGreaterThan(15)
})

test(
  'eight hostile files at once: each gets a clear answer, none is taken for a template, and everybody else is served',
  { timeout: 120_000 },
  async () => {
    const token = await insertSession({ db, now: monday, address: '', agent: '' }, { accountId: cast.lessor.id })
    const end = new AbortController()
    const others = (async () => {
      const codes = new Set<number>()
      while (!end.signal.aborted) {
        codes.add((await cast.visitor.call(getCategoryTree, {})).code)
        await pause(10)
      }
      return [...codes]
    })()
    const handed = await feed(quick, 8, async (file, content, index) => {
      // A person may hand in 60 files a minute, so the count begins anew.
      if (index % 40 === 39) await db.deleteFrom('callLimit').execute()
      const answer = await server.inject({
        method: 'POST',
        url: addressOf(file),
        headers: { authorization: token, 'content-type': 'multipart/form-data; boundary=zzzz' },
        payload: formOf(content, 'zzzz'),
      })
      return { http: answer.statusCode, code: answer.json<{ code: number }>().code }
    })
    end.abort()
    expect(await others).toEqual([200])
    expect(handed).toHaveLength(quick.length)
    expect(handed.filter(({ code }) => !clearAnswers.includes(code))).toEqual([])
    // Attacks on the reader are refused; those that only look like one may hold rows.
    const harmful = /^(row number|cell|one text|unpacked: (100|300)|claimed size: |overlapping|entries|XML of|XML with (a|entit|an ent))/
    expect(handed.filter(({ name, code }) => harmful.test(name) && code === 200)).toEqual([])
  },
)
