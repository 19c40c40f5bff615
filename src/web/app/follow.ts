import { useEffect } from 'react'
import type { Endpoint } from '#shared/endpoint.ts'
import { followNews } from './news.ts'
import { invalidate } from './queries.ts'
import { useLatest } from './use-latest.ts'

/**
 * Fetches the answers of these calls again as soon as the person gets a message about such an object, and after every gap of the connection,
 * in which a message may have been missed.
 */
export function useFollow(
  bizType: 'demand' | 'equipment' | 'company' | 'contract' | 'blacklist' | 'transfer',
  ...calls: [Endpoint, ...Endpoint[]]
): void {
  const latest = useLatest(calls)
  useEffect(
    () =>
      followNews((message) => {
        if (message === null || message.bizType === bizType) void invalidate(...latest())
      }),
    [bizType, latest],
  )
}
