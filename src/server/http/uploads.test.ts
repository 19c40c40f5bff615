import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { fileLimits } from '#shared/file/rules.ts'
import { zhCn } from '#shared/text/zh-cn.ts'
import { openWorld } from '#test/world.ts'
import { deleteAbandonedUploads } from './uploads.ts'

setFlagsFromString('--expose-gc')
const world = await openWorld()
const { cast, db } = world

/** A scanner that answers at once, or holds what it is given until it is told to pass it. */
const held: { pass: () => void }[] = []
let isOpen = true
let seen = (): void => undefined
const scan = async (): Promise<void> => {
  seen()
  if (!isOpen) await new Promise<void>((pass) => held.push({ pass }))
}
const passAll = (): void => {
  isOpen = true
  for (const { pass } of held.splice(0)) pass()
}
const { server } = await buildApp({ ...world.services, scan })
afterAll(async () => {
  passAll()
  await server.close()
  await world.close()
})
beforeEach(async () => {
  passAll()
  seen = () => undefined
  await db.deleteFrom('file').execute()
})

const boundary = 'x'.repeat(20)
const pdf = (bytes = 0) =>
  Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n'), Buffer.alloc(bytes), Buffer.from('%%EOF')])
const part = (headers: readonly string[], content: Buffer | string) => [
  Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
  Buffer.from(content),
  Buffer.from('\r\n'),
]
const filePart = (content: Buffer, more: readonly string[] = []) =>
  part([...more, 'content-disposition: form-data; name="file"; filename="a.pdf"'], content)
const fieldPart = (name: string, value: string) => part([`content-disposition: form-data; name="${name}"`], value)
const send = (parts: readonly Buffer[], token = cast.project.token) =>
  server.inject({
    method: 'POST',
    url: '/prod-api/file/upload',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, authorization: token ?? '' },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  })
const codeOf = async (answer: ReturnType<typeof send>) => (await answer).json<{ code: number }>().code

test('of a form no more is kept than one upload needs: short fields, few headers of a part', async () => {
  const collectGarbage = runInNewContext('gc') as () => void
  const heapBytes = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const long = Array.from({ length: 5 }, (_, n) => fieldPart(`long${n}`, 'x'.repeat(1_000_000)))
  isOpen = false
  const before = heapBytes()
  const answer = codeOf(send([...long.flat(), ...filePart(pdf())]))
  await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 90_000 })
  expect(heapBytes() - before).toBeLessThan(2_000_000)
  passAll()
  expect(await answer).toBe(200)
  // The name of the file is in a header beyond those that are read.
  const headers = Array.from({ length: 25 }, (_, n) => `x-${n}: y`)
  expect((await send(filePart(pdf(), headers))).statusCode).toBe(400)
})

test('a caller has eight uploads on their way at once, others are not concerned, and those that ended make room', async () => {
  isOpen = false
  const first = Array.from({ length: 8 }, () => codeOf(send(filePart(pdf()))))
  await expect.poll(() => held).toHaveLength(8)
  expect((await send(filePart(pdf()))).json<{ code: number }>().code).toBe(429)
  const other = codeOf(send(filePart(pdf()), cast.stranger.token))
  await expect.poll(() => held).toHaveLength(9)
  passAll()
  expect(await Promise.all([...first, other])).toEqual(Array.from({ length: 9 }, () => 200))
  expect(await Promise.all(Array.from({ length: 8 }, () => codeOf(send(filePart(pdf())))))).toEqual(Array.from({ length: 8 }, () => 200))
})

test('the bytes of all uploads that are scanned and stored at once are bounded; the others wait for them', async () => {
  isOpen = false
  const answers = Array.from({ length: 6 }, () => codeOf(send(filePart(pdf(2_500_000)))))
  await expect.poll(() => held).toHaveLength(2)
  // One after the other, as much as fits: never more than two of them in 6 MB.
  for (let left = 6; left > 0; left--) {
    await expect.poll(() => held).toHaveLength(Math.min(left, 2))
    held.shift()?.pass()
  }
  expect(await Promise.all(answers)).toEqual(Array.from({ length: 6 }, () => 200))
})

test('whoever hands in several large files makes nobody else wait for all of them', async () => {
  isOpen = false
  const mine = Array.from({ length: 4 }, () => codeOf(send(filePart(pdf(2_500_000)))))
  await expect.poll(() => held).toHaveLength(2)
  const theirs = codeOf(send(filePart(pdf()), cast.stranger.token))
  await expect.poll(() => held).toHaveLength(3)
  held[2]?.pass()
  expect(await theirs).toBe(200)
  passAll()
  expect(await Promise.all(mine)).toEqual([200, 200, 200, 200])
})

/** Runs with a folder of its own for temporary files, because others upload at the same time. */
async function withFolder(work: (folder: string) => Promise<void> | void) {
  const { TMPDIR } = process.env
  const folder = mkdtempSync(join(tmpdir(), 'zhujitong-arriving-'))
  process.env.TMPDIR = folder
  try {
    await work(folder)
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(folder, { recursive: true })
  }
}

test('a file that arrives is read by this process only, and is gone with the answer', () =>
  withFolder(async (folder) => {
    const modes: string[] = []
    seen = () => {
      for (const name of readdirSync(folder, { recursive: true }))
        modes.push((statSync(join(folder, String(name))).mode & 0o777).toString(8))
    }
    expect(await codeOf(send(filePart(pdf())))).toBe(200)
    expect(modes).toEqual(['700', '600'])
    expect(readdirSync(folder)).toEqual([])
  }))

test('what a killed process left is deleted at the next start, and the uploads of others that live stay', () =>
  withFolder(async (folder) => {
    let arriving = ''
    seen = () => void ([arriving = ''] = readdirSync(folder))
    expect(await codeOf(send(filePart(pdf())))).toBe(200)
    expect(arriving).toContain(`-${process.pid}-`)
    const { pid: ended } = spawnSync('true')
    const of = (pid: number) => arriving.replace(`-${process.pid}-`, `-${pid}-`)
    for (const name of [arriving, of(ended), of(process.ppid), 'zhujitong-other'])
      mkdirSync(join(folder, name, 'file'), { recursive: true })
    deleteAbandonedUploads()
    expect(readdirSync(folder).toSorted()).toEqual(['zhujitong-other', of(process.ppid)])
  }))

test('a file beyond the bound is cut off while it arrives, and neither scanned nor stored', async () => {
  let scanned = 0
  seen = () => void scanned++
  expect((await send(filePart(pdf(fileLimits.attachment)))).statusCode).toBe(413)
  expect(scanned).toBe(0)
  expect(await codeOf(send(filePart(pdf(fileLimits.attachment - 1000))))).toBe(200)
  expect(scanned).toBe(1)
  expect(await db.selectFrom('file').select('id').execute()).toHaveLength(1)
})

test('a picture has fewer bytes than other files', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(fileLimits.image)])
  const answer = (await send(filePart(png))).json<{ code: number; msg: string }>()
  expect(answer.msg).toBe(zhCn.refusal.too_large)
  expect(await codeOf(send(filePart(pdf(fileLimits.image))))).toBe(200)
})
