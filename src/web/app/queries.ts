import { QueryClient } from '@tanstack/react-query'
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
