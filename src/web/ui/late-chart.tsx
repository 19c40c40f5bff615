import { lazy, Suspense, useEffect, useState, type ComponentProps } from 'react'
import type { Chart } from './chart.tsx'
import { Skeleton } from './parts.tsx'

const Drawn = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }))

/** A chart of a page that is rendered on the server: even its frame is fetched afterwards. */
export function LateChart(props: ComponentProps<typeof Chart>) {
  const [isMounted, setIsMounted] = useState(false)
  useEffect(() => setIsMounted(true), [])
  return isMounted ? (
    <Suspense fallback={<Skeleton />}>
      <Drawn {...props} />
    </Suspense>
  ) : (
    <Skeleton />
  )
}
