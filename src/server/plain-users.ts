import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type PlainUser = { name: string; uid: number; gid: number }

const codeFolder = fileURLToPath(new URL('../../', import.meta.url))
/** A sample of what the app reads after its start. */
const codeSample = ['package.json', 'src/server/main.ts', 'node_modules/fastify/package.json'].map((path) => join(codeFolder, path))

/** The users of this machine, in the order of /etc/passwd. */
function usersOf(passwd: string): PlainUser[] {
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length > 3)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}

/**
 * The users that the database and the app run as when root starts them. They are two, so neither can read the files of the other. The owner of
 * data that is there already stays the user of the database. `undefined`: this machine has no such user.
 */
export function chooseUsers(
  passwd: string,
  clusterOwner: number | undefined,
): { database: PlainUser | undefined; app: PlainUser | undefined } {
  const users = usersOf(passwd)
  const named = (names: readonly string[]) =>
    names.map((name) => users.find((user) => user.name === name)).filter((user) => user !== undefined)
  const database = users.find(({ uid }) => uid !== 0 && uid === clusterOwner) ?? named(['postgres', 'nobody'])[0]
  const app = named(['zhujitong', 'daemon', 'nobody']).find(({ uid }) => uid !== 0 && uid !== database?.uid)
  return { database, app }
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** `chooseUsers` on this machine, for the cluster in a folder. */
export function plainUsers(cluster: string): ReturnType<typeof chooseUsers> {
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid
  return chooseUsers(readFileSync('/etc/passwd', 'utf8'), owner)
}

/** Whether a plain user can read the product's own code: not where it lies in a folder that only root may enter. */
export function readsCode({ uid, gid }: PlainUser): boolean {
  const script = `for (const path of process.argv.slice(1)) require('node:fs').accessSync(path, 4)`
  return spawnSync(process.execPath, ['-e', script, ...codeSample], { uid, gid, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Gives a plain user what the app reads and writes of its data folder: the secret and the files. */
export function giveData(dataDir: string, { uid, gid }: PlainUser): void {
  const { mode } = statSync(dataDir)
  // A folder that only root may enter is opened for this user, to pass through and no more.
  if (!(mode & 0o001)) {
    chownSync(dataDir, -1, gid)
    chmodSync(dataDir, (mode & 0o777) | 0o010)
  }
  const give = (path: string) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found) return
    // Never through a link: whoever could write here before would be given any file by it.
    if (found.uid !== uid) lchownSync(path, uid, gid)
    if (found.isDirectory()) for (const name of readdirSync(path)) give(join(path, name))
  }
  // Made here, because this user may not make it in a folder of root's.
  mkdirSync(join(dataDir, 'files'), { recursive: true, mode: 0o700 })
  for (const name of ['secret', 'files']) give(join(dataDir, name))
}

/** Leaves root for good: all threads of this process belong to the plain user from now on. */
export function become({ uid, gid }: PlainUser): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
}
