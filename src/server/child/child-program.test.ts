import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { ChildProgram } from './child-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-child-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Answers with its own number, unless it is asked to hang. */
const file = join(folder, 'program.mjs')
writeFileSync(
  file,
  `process.on('message', ({ id, task }) => { if (task === 'hang') for (;;); process.send({ id, result: process.pid }) })
process.on('disconnect', () => process.exit(0))`,
)
const programOf = (timeMs: number, idleMs: number) =>
  new ChildProgram<string>({ program: pathToFileURL(file), flags: [], environment: {}, timeMs, idleMs, lost: () => 'pdf_failed' })

test('a process that does not answer in time is killed with a refusal, and the next task has another', async () => {
  const program = programOf(2000, 60_000)
  const first = await program.run<number>('answer')
  await expect(program.run('hang')).rejects.toMatchObject({ code: 'pdf_failed' })
  expect(() => process.kill(first, 0)).toThrow('ESRCH')
  expect(await program.run<number>('answer')).not.toBe(first)
})

test('a process that has nothing to do ends by itself', async () => {
  const program = programOf(60_000, 1)
  const first = await program.run<number>('answer')
  await expect.poll(() => program.run<number>('answer'), { interval: 100 }).not.toBe(first)
})
