import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UserInfo } from '#shared/account/contract.ts'
import { queries } from './queries.ts'
import {
  beforeSessionEnds,
  clearSession,
  draftPrefix,
  getSession,
  loadSession,
  setLeaving,
  setUnread,
  storeInfo,
  storeSignIn,
} from './session.ts'

/** As the browser's own: what is stored are its own enumerable keys. */
function storage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? this[key] : null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      Reflect.deleteProperty(this, key)
    },
  }
  return Object.create(methods) as Storage
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
})
afterEach(() => {
  setLeaving(false)
  vi.unstubAllGlobals()
})

/** What somebody signed in leaves in the browser who has half-typed forms, and what belongs to the browser itself. */
function typeForms() {
  storeSignIn({ access_token: 'token', expires_in: 720 })
  localStorage.setItem(`${draftPrefix}7:machine:1`, '{}')
  localStorage.setItem('list:demands', 'page=2')
  localStorage.setItem('theme', 'dark')
  sessionStorage.setItem('quote:7:9', '{}')
  sessionStorage.setItem(`${draftPrefix}7:notice:3`, '{}')
  sessionStorage.setItem('reloaded', '1')
}
const left = () => [Object.keys(localStorage).toSorted(), Object.keys(sessionStorage).toSorted()]

test('whoever signs out leaves no half-typed form behind, in the browser or its tab', () => {
  typeForms()
  setLeaving(true)
  clearSession()
  expect(left()).toEqual([['theme'], ['reloaded']])
})

test('a session that ended by itself leaves the forms for the next one of the same account, and nothing else of the person', () => {
  typeForms()
  clearSession()
  expect(left()).toEqual([
    [`${draftPrefix}7:machine:1`, 'theme'],
    [`${draftPrefix}7:notice:3`, 'quote:7:9', 'reloaded'],
  ])
})

test('a session that ends by itself lets the forms store what was typed last; one that is signed out, here or in another tab, does not', () => {
  const ends = vi.fn(() => localStorage.setItem(`${draftPrefix}7:person:1`, String(getSession().token)))
  const stop = beforeSessionEnds(ends)
  typeForms()
  clearSession()
  expect(localStorage.getItem(`${draftPrefix}7:person:1`)).toBe('token')
  typeForms()
  // The other tab deletes the token before this one notices that it has ended.
  localStorage.removeItem('access_token')
  clearSession()
  typeForms()
  setLeaving(true)
  clearSession()
  setLeaving(false)
  stop()
  typeForms()
  clearSession()
  expect(ends).toHaveBeenCalledTimes(1)
})

test('[S3.3] a session that takes the place of another begins with no filters of lists; one that a visitor begins keeps theirs', () => {
  localStorage.setItem('list:equipment', '?name=25')
  storeSignIn({ access_token: 'token', expires_in: 720 })
  expect(localStorage.getItem('list:equipment')).toBe('?name=25')
  localStorage.setItem(`${draftPrefix}7:machine:1`, '{}')
  storeSignIn({ access_token: 'of another project', expires_in: 720 })
  expect(localStorage.getItem('list:equipment')).toBeNull()
  expect(localStorage.getItem(`${draftPrefix}7:machine:1`)).toBe('{}')
})

/** Only the number of the person matters here. */
const signIn = (userId: number, token = `token ${userId}`) => {
  storeSignIn({ access_token: token, expires_in: 720 })
  storeInfo({ user: { userId } } as UserInfo)
}

test('no answer outlasts the person who asked, nor their project department; whoever gets a message keeps the answers', () => {
  const answer = ['/messages', 1]
  signIn(7)
  queries.setQueryData(answer, 'of person 7')
  setUnread(3)
  expect(queries.getQueryData(answer)).toBe('of person 7')
  signIn(7, 'the token of another department')
  expect(queries.getQueryData(answer)).toBeUndefined()
  queries.setQueryData(answer, 'of person 7')
  clearSession()
  expect(queries.getQueryData(answer)).toBeUndefined()
  signIn(7)
  queries.setQueryData(answer, 'of person 7')
  // Another tab signed out and in again.
  signIn(8)
  expect(queries.getQueryData(answer)).toBeUndefined()
})

/** What another tab stores, which this one hears of a moment later. */
function storeElsewhere(stored: Record<string, string | null>): { hear: () => void } {
  for (const [key, value] of Object.entries(stored)) if (value !== null) localStorage.setItem(key, value)
  for (const [key, value] of Object.entries(stored)) if (value === null) localStorage.removeItem(key)
  return {
    hear: () => {
      for (const key of Object.keys(stored)) window.dispatchEvent(Object.assign(new Event('storage'), { key }))
    },
  }
}
const stubPage = () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} } })
  vi.stubGlobal('window', new EventTarget())
}

test('where another tab switches the project department of the same person, this tab forgets the answers of the one before', () => {
  stubPage()
  signIn(7)
  const stop = loadSession()
  const answer = ['/demands', 1]
  queries.setQueryData(answer, 'of the first department')
  storeElsewhere({ user: JSON.stringify({ info: { user: { userId: 7, nickName: '老钱' } } }) }).hear()
  expect(queries.getQueryData(answer)).toBe('of the first department')
  storeElsewhere({ access_token: 'of another department' }).hear()
  expect([getSession().token, queries.getQueryData(answer)]).toEqual(['of another department', undefined])
  stop()
})

test('the number of unread messages is known again when a page loads; an answer that arrives after the sign-out stores nothing', async () => {
  signIn(7)
  setUnread(3)
  vi.resetModules()
  stubPage()
  const loaded = await import('./session.ts')
  loaded.loadSession()
  expect(loaded.getSession().unread).toBe(3)
  loaded.clearSession()
  loaded.setUnread(2)
  expect(localStorage.getItem('user')).toBeNull()
})
