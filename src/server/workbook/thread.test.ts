import { expect, test } from 'vitest'
import { runInThread } from './thread.ts'

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)
const refusal = (code: string) => expect.objectContaining({ code })

test('a program that never ends is ended', async () => {
  await expect(runInThread(program('for (;;);'), null, { timeMs: 200 })).rejects.toEqual(refusal('import_slow'))
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

test('a thread that stays answers the next task; one that does not, or has failed, does not', async () => {
  const count = program(`import { parentPort } from 'node:worker_threads'
    let tasks = 0
    parentPort.on('message', (data) => {
      if (data === 'hang') for (;;);
      parentPort.postMessage({ result: ++tasks })
    })`)
  expect([await runInThread(count, null), await runInThread(count, null)]).toEqual([1, 1])
  const stays = (data: unknown) => runInThread(count, data, { stays: true, timeMs: 5000 })
  expect([await stays(1), await stays(2)]).toEqual([1, 2])
  // Two at a time are two threads.
  expect((await Promise.all([stays(3), stays(4)])).toSorted()).toEqual([1, 3])
  await expect(stays('hang')).rejects.toEqual(refusal('import_slow'))
  expect(await Promise.all([stays(5), stays(6)])).toEqual([1, 1])
})
