import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { operatorDuties, userType } from '#shared/account/rules.ts'
import { permissionsOf } from '#shared/account/permissions.ts'
import { certificationStatus } from '#shared/certification/rules.ts'
import { isAmong } from '#shared/lifecycle.ts'
import { delFlag } from '#shared/rules.ts'
import { en } from '#shared/text/en.ts'
import { forgetDevices } from './account/devices.ts'
import { givenPassword } from './account/passwords.ts'
import { removeSecondFactor } from './account/second-factor.ts'
import { endSessionsOf } from './account/sessions.ts'
import { firstPassword, hashPassword } from './actor/hash.ts'
import { audited, insertAudit } from './audit/log.ts'
import { verifyAuditChain } from './audit/queries.ts'
import { importCompanies } from './company/import.ts'
import { readConfig, StartRefused, storedSecret } from './config.ts'
import { findWrongRoots } from './contract/heads.ts'
import { CodeCounter } from './db/codes.ts'
import { connect } from './db/connect.ts'
import { holdFolder, runningEmbedded, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import { nextVersion } from './db/version.ts'
import { violatedUnique } from './db/violations.ts'
import { transact } from './deed.ts'
import { acceptImport, getImport, startImport } from './equipment/import.ts'
import { AnswerCache } from './http/answer-cache.ts'
import { Refusal } from './http/refusal.ts'
import { recordRun } from './jobs/runs.ts'
import { Hub } from './message/hub.ts'
import { systemClock } from './outside/clock.ts'
import { clamdScan } from './outside/scanner.ts'
import { smsSender } from './outside/sms.ts'
import { storageOf } from './outside/storage.ts'
import { giveData, isRoot, plainUsers } from './plain-users.ts'
import { recordPasswordReset } from './quote/bidder-access.ts'
import type { Services } from './services.ts'
import { makeThumbnail } from './upload/picture-encoding.ts'
import { BackupRefused, fingerprint, readBackup, restoreBackup, writeBackup } from './system/backup.ts'

/** A command that cannot be run; its message is one sentence. */
class CommandRefused extends Error {}

/** What a command works with: the services of a server, its settings and its own options. */
type Desk = { services: Services; url: string; dataDir: string; values: Record<string, string | boolean | undefined> }

const commands: Record<string, { usage: string; run: (desk: Desk) => Promise<void> }> = {
  'create-operator': { usage: '--user NAME --phone NUMBER [--name NAME] [--duties a,b] [--not-admin]', run: createOperator },
  'reset-password': { usage: '--user NAME', run: resetPassword },
  'remove-second-factor': { usage: '--user NAME', run: removeFactor },
  'verify-audit': { usage: '', run: verifyAudit },
  backup: { usage: '[--to FOLDER] [--with-secret]', run: backup },
  restore: { usage: '--from FOLDER', run: restore },
  'import-companies': { usage: '--file WORKBOOK', run: companies },
  'import-machines': { usage: '--company CREDIT_CODE --file WORKBOOK', run: machines },
  'rebuild-thumbnails': { usage: '[--all]', run: thumbnails },
}

function needed({ values }: Desk, name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new CommandRefused(`--${name} is needed.`)
  return value
}

async function createOperator(desk: Desk): Promise<void> {
  const { services, values } = desk
  const now = services.clock.now()
  const wanted = typeof values.duties === 'string' ? values.duties.split(',').filter(Boolean) : operatorDuties
  const duties = wanted.filter((duty) => isAmong(duty, operatorDuties))
  const unknown = wanted.find((duty) => !isAmong(duty, operatorDuties))
  if (unknown) throw new CommandRefused(`There is no duty ${unknown}; there are ${operatorDuties.join(', ')}.`)
  const userName = needed(desk, 'user')
  const phonenumber = needed(desk, 'phone')
  const name = typeof values.name === 'string' ? values.name : userName
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  try {
    await transact(services, { now }, ({ db }) =>
      audited({ db, now }, { command: 'create-operator' }, { action: 'staff.add', bizType: 'account' }, () =>
        db
          .insertInto('account')
          .values({
            userName,
            name,
            nickName: name,
            phonenumber,
            ...givenPassword(passwordHash, now),
            userType: userType.operator,
            auditStatus: certificationStatus.passed,
            isAdmin: values['not-admin'] !== true,
            duties,
            createTime: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    )
  } catch (error) {
    const taken = violatedUnique(error)
    if (taken !== undefined) throw new CommandRefused(`That ${taken.includes('phone') ? 'phone number' : 'name'} is taken.`)
    if ((error as { code?: string }).code === '23514')
      throw new CommandRefused('The name has 2 to 30 characters, the phone number is a Chinese mobile number.')
    throw error
  }
  services.writeLine(`Operator ${userName} is there. First password, shown once and to be changed: ${password}`)
}

async function resetPassword(desk: Desk): Promise<void> {
  const { services } = desk
  const now = services.clock.now()
  const userName = needed(desk, 'user')
  const { id } = await accountOf(desk, userName)
  const password = firstPassword()
  const passwordHash = await hashPassword(password)
  await transact(services, { now }, (work) =>
    audited(work, { command: 'reset-password' }, { action: 'account.resetPassword', bizType: 'account', id }, async () => {
      await work.db
        .updateTable('account')
        .set({ ...givenPassword(passwordHash, now), version: nextVersion })
        .where('id', '=', id)
        .execute()
      await recordPasswordReset(work, { accountId: id, by: null, reason: '' })
      await forgetDevices(work.db, id, null)
      await endSessionsOf(work, id)
    }),
  )
  services.writeLine(`First password of ${userName}, shown once and to be changed: ${password}`)
}

async function removeFactor(desk: Desk): Promise<void> {
  const { services } = desk
  const now = services.clock.now()
  const userName = needed(desk, 'user')
  const { id } = await accountOf(desk, userName)
  await transact(services, { now }, (work) =>
    audited(work, { command: 'remove-second-factor' }, { action: 'account.removeFactor', bizType: 'account', id }, async () => {
      // First, because it locks the account, as a change of the number does before it uses up a code of the factor.
      await endSessionsOf(work, id)
      await removeSecondFactor(work.db, id)
    }),
  )
  services.writeLine(`${userName} signs in without a second factor; where one is required, it is set up anew.`)
}

async function accountOf({ services }: Desk, userName: string): Promise<{ id: number }> {
  const account = await services.db
    .selectFrom('account')
    .where('userName', '=', userName)
    .where('delFlag', '=', delFlag.present)
    .select('id')
    .executeTakeFirst()
  if (!account) throw new CommandRefused(`There is no account ${userName}.`)
  return account
}

async function verifyAudit({ services: { writeLine, db } }: Desk): Promise<void> {
  const { entries, head, broken } = await verifyAuditChain(db)
  if (broken)
    throw new CommandRefused(
      `Entry ${broken.seq} (${broken.at}, ${broken.who}, ${broken.action}) was changed, or one before it is missing.`,
    )
  writeLine(`${entries} entries, all whole. Hash of the last: ${head || '-'}`)
  const [wrong] = await findWrongRoots(db)
  if (!wrong) return
  const { day, rootFits, counted, stored, cut } = wrong
  throw new CommandRefused(
    cut.length > 0
      ? `Contract ${cut.join(', ')}: the last link of ${day} is missing or changed, so the end of its chain was cut off or rewritten.`
      : `The heads of ${day} do not give the root of the audit log (${counted} then, ${stored} now, fit: ${rootFits}).`,
  )
}

async function backup({ services, url, dataDir, values }: Desk): Promise<void> {
  const { writeLine, storage, secret, clock } = services
  const into = resolve(typeof values.to === 'string' ? values.to : join(dataDir, 'backups'))
  const withSecret = values['with-secret'] === true
  await recordRun(services, 'backup', async () => {
    const { folder, manifest } = await writeBackup(url, storage, {
      into,
      secret,
      withSecret,
      now: clock.now(),
    })
    const rows = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0)
    writeLine(`${folder}: ${Object.keys(manifest.tables).length} tables, ${rows} rows, ${manifest.files} files.`)
    if (manifest.missing.length > 0)
      writeLine(`The storage had lost ${manifest.missing.length} files: ${manifest.missing.slice(0, 5).join(', ')}`)
    if (!withSecret) writeLine('The secret is not in it. Keep it elsewhere: without it, quotes that are still sealed cannot be opened.')
    return `${folder} (${rows})`
  })
}

async function restore(desk: Desk): Promise<void> {
  const { services, url } = desk
  const { writeLine, db, storage, secret, clock } = services
  const manifest = await restoreBackup(url, storage, resolve(needed(desk, 'from')))
  await insertAudit(
    db,
    { command: 'restore' },
    { action: 'system.restore', bizType: 'system', bizId: '', after: { at: manifest.at, files: manifest.files } },
    clock.now(),
  )
  writeLine(
    `Restored the backup of ${manifest.at}: ${Object.values(manifest.tables).reduce((sum, { rows }) => sum + rows, 0)} rows, ${manifest.files} files.`,
  )
  if (manifest.secret !== fingerprint(secret))
    writeLine('Attention: the secret is another one; quotes that are still sealed cannot be opened with it.')
}

async function companies(desk: Desk): Promise<void> {
  const { services } = desk
  const { writeLine } = services
  const results = await importCompanies(services, resolve(needed(desk, 'file')))
  for (const { row, enterpriseName, result, detail, password } of results)
    writeLine(
      `${String(row).padStart(5)}  ${result.padEnd(8)} ${enterpriseName} ${detail}${password ? `  first password ${password}` : ''}`,
    )
  const count = (kind: string) => results.filter(({ result }) => result === kind).length
  writeLine(`${count('added')} added, ${count('known')} known already, ${count('refused')} refused.`)
}

async function machines(desk: Desk): Promise<void> {
  const { writeLine, db, clock } = desk.services
  const now = clock.now()
  const creditCode = needed(desk, 'company').toUpperCase()
  const file = resolve(needed(desk, 'file'))
  const person = await db
    .selectFrom('company')
    .innerJoin('account', 'account.companyId', 'company.id')
    .where('company.creditCode', '=', creditCode)
    .where('account.userType', '=', userType.lessor)
    .where('account.delFlag', '=', delFlag.present)
    .orderBy('account.isAdmin', 'desc')
    .orderBy('account.id')
    .select(['account.id as accountId', 'account.userName', 'company.id as companyId'])
    .executeTakeFirst()
  if (!person) throw new CommandRefused(`No lessor with somebody in it has the credit code ${creditCode}.`)
  const actor = {
    ...person,
    userType: userType.lessor,
    role: 'leaser' as const,
    contractRole: 'leaser' as const,
    permissions: permissionsOf.leaser,
    deptId: null,
    isAdmin: true,
    setup: null,
    address: '',
  }
  const id = await startImport({ db, actor, now }, { name: basename(file), content: await readFile(file) })
  const { added } = await acceptImport({ ...desk.services, actor, now }, { id, text: en })
  const { rows } = await getImport({ db, actor, now }, { id, text: en })
  for (const { rowNo, problems } of rows) for (const { column, message } of problems) writeLine(`row ${rowNo}  ${column}: ${message}`)
  writeLine(`${added} of ${rows.length} machines are drafts of the company now; papers and photos are added in the workbench.`)
}

async function thumbnails({ services: { writeLine, db, storage }, values }: Desk): Promise<void> {
  const pictures = await db.selectFrom('file').where('mime', 'like', 'image/%').orderBy('createTime').select('id').execute()
  let made = 0
  const lost: string[] = []
  for (const { id } of pictures) {
    if (values.all !== true && (await storage.get(`${id}-thumb`))) continue
    const content = await storage.get(id)
    if (content) {
      await storage.put(`${id}-thumb`, await makeThumbnail(sharp(content)))
      await db.updateTable('file').set({ hasThumbnail: true }).where('id', '=', id).execute()
      made++
    } else lost.push(id)
  }
  writeLine(`${made} of ${pictures.length} thumbnails made.${lost.length > 0 ? ` Lost pictures: ${lost.join(', ')}` : ''}`)
}

/** Runs a command, while a server runs or without one, with the same settings as the server's. `sentenceOf` words its errors. */
export async function manage(
  args: readonly string[],
  environment: Record<string, string | undefined>,
  writeLine: Services['writeLine'],
): Promise<void> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...Object.fromEntries(
        ['user', 'phone', 'name', 'duties', 'to', 'from', 'file', 'company'].map((name) => [name, { type: 'string' as const }]),
      ),
      ...Object.fromEntries(['not-admin', 'with-secret', 'all'].map((name) => [name, { type: 'boolean' as const }])),
    },
  })
  const [name = ''] = positionals
  const command = commands[name]
  if (!command) {
    writeLine('npm run manage -- COMMAND [options]')
    for (const [known, { usage }] of Object.entries(commands)) writeLine(`  ${known.padEnd(20)} ${usage}`)
    if (name) throw new CommandRefused(`There is no command ${name}.`)
    return
  }
  const config = readConfig(environment)
  const dataDir = resolve(config.dataDir)
  mkdirSync(dataDir, { recursive: true })
  const folder = join(dataDir, 'postgres')
  const closers: (() => Promise<unknown> | void)[] = []
  try {
    let url = config.databaseUrl ?? runningEmbedded(folder)
    if (url === null) {
      closers.push(holdFolder(dataDir))
      const embedded = await startEmbedded(folder, writeLine)
      closers.push(() => embedded.stop())
      ;({ url } = embedded)
    }
    // A backup brings its own schema, and its secret where there is none yet.
    if (name === 'restore') {
      const from = typeof values.from === 'string' ? resolve(values.from) : ''
      await readBackup(from)
      const secretPath = join(dataDir, 'secret')
      if (!config.tokenSecret && !existsSync(secretPath) && existsSync(join(from, 'secret')))
        writeFileSync(secretPath, await readFile(join(from, 'secret')), { mode: 0o600 })
    } else await migrate(url, { writeLine })
    const { db, pool } = connect(url, 4)
    closers.push(() => db.destroy())
    const codes = new CodeCounter(url)
    closers.push(() => codes.end())
    const hub = new Hub(db)
    closers.push(() => hub.stop())
    const services = {
      db,
      pool,
      replica: null,
      codes,
      config,
      secret: config.tokenSecret ?? storedSecret(dataDir),
      clock: systemClock,
      storage: storageOf(config, dataDir),
      scan: config.scanner ? clamdScan(config.scanner, writeLine) : null,
      hub,
      answerCache: new AnswerCache(config.cacheMs),
      sms: smsSender(config.sms),
      writeLine,
    }
    await command.run({ services, url, dataDir, values })
  } finally {
    for (const close of closers.toReversed()) await close()
    // What root has written, the server reads as a plain user.
    const { app } = isRoot() ? plainUsers(join(folder, 'cluster')) : {}
    if (app) giveData(dataDir, app)
  }
}

/** A refusal as one sentence; an unforeseen error with its stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof Refusal) return en.refusal[error.code]
  const known = error instanceof CommandRefused || error instanceof StartRefused || error instanceof BackupRefused
  const { code } = error as { code?: string }
  return (known || code?.startsWith('ERR_PARSE_ARGS') || code === 'ENOENT' ? (error as Error).message : (error as Error).stack) ?? ''
}

if (process.argv[1] === import.meta.filename)
  try {
    await manage(process.argv.slice(2), process.env, (line) => void process.stdout.write(`${line}\n`))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exit(1)
  }
