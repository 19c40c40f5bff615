import { verify } from '@node-rs/argon2'
import { userType } from '#shared/account/rules.ts'
import { demoPassword, demoSignIns } from '#db/seed/cast.ts'
import { firstPassword, hashPassword } from '../actor/hash.ts'
import { audited } from '../audit/log.ts'
import type { Read } from '../db/connect.ts'
import { nextVersion } from '../db/version.ts'
import { transact } from '../deed.ts'
import type { Services } from '../services.ts'
import { isDemo } from './queries.ts'
import { endSessionsOf } from './sessions.ts'

type ConsolePassword = { userName: string; password: string }

/**
 * For a demo that others than this machine can reach: gives the accounts of the console that still have the published password a random one, and
 * signs them out. The passwords are given once and stored nowhere.
 */
export async function closeConsole(services: Pick<Services, 'db' | 'hub' | 'clock'>): Promise<ConsolePassword[]> {
  const now = services.clock.now()
  const people = await services.db
    .selectFrom('account')
    .where('userType', 'in', [userType.operator, userType.auditor])
    .select(['id', 'userName', 'passwordHash'])
    .execute()
  const changed: ConsolePassword[] = []
  for (const { id, userName, passwordHash } of people) {
    if (!(await verify(passwordHash, demoPassword))) continue
    const password = firstPassword() + firstPassword()
    const hash = await hashPassword(password)
    await transact(services, { now }, (work) =>
      audited(work, { command: 'start' }, { action: 'account.resetPassword', bizType: 'account', id }, async () => {
        await work.db
          .updateTable('account')
          .set({ passwordHash: hash, passwordUpdatedAt: now, version: nextVersion })
          .where('id', '=', id)
          .execute()
        await endSessionsOf(work, id)
        const value = JSON.stringify({ at: now.toISOString() })
        await work.db
          .insertInto('setting')
          .values({ key: consoleClosed, value })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
          .execute()
      }),
    )
    changed.push({ userName, password })
  }
  return changed
}

/** The setting that says that the console's accounts of this demo no longer have the published password. */
const consoleClosed = 'demoConsoleClosed'

/** The sign-ins that the page of a demo offers: those that have the published password. */
export async function listDemoSignIns(db: Read): Promise<{ password: string; accounts: (typeof demoSignIns)[number][] }> {
  if (!(await isDemo(db))) return { password: '', accounts: [] }
  const closed = await db.selectFrom('setting').where('key', '=', consoleClosed).select('key').executeTakeFirst()
  const ofConsole: readonly string[] = ['operator', 'auditor']
  // A market made by an earlier version has fewer of them.
  const names = demoSignIns.map(({ userName }) => userName)
  const known = await db.selectFrom('account').where('userName', 'in', names).select('userName').execute()
  const accounts = demoSignIns.filter(({ userName }) => known.some((one) => one.userName === userName))
  return { password: demoPassword, accounts: accounts.filter(({ kind }) => !closed || !ofConsole.includes(kind)) }
}
