import { expect, test } from 'vitest'
import { refusals } from '#shared/refusals.ts'
import { ApiError } from './api.ts'
import { afterFailure } from './use-stored-draft.ts'

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
