import { useEffect, useRef } from 'react'
import { centreCurrent } from './centre-current.ts'
import { Link } from './link.tsx'

/** A tab: its address, its words, and how many rows it has. */
export type Tab = { to: string; label: string; count?: number | string | undefined; current: boolean }

/** Links between the views of a page, each with its own address. `keepsScroll`: the tabs stand in the middle of the page. */
export function Tabs({
  label,
  tabs,
  className = '',
  keepsScroll = false,
}: {
  label: string
  tabs: readonly Tab[]
  className?: string
  keepsScroll?: boolean
}) {
  const strip = useRef<HTMLElement>(null)
  // The counts come later and widen the tabs.
  const shown = `${tabs.find(({ current }) => current)?.to} ${tabs.filter(({ count }) => count !== undefined).length} ${label}`
  useEffect(() => {
    if (strip.current) centreCurrent(strip.current)
  }, [shown])
  return (
    <nav ref={strip} className={`tabs ${className}`.trim()} aria-label={label}>
      {tabs.map(({ to, label: words, count, current }) => (
        <Link key={to} to={to} aria-current={current ? 'page' : undefined} preventScrollReset={keepsScroll}>
          {words} {count !== undefined && <span className="num faint">{count}</span>}
        </Link>
      ))}
    </nav>
  )
}
