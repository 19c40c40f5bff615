import type { UserInfo } from '#shared/account/contract.ts'
import type { Role } from '#shared/account/rules.ts'
import type { Permission } from '#shared/account/permissions.ts'
import { createStore } from '../ui/store.ts'

/** The session as this browser stores it (specification 3, session state). */
export type Session = {
  token: string | null
  /** Milliseconds since 1970. */
  expiresTime: number
  info: UserInfo | null
  certSign: number
  auditStatus: number
  unread: number
  /** How often the messages have changed on this page. A query with it in its key is asked again, also where a new message replaces an unread one. */
  messageChanges: number
}

const keys = { token: 'access_token', expires: 'expires_time', user: 'user', navigation: 'navigation', typelist: 'typelist' } as const
/** What the names of stored forms begin with. It stands here, because public pages need no other part of a draft. */
export const draftPrefix = 'draft:'
const none: Session = { token: null, expiresTime: 0, info: null, certSign: 0, auditStatus: 0, unread: 0, messageChanges: 0 }
const session = createStore(none)

/** What is kept of the person between two loads. With the last count of unread messages, what is asked again for each message is asked once a load. */
type StoredUser = Pick<Session, 'info' | 'certSign' | 'auditStatus' | 'unread'>

function keep(next: Session): void {
  const { info, certSign, auditStatus, unread } = next
  localStorage.setItem(keys.user, JSON.stringify({ info, certSign, auditStatus, unread } satisfies StoredUser))
  session.set(next)
}

function readStored(): Session {
  const token = localStorage.getItem(keys.token)
  if (!token) return none
  const known = { ...none, token, expiresTime: Number(localStorage.getItem(keys.expires)) }
  try {
    return { ...known, ...(JSON.parse(localStorage.getItem(keys.user) ?? 'null') as StoredUser | null) }
  } catch {
    // Somebody edited the storage. They stay signed in, because the user is fetched again anyway.
    return known
  }
}

export const getSession = session.get

/** The account that is signed in; undefined while nobody is known. */
export const personSignedIn = (): number | undefined => session.get().info?.user.userId

/** Where this browser stores the draft of this name, apart for each person. */
export const draftKey = (name: string, person: number | '' = personSignedIn() ?? ''): string => `${draftPrefix}${person}:${name}`

/** Runs the handler whenever another person is signed in than before, or nobody is any longer. */
export function whenPersonChanges(handler: () => void): void {
  let last: number | null = null
  session.subscribe(() => {
    const { token, info } = session.get()
    const person = token === null ? null : (info?.user.userId ?? last)
    if (last !== null && person !== last) handler()
    last = person
  })
}

/** Runs the handler whenever the session ends or gives way to another, in this tab or another, also to one of the same person in another project department. */
export function whenTokenChanges(handler: () => void): void {
  session.subscribe(({ token }) => {
    if (token !== null && token !== session.get().token) handler()
  })
}

/** Reads the stored session and follows changes from other tabs. The root calls it once, after hydration. */
export function loadSession(): () => void {
  session.set(readStored())
  // From here on the header follows the session itself.
  delete document.documentElement.dataset.session
  const follow = (event: StorageEvent) => {
    if (event.key !== null && event.key !== keys.token && event.key !== keys.user) return
    const { unread, messageChanges } = session.get()
    session.set({ ...readStored(), unread, messageChanges })
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

/** Stores the session that has begun. One that takes the place of another is of somebody else, or of another department: the filters of lists are not theirs. */
export function storeSignIn(signedIn: { access_token: string; expires_in: number; certSign?: number; auditStatus?: number }): void {
  if (session.get().token !== null) removeStored(localStorage, ['list:'])
  const expiresTime = Date.now() + signedIn.expires_in * 60_000
  localStorage.setItem(keys.token, signedIn.access_token)
  localStorage.setItem(keys.expires, String(expiresTime))
  const { certSign = 0, auditStatus = 0 } = signedIn
  endReason.set('')
  keep({ ...none, token: signedIn.access_token, expiresTime, certSign, auditStatus })
}

export function storeInfo(info: UserInfo): void {
  const before = session.get()
  // Where the user call does not state them, those of the sign-in stay (specification 4).
  const stated: Partial<Pick<UserInfo['user'], 'certSign' | 'auditStatus'>> = info.user
  keep({ ...before, info, certSign: stated.certSign ?? before.certSign, auditStatus: stated.auditStatus ?? before.auditStatus })
}

/** Stores how many messages are unread. `arrived`: a message has come, although the number may be the same. */
export function setUnread(unread: number, arrived = false): void {
  const before = session.get()
  const messageChanges = before.messageChanges + (arrived || unread !== before.unread ? 1 : 0)
  // An answer may arrive once the person has signed out, who leaves nothing behind.
  if (before.token) keep({ ...before, unread, messageChanges })
}

const beforeEnd = new Set<() => void>()
/** Runs the handler before a session that ends by itself is cleared, while what belongs to it can still be stored. Returns what stops that. */
export function beforeSessionEnds(handler: () => void): () => void {
  beforeEnd.add(handler)
  return () => void beforeEnd.delete(handler)
}

let firstPassword = ''
/** The password of a first sign-in stays in memory until it is changed, so that nobody types it twice in a row. */
export function rememberFirstPassword(password: string): void {
  firstPassword = password
}
export const knownFirstPassword = (): string => firstPassword

const endReason = createStore('')
/** Why the session ended without the person's doing, for the sign-in page. It is forgotten when somebody signs in. */
export const setEndReason = endReason.set
export const useEndReason = endReason.use

let leaving = false
/** While somebody signs out, the guard of private pages must not send them to the sign-in page. */
export function setLeaving(now: boolean): void {
  leaving = now
}
export const isLeaving = (): boolean => leaving

let switching = false
/** While one token is exchanged for another, a refusal of the old token must not sign the person out. */
export function setSwitching(now: boolean): void {
  switching = now
}
/** Whether this is the token of the session. False while it is being exchanged and afterwards. */
export const isCurrent = (token: string | null): boolean => token !== null && token === session.get().token && !switching

/**
 * Deletes all that is stored about the person: token, expiry, user, navigation, typelist, and the filters and pages of lists. Whoever signs out
 * leaves no unsent forms behind either; a session that ended by itself keeps them for the next one of the same account.
 */
export function clearSession(): void {
  // Where another tab has signed out, its token is gone, and nothing is stored here either.
  if (!leaving && localStorage.getItem(keys.token) !== null) for (const handler of beforeEnd) handler()
  for (const key of Object.values(keys)) localStorage.removeItem(key)
  removeStored(localStorage, leaving ? ['list:', draftPrefix] : ['list:'])
  if (leaving) removeStored(sessionStorage, ['quote:', draftPrefix])
  firstPassword = ''
  session.set(none)
}

function removeStored(storage: Storage, prefixes: readonly string[]): void {
  for (const key of Object.keys(storage)) if (prefixes.some((prefix) => key.startsWith(prefix))) storage.removeItem(key)
}

/** Stores the current page under the key that the specification names (specification 3). */
export function rememberNavigation(path: string): void {
  localStorage.setItem(keys.navigation, path)
}

export function rememberTypelist(version: string, tree: unknown): void {
  localStorage.setItem(keys.typelist, JSON.stringify({ version, tree }))
}

/** Nobody is signed in on the server and during hydration. */
export const useSession = session.use

export const roleIn = ({ info }: Session): Role | null => info?.roles[0] ?? null

/** The role in which the person reads and handles contracts; it outlives a certification that has run out. */
export const contractRoleIn = ({ info }: Session): Role | null => info?.contractRole ?? null

export const mayIn = ({ info }: Session, permission: Permission): boolean => info?.permissions.includes(permission) ?? false
