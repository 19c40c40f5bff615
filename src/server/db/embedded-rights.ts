import type { SpawnSyncReturns } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from '../config.ts'

/** The user of the app in the embedded database, and the name of its database. */
export const appRole = 'zhujitong'

/** Runs a program of PostgreSQL to its end, as the user of the database; `cluster` is its name for the data. */
export type RunProgram = (program: 'postgres' | 'initdb', args: (cluster: string) => string[], input?: string) => SpawnSyncReturns<string>

/** What a test run may do besides: copy databases, and slow the disk of one down. */
const practiceRights = `
alter role ${appRole} createdb
;

grant pg_checkpoint to ${appRole}
;

grant alter system on parameter commit_delay, commit_siblings to ${appRole}
;

`

/**
 * Makes the app's user the plain owner of its database: no superuser, who could read every file that the server may read. Done by PostgreSQL in
 * single-user mode before the server starts, so there is no superuser that anybody could sign in as, over the network or a socket. Data of an
 * earlier version, whose app was the superuser, is handed over in the same way.
 */
export function grantRights(run: RunProgram, folder: string, { practice }: { practice: boolean }): void {
  const password = appPassword(folder)
  const access = join(folder, 'pg_hba.conf')
  const who = `${practice ? 'all' : appRole} ${appRole}`
  writeFileSync(access, `local ${who} scram-sha-256\nhost ${who} 127.0.0.1/32 scram-sha-256\n`)
  // Read by the user of the database, whatever the umask is here.
  chmodSync(access, 0o644)
  const role = roleSql(password) + (practice ? practiceRights : '')
  const wanted = createHash('sha256').update(`${role}${ownershipSql}`).digest('hex')
  const stamp = join(folder, 'rights')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  const runSingle = (database: string, sql: string, stops = true) =>
    run('postgres', (cluster) => ['--single', '-j', '-c', `exit_on_error=${stops ? 'on' : 'off'}`, '-D', cluster, database], sql)
  const runOrRefuse = (database: string, sql: string) => {
    const { status, stdout, stderr } = runSingle(database, sql)
    if (status !== 0)
      throw new StartRefused(`The rights in the database could not be set: ${/(?:FATAL|ERROR): .*/.exec(stderr)?.[0] ?? stderr}`)
    return stdout
  }
  runOrRefuse('postgres', role)
  // Refused when it is there already.
  runSingle('postgres', `create database ${appRole} owner ${appRole}\n;\n\n`, false)
  const listed = runOrRefuse('postgres', `select datname from pg_database where not datistemplate and datname <> 'postgres'\n;\n\n`)
  for (const [, database = ''] of listed.matchAll(/datname = "(\w+)"/g))
    runOrRefuse(
      database,
      `alter database ${database} owner to ${appRole}\n;\n\n${ownershipSql}${practice ? `grant execute on function pg_reload_conf() to ${appRole}\n;\n\n` : ''}`,
    )
  writeFileSync(stamp, wanted, { mode: 0o600 })
  // Of the superuser of earlier versions.
  rmSync(join(folder, 'password'), { force: true })
}

export function appPassword(folder: string): string {
  const path = join(folder, 'app-password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' })
  return readFileSync(path, 'utf8').trim()
}

// Single-user mode reads a command until a semicolon and an empty line.
const roleSql = (password: string) => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${appRole}') then create role ${appRole}; end if;
end $$
;

alter role ${appRole} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'
;

alter role postgres password null
;

`

/** Everything of the product that the superuser still owns; what belongs to an extension stays with it. */
const ownershipSql = `
do $$ declare found record; begin
  for found in select c.oid::regclass as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and c.relowner <> '${appRole}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('e', 'a', 'i')) loop
    execute format('alter table %s owner to ${appRole}', found.name);
  end loop;
  for found in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proowner <> '${appRole}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') loop
    execute format('alter routine %s owner to ${appRole}', found.name);
  end loop;
  for found in select t.oid::regtype as name from pg_type t
    where t.typnamespace = 'public'::regnamespace and t.typtype in ('d', 'e') and t.typowner <> '${appRole}'::regrole
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e') loop
    execute format('alter type %s owner to ${appRole}', found.name);
  end loop;
end $$
;

`
