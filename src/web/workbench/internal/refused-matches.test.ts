import { afterEach, expect, test } from 'vitest'
import { QueryObserver } from '@tanstack/react-query'
import { matchInternal } from '#shared/internal/contract.ts'
import { ApiError } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import { refreshMatches } from './refused-matches.ts'

afterEach(() => queries.clear())

test('a refusal for an idle machine that the form does not show yet fetches the matching machines anew, another one does not', async () => {
  let fetched = 0
  const observer = new QueryObserver(queries, {
    queryKey: [matchInternal.url, {}],
    queryFn: () => ++fetched,
    staleTime: 60_000,
  })
  const leave = observer.subscribe(() => undefined)
  await expect.poll(() => fetched).toBe(1)
  const refused = (field: string) => new ApiError(422, '', { errors: [{ field, message: '' }] })
  await refreshMatches(refused('items.0.qty'))
  await refreshMatches(new TypeError('Failed to fetch'))
  expect(fetched).toBe(1)
  await refreshMatches(refused('internalAnswers.7'))
  expect(observer.getCurrentResult().data).toBe(2)
  leave()
})
