import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFor, runInReader } from './reader.ts'

/** Runs a program in the thread of the reader that workbooks are read in. */
const run = <T>(code: string) => {
  const program = `import { readFileSync } from 'node:fs'; import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ result: ${code} })`
  return runInReader<T>({ kind: 'thread', program: `data:text/javascript,${encodeURIComponent(program)}`, data: null })
}
const rest = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)`

test('what strangers hand in is read in another process, which has none of the settings of this one', async () => {
  process.env.SETTING_OF_A_TEST = 'secret'
  const { pid, settings } = await run<{ pid: number; settings: string }>(
    `{ pid: process.pid, settings: readFileSync('/proc/self/environ', 'utf8') }`,
  )
  delete process.env.SETTING_OF_A_TEST
  expect(pid).not.toBe(process.pid)
  expect(settings).toContain('MALLOC_ARENA_MAX=1')
  expect(settings).not.toMatch(/SETTING_OF_A_TEST|TOKEN_SECRET|DATABASE_URL|HOME=/)
})

test('one is read after the other, and where too many wait the next is refused at once', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 16 }, () => run<[number, number]>(`[Date.now(), ${rest}, Date.now()].filter(Number.isInteger)`)),
  )
  const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect(read).toHaveLength(13)
  expect(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ code: 'busy' })),
  )
  for (const [index, [began]] of read.entries()) expect(began).toBeGreaterThanOrEqual(read[index - 1]?.[1] ?? 0)
})

test('of one person few workbooks wait, so that others have theirs', async () => {
  const ask = (by: string, times: number) => Promise.allSettled(Array.from({ length: times }, () => readFor(by, () => run(rest))))
  const answers = await Promise.all([ask('account 1', 20), ask('account 2', 3), ask('account 3', 3)])
  expect(answers.map((some) => some.filter(({ status }) => status === 'fulfilled').length)).toEqual([4, 3, 3])
})

test('a content that ends the process is refused, and the next is read', async () => {
  await expect(run(`process.kill(process.pid, 'SIGKILL')`)).rejects.toEqual(expect.objectContaining({ code: 'import_bounds' }))
  expect(await run('1')).toBe(1)
})

test('every workbook is written in a thread beside the server', () => {
  const server = new URL('..', import.meta.url)
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!\.test)\.ts$/.test(file))
  const writers = files.filter((file) => /^import writeXlsxFile/m.test(readFileSync(new URL(file, server), 'utf8')))
  // The sheets of an import are a part of its thread.
  expect(writers.filter((file) => !file.endsWith('-thread.ts'))).toEqual(['equipment/import-sheets.ts'])
})
