import { expect, test } from 'vitest'
import { refusals } from '#shared/refusals.ts'
import { ApiError } from './api.ts'
import { afterFailure, ownDraft } from './use-stored-draft.ts'

test('a draft that somebody else has saved is told from one that the server does not store, which says why', () => {
  const after = (code: number) => afterFailure(new ApiError(code, '您共有 200 份', null), false)
  // It may have been deleted as well.
  for (const { code } of [refusals.changed, refusals.not_found]) expect(after(code)).toEqual({ kind: 'conflict', why: '' })
  expect(after(refusals.drafts_enough.code)).toEqual({ kind: 'failed', why: '您共有 200 份' })
  // The words of a lost connection or a failure of the server stand elsewhere, and the save is tried again.
  for (const code of [0, 500]) expect(after(code)).toEqual({ kind: 'failed', why: '' })
})

test('where a copy of a draft cannot be stored, the notice that offers it stays and says why', () => {
  for (const code of [refusals.changed.code, refusals.drafts_enough.code, 0, 500])
    expect(afterFailure(new ApiError(code, '您共有 200 份', null), true)).toEqual({ kind: 'conflict', why: '您共有 200 份' })
})

test('a form removes the draft that it wrote or found, and not the one that another tab has stored since', () => {
  const stored = new Map<string, string>()
  let isFull = false
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, value)
    },
    removeItem: (key: string) => void stored.delete(key),
  }
  const now = Date.now()
  const draft = (at: number) => ({ base: '1', at, values: { name: `${at}` } })
  const [one, other] = [ownDraft(() => store), ownDraft(() => store)]
  one.write('k', draft(now))
  other.write('k', draft(now + 1))
  one.remove('k')
  expect(JSON.parse(stored.get('k') ?? '{}')).toMatchObject({ at: now + 1 })
  // What the browser refused to store replaced nothing, so the own draft before it is still the own one.
  isFull = true
  expect(other.write('k', draft(now + 2))).toBe(false)
  other.remove('k')
  expect(stored.size).toBe(0)
  isFull = false
  one.write('k', draft(now + 3))
  other.find(draft(now + 3))
  other.remove('k')
  expect(stored.size).toBe(0)
})
