import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { demoPassword } from '#db/seed/cast.ts'
import { getDemoSignIns } from '#shared/account/demo.ts'
import { webLogin } from '#shared/account/contract.ts'
import { uploadFile } from '#shared/file/contract.ts'
import { getSystemStatus } from '#shared/system/contract.ts'
import { freePort } from '#test/free-port.ts'
import { copyDatabase } from '#test/template-db.ts'
import { openWorld } from '#test/world.ts'
import { closeConsole } from './account/exposed-demo.ts'
import { hashPassword } from './actor/hash.ts'
import { runningEmbedded } from './db/embedded.ts'
import { isRoot, plainUsers, readsCode } from './plain-users.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhujitong-main-'))
const children: ChildProcess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the product as `npm start` does, with these settings only. */
function run(environment: Record<string, string>) {
  const child = spawn(process.execPath, [fileURLToPath(new URL('main.ts', import.meta.url))], {
    env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
  return { child, ended: once(child, 'exit'), heard: () => text }
}

const photo = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#88a' } })
  .png()
  .toBuffer()

const status = (pid: number | undefined) => readFileSync(`/proc/${pid}/status`, 'utf8')
const uidOf = (pid: number | undefined) => Number(/^Uid:\t\d+\t(\d+)/m.exec(status(pid))?.[1])
/** Code that only root may read cannot be left by root; the start says so. */
const canLeave = () => !isRoot() || readsCode(plainUsers(join(folder, 'none')).app ?? { name: '', uid: 0, gid: 0 })

test('with the embedded database it runs as a plain user, and the database as another; both end together', async () => {
  const port = await freePort()
  const data = join(folder, 'data')
  const { child, ended, heard } = run({ PORT: String(port), DATA_DIR: data, DEMO: '0', HOST: '127.0.0.1' })
  await vi.waitFor(() => expect(heard()).toContain('is ready on'), { timeout: 90_000, interval: 100 })
  expect(heard().includes('it keeps running as root')).toBe(!canLeave())
  const databasePid = Number(readFileSync(join(data, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])
  if (canLeave()) {
    expect(uidOf(child.pid)).not.toBe(0)
    expect(status(child.pid)).toMatch(/^CapEff:\t0+$/m)
    expect(status(child.pid)).toMatch(/^Groups:\t(?!.*\b0\b)/m)
    expect(statSync(join(data, 'secret'))).toMatchObject({ uid: uidOf(child.pid), mode: 0o100600 })
  }
  if (isRoot()) expect(uidOf(databasePid)).not.toBe(uidOf(child.pid))
  // It serves as it did: the database answers.
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  const client = new pg.Client(runningEmbedded(join(data, 'postgres')) ?? '')
  await client.connect()
  await client.query(`with person as (
      insert into account (user_name, password_hash, user_type, audit_status) values ('uploader', 'none', '1', '2') returning id)
    insert into session (token_hash, account_id, created_at, expires_at)
    select sha256(convert_to('a-token', 'UTF8')), id, now(), now() + interval '1 hour' from person;
    with person as (
      insert into account (user_name, password_hash, user_type, duties) values ('chief', 'none', '9', array['system']) returning id),
    factor as (
      insert into second_factor (account_id, secret_sealed, created_at, confirmed_at) select id, '', now(), now() from person)
    insert into session (token_hash, account_id, created_at, expires_at)
    select sha256(convert_to('operator-token', 'UTF8')), id, now(), now() + interval '1 hour' from person`)
  await client.end()
  // And files are stored, though only root may enter the folder above.
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(photo)]), 'photo.png')
  const stored = await fetch(`http://127.0.0.1:${port}/prod-api${uploadFile.url}`, {
    method: 'POST',
    headers: { authorization: 'a-token' },
    body: form,
  })
  const { code, data: file } = (await stored.json()) as { code: number; data: { fileId: string } }
  expect(code).toBe(200)
  expect(statSync(join(data, 'files', file.fileId.slice(0, 2), file.fileId)).uid).toBe(uidOf(child.pid))
  // The operators see how much room is left for them.
  const seen = await fetch(`http://127.0.0.1:${port}/prod-api${getSystemStatus.url}`, { headers: { authorization: 'operator-token' } })
  expect(await seen.json()).toMatchObject({ data: { files: { count: 1, freeBytes: expect.any(Number) as number } } })
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(runningEmbedded(join(data, 'postgres'))).toBeNull()
})

test('with a database of its own it leaves root as well', async () => {
  const { url, drop } = await copyDatabase(inject('template'))
  const port = await freePort()
  const { child, ended, heard } = run({
    PORT: String(port),
    DATA_DIR: join(folder, 'other'),
    DATABASE_URL: url,
    TOKEN_SECRET: 'a-secret-for-tests-of-more-than-32-letters',
    REHEARSAL: '1',
    HOST: '127.0.0.1',
  })
  await vi.waitFor(() => expect(heard()).toContain('is ready on'), { timeout: 90_000, interval: 100 })
  expect(uidOf(child.pid) === 0).toBe(!canLeave())
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  await drop()
})

test('a start that is refused says why in one sentence', async () => {
  const { ended, heard } = run({
    DATA_DIR: join(folder, 'refused'),
    DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z',
    TOKEN_SECRET: 'a-secret-for-tests-of-more-than-32-letters',
    DEMO: '1',
  })
  expect(await ended).toEqual([1, null])
  expect(heard()).toMatch(/^With DATABASE_URL there can be no demo, [^\n]+\n$/)
})

describe('a demo that others reach', () => {
  test('has other passwords for the console’s accounts, given once', async () => {
    const world = await openWorld()
    const { db, services, cast } = world
    try {
      const visitor = world.caller(null)
      await db.insertInto('setting').values({ key: 'demo', value: '{"state":"whole"}' }).execute()
      await db
        .updateTable('account')
        .set({ passwordHash: await hashPassword(demoPassword), passwordUpdatedAt: world.clock.now() })
        .where('userName', 'in', ['operator', 'auditor', 'lessor'])
        .execute()
      await db
        .updateTable('account')
        .set({ passwordHash: await hashPassword('Another@2026') })
        .where('userName', 'in', ['clerk', 'otherauditor'])
        .execute()
      const names = async () => (await visitor(getDemoSignIns, {})).data.accounts.map(({ userName }) => userName)
      expect(await names()).toEqual(expect.arrayContaining(['operator', 'auditor', 'lessor']))

      const given = await closeConsole(services)
      expect(given.map(({ userName }) => userName).toSorted()).toEqual(['auditor', 'operator'])
      expect(await names()).not.toEqual(expect.arrayContaining(['operator']))
      expect(await names()).not.toEqual(expect.arrayContaining(['auditor']))
      expect(await names()).toContain('lessor')
      const enter = async (username: string, password: string) => (await visitor(webLogin, { body: { username, password } })).code
      const [operator] = given.filter(({ userName }) => userName === 'operator')
      expect(await enter('operator', operator?.password ?? '')).toBe(200)
      expect(await enter('auditor', demoPassword)).not.toBe(200)
      expect(await enter('lessor', demoPassword)).toBe(200)
      // Whoever had signed in with the published password is signed out.
      expect(await db.selectFrom('session').where('accountId', '=', cast.auditor.id).select('id').execute()).toEqual([])
      expect(await db.selectFrom('auditLog').where('action', '=', 'account.resetPassword').select('who').execute()).toEqual([
        { who: 'start' },
        { who: 'start' },
      ])
      expect(await closeConsole(services)).toEqual([])
    } finally {
      await world.close()
    }
  })
})
