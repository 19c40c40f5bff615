import { expect, test } from 'vitest'
import { runInThread } from './thread.ts'

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const refusal = (code: string) => expect.objectContaining({ code })

test('a program that never ends is ended', async () => {
  await expect(runInThread(program('for (;;);'), null, 200)).rejects.toEqual(refusal('import_slow'))
})

test('a program that takes too much memory is ended', async () => {
  // 240 MB, which the process itself has.
  const held = `Array.from({ length: 300 }, () => new Array(100_000).fill(0.5))`
  const greedy = program(`import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ result: ${held}.length })`)
  await expect(runInThread(greedy, null)).rejects.toEqual(refusal('import_bounds'))
})

test('a program has no settings of the process, and one that posts nothing has failed', async () => {
  const settings = program(`import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ result: process.env })`)
  expect(await runInThread(settings, null)).toEqual({})
  await expect(runInThread(program(''), null)).rejects.toEqual(refusal('import_bounds'))
})
