import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, describe, expect, inject, test } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { gradeCompany } from '#shared/company/manage.ts'
import { importTemplate } from '#shared/equipment/import.ts'
import { creditCodeCheck } from '#shared/company/rules.ts'
import { submitQuote } from '#shared/quote/contract.ts'
import { getHomeFigures } from '#shared/statistics/contract.ts'
import { connect } from '#server/db/connect.ts'
import { manage as runCommand, sentenceOf } from '#server/manage.ts'
import { folderStorage } from '#server/outside/storage.ts'
import { freePort } from '#test/free-port.ts'
import { copyDatabase } from '#test/template-db.ts'
import { inTransaction } from '#test/held-rows.ts'
import { monday, openWorld } from '#test/world.ts'
import { insertSession } from '../account/sessions.ts'
import { insertFile } from '../file/queries.ts'
import { openDueDemands } from '../opening/due.ts'
import { clearOffer } from '../seal/offer.ts'
import { restoreBackup, writeBackup } from './backup.ts'

const world = await openWorld()
const { cast, db, services } = world
const folder = mkdtempSync(join(tmpdir(), 'zhujitong-manage-'))
const empty = await copyDatabase(inject('template'), 'template0')
afterAll(async () => {
  await world.close()
  await empty.drop()
  rmSync(folder, { recursive: true, force: true })
})

const settings = (url: string, data: string) => ({ DATABASE_URL: url, TOKEN_SECRET: services.secret, DATA_DIR: data })
const here = join(folder, 'here')

/** Runs a command as an administrator would, with the settings of the server. Returns its output and exit code. */
async function manage(args: readonly string[], { url = world.url, data = here } = {}) {
  const lines: string[] = []
  try {
    await runCommand(args, settings(url, data), (line) => lines.push(line))
    return { status: 0, stdout: lines.join('\n'), stderr: '' }
  } catch (error) {
    return { status: 1, stdout: lines.join('\n'), stderr: sentenceOf(error) }
  }
}

const givenSession = (accountId: number) => insertSession({ db, now: monday, address: '', agent: '' }, { accountId })

test('a command runs as a process: its output, one sentence on failure, and its exit code', () => {
  const script = fileURLToPath(new URL('../manage.ts', import.meta.url))
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env: { ...process.env, ...settings(world.url, here) } })
  expect(run('verify-audit')).toMatchObject({ status: 0, stdout: expect.stringContaining('all whole') as string })
  const refused = run('reset-password', '--user', 'nobody')
  expect(refused.status).toBe(1)
  expect(refused.stderr).toContain('There is no account nobody.')
  expect(refused.stderr).not.toContain('    at ')
})

describe('operators and passwords', () => {
  test('the first operator gets a password that is shown once and must be changed', async () => {
    const { status, stdout } = await manage(['create-operator', '--user', 'first', '--phone', '13911114444', '--duties', 'system,people'])
    expect(status).toBe(0)
    const password = /changed: (\S+)/.exec(stdout)?.[1] ?? ''
    const answer = await world.server.inject({
      method: 'POST',
      url: '/prod-api/auth/webLogin',
      payload: { username: 'first', password },
    })
    expect(answer.json()).toMatchObject({ code: 200 })
    expect(
      await db
        .selectFrom('account')
        .where('userName', '=', 'first')
        .select(['userType', 'duties', 'mustChangePassword'])
        .executeTakeFirst(),
    ).toEqual({
      userType: '9',
      duties: ['system', 'people'],
      mustChangePassword: true,
    })
    expect(await db.selectFrom('auditLog').where('action', '=', 'staff.add').select(['who', 'accountId']).executeTakeFirst()).toEqual({
      who: 'create-operator',
      accountId: null,
    })
  })

  test.each([
    [['create-operator', '--user', 'first', '--phone', '13911115555'], 'That name is taken.'],
    [['create-operator', '--user', 'other', '--phone', '13911114444'], 'That phone number is taken.'],
    [['create-operator', '--user', 'other', '--phone', '1'], 'phone number is a Chinese mobile number'],
    [['create-operator', '--user', 'other', '--phone', '13911116666', '--duties', 'all'], 'There is no duty all'],
    [['create-operator', '--user', 'other'], '--phone is needed.'],
    [['reset-password', '--user', 'nobody'], 'There is no account nobody.'],
    [['restore', '--from', '/nowhere'], 'There is no backup in /nowhere.'],
    [['nonsense'], 'There is no command nonsense.'],
    [['backup', '--too', 'x'], 'Unknown option'],
  ])('%s: one sentence, and it ends with 1', async (args, sentence) => {
    const { status, stderr } = await manage(args)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
    expect(status).toBe(1)
  })

  test('resetting a password signs the person out and forgets their devices; the new one must be changed', async () => {
    await db.updateTable('account').set({ mustChangePassword: false }).where('userName', '=', 'first').execute()
    const before = await db.selectFrom('account').where('userName', '=', 'first').select(['id', 'passwordHash']).executeTakeFirstOrThrow()
    await db
      .insertInto('device')
      .values({ accountId: before.id, deviceHash: Buffer.alloc(32), seenAt: monday })
      .execute()
    await givenSession(before.id)
    expect((await manage(['reset-password', '--user', 'first'])).stdout).toContain('shown once')
    for (const table of ['session', 'device'] as const)
      expect(await db.selectFrom(table).where('accountId', '=', before.id).selectAll().execute(), table).toEqual([])
    const after = await db
      .selectFrom('account')
      .where('userName', '=', 'first')
      .select(['passwordHash', 'mustChangePassword'])
      .executeTakeFirstOrThrow()
    expect(after.mustChangePassword).toBe(true)
    expect(after.passwordHash).not.toBe(before.passwordHash)
  })

  test('resetting the password of a bidder is told to their company and stands in the chain', async () => {
    const demand = await world.givenDemand()
    const machine = await world.givenMachine(cast.lessor.companyId)
    expect((await cast.lessor.call(submitQuote, { body: world.quoteBody(demand, [machine]) })).code).toBe(200)
    expect((await manage(['reset-password', '--user', 'lessor'])).status).toBe(0)
    expect(await db.selectFrom('message').where('kind', '=', 'bidderPasswordReset').select('accountId').execute()).toEqual([
      { accountId: cast.lessor.id },
    ])
    const events = db.selectFrom('demandEvent').where('demandId', '=', demand.id).where('move', '=', 'passwordReset')
    expect(await events.select(['accountId', 'note']).execute()).toEqual([{ accountId: null, note: 'lessor' }])
    cast.lessor.call = world.caller(await givenSession(cast.lessor.id))
    await db.updateTable('account').set({ mustChangePassword: false }).where('id', '=', cast.lessor.id).execute()
  })

  test('removing a second factor takes its codes along, signs the person out and is audited', async () => {
    const { id } = await db.selectFrom('account').where('userName', '=', 'first').select('id').executeTakeFirstOrThrow()
    await db
      .insertInto('secondFactor')
      .values({ accountId: id, secretSealed: Buffer.alloc(32), createdAt: monday, confirmedAt: monday })
      .execute()
    await db
      .insertInto('recoveryCode')
      .values({ accountId: id, codeHash: Buffer.alloc(32) })
      .execute()
    await givenSession(id)
    expect((await manage(['remove-second-factor', '--user', 'first'])).status).toBe(0)
    for (const table of ['secondFactor', 'recoveryCode', 'session'] as const)
      expect(await db.selectFrom(table).where('accountId', '=', id).selectAll().execute(), table).toEqual([])
    expect(await db.selectFrom('auditLog').where('action', '=', 'account.removeFactor').select(['who', 'bizId']).execute()).toEqual([
      { who: 'remove-second-factor', bizId: String(id) },
    ])
  })
})

describe('companies and machines from workbooks', () => {
  const codeOf = (n: number) => {
    const body = `91510107DEM${String(n).padStart(5, '0')}9`
    return body + creditCodeCheck(body)
  }
  test('companies are imported with their administrators; a second run skips them; errors are named by row', async () => {
    const file = join(folder, 'companies.xlsx')
    const rows = [
      ['企业名称', '信用代码', '身份', '省', '市', '登录名', '联系人', '手机'],
      ['成都导入租赁有限公司', codeOf(1), 'lessor', 510_000, 510_100, 'imported1', '张导入', '14400009001'],
      ['成都导入建设有限公司', codeOf(2), 'lessee', 510_000, 510_100, 'imported2', '李导入', '14400009002'],
      ['成都错误有限公司', '123', 'lessor', 510_000, 510_100, 'imported3', '王导入', '14400009003'],
      ['成都同名有限公司', codeOf(4), 'lessor', 510_000, 510_100, 'imported1', '赵导入', '14400009004'],
    ]
    await writeXlsxFile(rows.map((row) => row.map((value) => ({ value, type: typeof value === 'number' ? Number : String })))).toFile(file)
    const first = (await manage(['import-companies', '--file', file])).stdout
    expect(first).toMatch(/2 added, 0 known already, 2 refused/)
    expect(first).toMatch(/ 4 +refused .*creditCode/)
    expect((await manage(['import-companies', '--file', file])).stdout).toMatch(/0 added, 2 known already, 2 refused/)
    const imported = await db
      .selectFrom('account')
      .where('userName', 'like', 'imported%')
      .orderBy('id')
      .select(['userType', 'isAdmin', 'mustChangePassword', 'deptId'])
      .execute()
    expect(imported).toMatchObject([
      { userType: '4', isAdmin: true, mustChangePassword: true, deptId: null },
      { userType: '2', isAdmin: true, mustChangePassword: true },
    ])
    // The refused row left nothing behind.
    expect(await db.selectFrom('company').where('creditCode', '=', codeOf(4)).execute()).toEqual([])
  })

  test('imported machines become drafts of the company with that code', async () => {
    const { creditCode } = await db
      .selectFrom('company')
      .where('id', '=', cast.lessor.companyId)
      .select('creditCode')
      .executeTakeFirstOrThrow()
    const template = await cast.lessor.call(importTemplate, { query: { fatherCategoryId: 100 } })
    const file = join(folder, 'machines.xlsx')
    writeFileSync(file, template.bytes)
    const { status, stderr } = await manage(['import-machines', '--company', creditCode, '--file', file])
    // A template without a row is refused in words.
    expect({ status, known: /empty|no rows|nothing/i.test(stderr) }).toEqual({ status: 1, known: true })
    expect((await manage(['import-machines', '--company', codeOf(9), '--file', file])).stderr).toContain('No lessor')
  })
})

test('lost thumbnails are created again', async () => {
  const data = join(folder, 'thumbs')
  const storage = folderStorage(join(data, 'files'))
  const content = await sharp({ create: { width: 900, height: 700, channels: 3, background: '#345' } })
    .jpeg()
    .toBuffer()
  const operator = { accountId: cast.operator.id, companyId: null, deptId: null }
  const { fileId } = await insertFile({ db, storage, actor: operator, now: monday }, { name: 'a.jpg', content })
  await storage.delete(`${fileId}-thumb`)
  expect((await manage(['rebuild-thumbnails'], { data })).stdout).toMatch(/^1 of 1 thumbnails made/)
  expect((await sharp(Buffer.from((await storage.get(`${fileId}-thumb`)) ?? [])).metadata()).width).toBe(480)
  await db.deleteFrom('file').where('id', '=', fileId).execute()
})

describe('backup and restore', () => {
  /** Every table as one hash, whatever the order of its rows. */
  async function figures(of: typeof db) {
    const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('migration', 'job_run') order by 1`.execute(of)
    const found: Record<string, string> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{
        hash: string
      }>`select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash
        from ${sql.table(name)} t ${name === 'audit_log' ? sql`where action <> 'system.restore'` : sql``}`.execute(of)
      found[name] = rows[0]?.hash ?? ''
    }
    return found
  }

  /** Starts the product on that database, expects that it answers, and ends it. */
  async function expectProductOf(url: string, data: string) {
    const port = await freePort()
    const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
      stdio: 'ignore',
      env: { ...process.env, ...settings(url, data), PORT: String(port), HOST: '127.0.0.1', REHEARSAL: '1', LOG_LEVEL: 'silent' },
    })
    const ended = once(child, 'exit')
    const ask = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/prod-api${getHomeFigures.url}`)).json()
    try {
      // The figures themselves depend on the time, which is that of the machine here.
      await expect.poll(() => ask().catch(() => null)).toMatchObject({ code: 200, data: { machines: expect.any(Number) as number } })
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toEqual([0, null])
  }

  test('a restore on an empty machine gives the same figures; sealed quotes open and the chains verify, and the product starts there', async () => {
    // The market contains a deal, a sealed quote, files and an entry of the log.
    const machine = await world.givenMachine(cast.lessor.companyId)
    await world.givenQuote(cast.lessor, await world.givenDemand(), [machine])
    world.passDeadline()
    await openDueDemands(world.services)
    world.clock.set(monday)
    const sealed = await world.givenDemand()
    await world.givenQuote(cast.lessor2, sealed, [await world.givenMachine(cast.lessor2.companyId)])
    await cast.operator.call(gradeCompany, {
      params: { id: cast.lessor.companyId },
      body: { grade: 'A', before: null, reason: '备份之前' },
    })
    const storage = folderStorage(join(here, 'files'))
    const operator = { accountId: cast.operator.id, companyId: null, deptId: null }
    const file = await insertFile(
      { db, storage, actor: operator, now: monday },
      { name: '证照.pdf', content: Buffer.from('%PDF-1.4 演示') },
    )

    const before = await figures(db)
    const made = await manage(['backup'])
    expect(made.stdout).toMatch(/tables, \d+ rows, 1 files\./)
    const [name = ''] = readdirSync(join(here, 'backups'))
    const backup = join(here, 'backups', name)
    expect(execFileSync('sha256sum', ['-c', '--quiet', 'manifest.sha256'], { cwd: backup, encoding: 'utf8' })).toBe('')
    // Whoever finds a backup cannot open the sealed quotes with it, unless it was asked for the secret.
    expect(existsSync(join(backup, 'secret'))).toBe(false)
    expect((await manage(['backup', '--to', join(here, 'whole'), '--with-secret'])).status).toBe(0)
    const [whole = ''] = readdirSync(join(here, 'whole'))
    expect(readFileSync(join(here, 'whole', whole, 'secret'), 'utf8')).toBe(services.secret)

    // A restore whose files cannot be stored leaves the database empty, so it can be repeated.
    const full = { ...storage, put: () => Promise.reject(new Error('the disk is full')) }
    await expect(restoreBackup(empty.url, full, backup)).rejects.toThrow('the disk is full')
    const there = join(folder, 'there')
    const restored = await manage(['restore', '--from', backup], { url: empty.url, data: there })
    expect(restored.stderr).toBe('')
    expect(restored.stdout).toMatch(/^Restored the backup of /)
    const { db: copy } = connect(empty.url, 2)
    expect(await figures(copy)).toEqual(before)
    expect(Buffer.from((await folderStorage(join(there, 'files')).get(file.fileId)) ?? []).toString()).toBe('%PDF-1.4 演示')
    const offer = await copy.selectFrom('quote').where('demandId', '=', sealed.id).select('sealedOffer').executeTakeFirstOrThrow()
    expect(JSON.parse(clearOffer(services.secret, sealed.id, offer.sealedOffer))).toMatchObject({ lines: [{}] })
    expect((await manage(['verify-audit'], { url: empty.url, data: there })).stdout).toMatch(/all whole/)
    // Rows created after the restore get ids that were never used.
    const { id } = await copy
      .insertInto('contact')
      .values({ name: '甲', company: '乙', phone: '1', type: 'other', content: '丙' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(id).toBeGreaterThan(0)
    await copy.destroy()
    await expectProductOf(empty.url, there)
    // A second time it is not empty any more.
    expect(await manage(['restore', '--from', backup], { url: empty.url, data: there })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('not empty') as string,
    })
  })

  test('a backup that fails leaves nothing, and removes what a killed one left a day ago', async () => {
    const into = join(folder, 'failing')
    for (const name of ['2026-11-22T01-59-59.part', '2026-11-22T02-00-01.part', 'notes.part'])
      mkdirSync(join(into, name), { recursive: true })
    const away = { ...services.storage, get: () => Promise.reject(new Error('the file store is away')) }
    const writing = { into, secret: services.secret, withSecret: false, now: monday }
    await expect(writeBackup(world.url, away, writing)).rejects.toThrow('the file store is away')
    expect(readdirSync(into).toSorted()).toEqual(['2026-11-22T02-00-01.part', 'notes.part'])
  })

  test('a backup with one changed byte is refused by name', async () => {
    const backups = join(here, 'backups')
    const backup = join(backups, readdirSync(backups)[0] ?? '')
    const path = join(backup, 'database/quote.copy.gz')
    const bytes = readFileSync(path)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { status, stderr } = await manage(['restore', '--from', backup], { url: empty.url })
    expect({ status, stderr: stderr.trim() }).toEqual({ status: 1, stderr: 'The backup is damaged: database/quote.copy.gz.' })
    expect(existsSync(path)).toBe(true)
  })

  test('verify-audit names a changed entry and ends with 1', async () => {
    await inTransaction(db, async (tx) => {
      await sql`alter table audit_log disable trigger audit_log_kept`.execute(tx)
      await sql`update audit_log set reason = '改过' where action = 'company.grade'`.execute(tx)
      await sql`alter table audit_log enable trigger audit_log_kept`.execute(tx)
    })
    const { seq } = await db.selectFrom('auditLog').where('action', '=', 'company.grade').select('seq').executeTakeFirstOrThrow()
    expect(await manage(['verify-audit'])).toMatchObject({ status: 1, stderr: expect.stringContaining(`Entry ${seq} `) as string })
  })
})
