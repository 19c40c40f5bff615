import { QueryClient, type Query } from '@tanstack/react-query'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from './api.ts'
import { whenTokenChanges } from './session.ts'

/** The answers that the private areas have fetched. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A refusal would come again; only a broken connection is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.code > 0),
    },
    // A press without a network fails at once, and says so. A call that waited for the network would be sent when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
})

// Answers belong to the session that asked: neither the next person at this tab nor the next project department of the same one may see them.
whenTokenChanges(() => queries.clear())

/** Marks the answers of these calls as stale. Those on the page are fetched again at once, the others when a page needs them. */
export async function invalidate(...endpoints: [Endpoint, ...Endpoint[]]): Promise<void> {
  const stale = { predicate: ({ queryKey }: Query) => endpoints.some(({ url }) => url === queryKey[0]) }
  // An answer from before would pass for a new one: on its way to a page that was left, and on its way to one that has none yet, because a first
  // answer is not asked for twice.
  await queries.cancelQueries(stale)
  await queries.invalidateQueries(stale)
}
