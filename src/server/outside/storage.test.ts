import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderStorage, s3Storage, type S3, type Storage } from './storage.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-storage-'))
const store = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'files' }],
})
const settings: S3 = { endpoint: '', bucket: 'files', region: 'cn-north-1', keyId: 'S3RVER', secret: 'S3RVER' }
const kinds: Record<string, () => Storage> = { folder: () => folderStorage(join(folder, 'files')), s3: () => s3Storage(settings) }

beforeAll(async () => {
  const { port } = await store.run()
  settings.endpoint = `http://127.0.0.1:${port}`
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(Object.keys(kinds))('files in a %s', (kind) => {
  const storage = () => (kinds[kind] as () => Storage)()
  test('are read as they were written, overwritten, deleted, and absent without an error', async () => {
    const key = '0b9f3c1e-5a7d-4f0a-9d43-0d8f2f5f6a11'
    const content = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)
    expect(await storage().get(key)).toBeNull()
    await storage().put(key, content)
    expect(Buffer.from((await storage().get(key)) ?? []).equals(Buffer.from(content))).toBe(true)
    await storage().put(key, Uint8Array.of(1, 2, 3))
    await storage().put(`${key}-thumb`, Uint8Array.of(9))
    expect([...((await storage().get(key)) ?? [])]).toEqual([1, 2, 3])
    const opened = await storage().open(key)
    expect([opened?.size, Buffer.concat(await Readable.from(opened?.chunks ?? []).toArray())]).toEqual([3, Buffer.of(1, 2, 3)])
    await storage().delete(key)
    await storage().delete(key)
    expect(await storage().open(key)).toBeNull()
    expect(await storage().get(key)).toBeNull()
    expect([...((await storage().get(`${key}-thumb`)) ?? [])]).toEqual([9])
  })
})

test('files and their folders are for the user of the process only, also where an older version made the folder', async () => {
  const path = join(folder, 'older')
  mkdirSync(path, { mode: 0o755 })
  chmodSync(path, 0o755)
  await folderStorage(path).put('aa-key', Uint8Array.of(1))
  const modes = ['', 'aa', 'aa/aa-key'].map((part) => (statSync(join(path, part)).mode & 0o777).toString(8))
  expect(modes).toEqual(['700', '700', '600'])
})

test('what was written of a file that cannot be stored is removed, and a day later what a process left that died', async () => {
  const path = join(folder, 'parts')
  const inside = () => readdirSync(join(path, 'aa')).toSorted()
  // A folder of the name of the file: it can be written, but not renamed.
  mkdirSync(join(path, 'aa', 'aa-key'), { recursive: true })
  await expect(folderStorage(path).put('aa-key', Uint8Array.of(1))).rejects.toThrow()
  expect(inside()).toEqual(['aa-key'])
  const [old, young] = ['aa-old.part', 'aa-young.part'].map((name) => join(path, 'aa', name))
  for (const part of [old, young]) writeFileSync(part ?? '', 'half')
  const yesterday = new Date(Date.now() - 25 * 3_600_000)
  utimesSync(old ?? '', yesterday, yesterday)
  folderStorage(path)
  await expect.poll(inside).toEqual(['aa-key', 'aa-young.part'])
})

test('a store that refuses, has no such bucket or is away gives an error, not an empty file', async () => {
  await expect(s3Storage({ ...settings, secret: 'another' }).put('aa-key', Uint8Array.of(1))).rejects.toThrow('403')
  await expect(s3Storage({ ...settings, bucket: 'nothing' }).put('aa-key', Uint8Array.of(1))).rejects.toThrow('bucket')
  await expect(s3Storage({ ...settings, endpoint: 'http://127.0.0.1:1' }).get('aa-key')).rejects.toThrow()
})
