import { QueryClient } from '@tanstack/react-query'
import type { Endpoint } from '#shared/endpoint.ts'
import { ApiError } from './api.ts'

/** What the private areas have fetched. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // A refusal is an answer; only a broken line is worth another try.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.code > 0),
    },
  },
})

/** Has the answers of these calls fetched again: at once where a page shows them, otherwise when one needs them. */
export const invalidate = (...endpoints: [Endpoint, ...Endpoint[]]): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => endpoints.some(({ url }) => url === queryKey[0]) })
