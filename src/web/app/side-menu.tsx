import { useEffect, useRef, useState, type RefObject } from 'react'
import { useLocation } from 'react-router'
import { useText } from './text.tsx'
import { centreCurrent } from '../ui/centre-current.ts'
import { Link } from '../ui/link.tsx'

export type MenuEntry = {
  to: string
  label: string
  /** How many unread messages there are. */
  badge?: number | undefined
  /** How many things wait for the person on that page. */
  count?: number | undefined
  active?: (path: string) => boolean
}

/** Entries under a heading. A heading with an address is a parent of its own: it leads to the first of its entries. */
export type MenuGroup = { label?: string; to?: string; entries: readonly MenuEntry[] }

/** More entries than a strip can hold: on a phone they fold into one button, elsewhere their rows are lower. */
const shortMenu = 8

/** Names a group in whatever language its heading is. */
const keyOf = ({ to, entries }: MenuGroup) => to ?? entries[0]?.to ?? ''

const closedKey = 'menu:closed'
const readClosed = () => (localStorage.getItem(closedKey) ?? '').split('\n').filter(Boolean)

export const isCurrent = ({ to, active }: MenuEntry, path: string) => (active ? active(path) : path === to.split('?')[0])

/** The menu of a private area: at the side, on a phone a strip above the page. */
export function SideMenu({ title, groups }: { title: string; groups: readonly MenuGroup[] }) {
  const { action } = useText().site
  const path = useLocation().pathname.replace(/\/$/, '')
  const [closed, setClosed] = useState(readClosed)
  /** The page on which the folded menu of a phone was opened. */
  const [unfoldedAt, setUnfoldedAt] = useState('')
  const entries = groups.flatMap((group) => group.entries)
  const current = entries.find((entry) => isCurrent(entry, path))
  const isLong = entries.length > shortMenu
  const aside = useRef<HTMLElement>(null)
  const strip = useRef<HTMLDivElement>(null)
  // The counts come later and widen the entries.
  useCurrentInView(aside, strip, `${path} ${entries.length} ${entries.filter(({ badge, count }) => badge || count).length}`)
  const toggle = (key: string) => {
    const next = closed.includes(key) ? closed.filter((one) => one !== key) : [...closed, key]
    localStorage.setItem(closedKey, next.join('\n'))
    setClosed(next)
  }
  const unfolded = unfoldedAt === path
  return (
    <aside ref={aside}>
      <nav aria-label={title} data-long={isLong || undefined} data-unfolded={unfolded || undefined}>
        <p className="private-title">{title}</p>
        {isLong && (
          <button type="button" className="menu-fold" aria-expanded={unfolded} onClick={() => setUnfoldedAt(unfolded ? '' : path)}>
            {current?.label ?? title}
            <Chevron />
          </button>
        )}
        <div ref={strip} className="menu-entries">
          {groups.map((group) => {
            const { label, to, entries: own } = group
            const key = keyOf(group)
            const isClosed = label !== undefined && closed.includes(key) && !own.some((entry) => entry === current)
            return (
              <div key={key} className={to ? 'menu-group menu-parent' : 'menu-group'} role="group" aria-label={label}>
                {label && (
                  <p className="private-group">
                    {to ? <Link to={to}>{label}</Link> : label}
                    <button
                      type="button"
                      className="icon-button"
                      aria-expanded={!isClosed}
                      aria-label={action.fold(label)}
                      onClick={() => toggle(key)}
                    >
                      <Chevron />
                    </button>
                  </p>
                )}
                {!isClosed && own.map((entry) => <Entry key={entry.to} entry={entry} isCurrent={entry === current} />)}
              </div>
            )
          })}
        </div>
      </nav>
    </aside>
  )
}

function Entry({ entry: { to, label, badge, count }, isCurrent }: { entry: MenuEntry; isCurrent: boolean }) {
  return (
    <Link to={to} aria-current={isCurrent ? 'page' : undefined}>
      <span>{label}</span>
      {badge ? <span className="badge">{badge}</span> : null}
      {count ? <span className="menu-count num">{count}</span> : null}
    </Link>
  )
}

const Chevron = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="chevron">
    <path d="M6 9l6 6 6-6" />
  </svg>
)

/** Scrolls the entry of this page into view, and marks the edges beyond which there are more entries. */
function useCurrentInView(aside: RefObject<HTMLElement | null>, strip: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const [column, row] = [aside.current, strip.current]
    const current = column?.querySelector<HTMLElement>('[aria-current]')
    if (!column || !row) return
    if (current) {
      // On a phone the menu scrolls sideways.
      centreCurrent(row)
      const hidden = current.offsetTop + current.offsetHeight - column.scrollTop - column.clientHeight
      if (column.scrollHeight > column.clientHeight && (hidden > 0 || current.offsetTop < column.scrollTop))
        column.scrollTop = current.offsetTop - column.clientHeight / 2
    }
    const ends = [markEdges(column), markEdges(row)]
    return () => {
      for (const end of ends) end()
    }
  }, [aside, strip, key])
}

/** Sets `data-before` and `data-after` while there is something to scroll to. Returns the function that ends it. */
function markEdges(element: HTMLElement): () => void {
  const measure = () => {
    element.toggleAttribute('data-before', element.scrollLeft > 1 || element.scrollTop > 1)
    const right = element.scrollWidth - element.clientWidth - element.scrollLeft
    const below = element.scrollHeight - element.clientHeight - element.scrollTop
    element.toggleAttribute('data-after', right > 1 || below > 1)
  }
  const sizes = new ResizeObserver(measure)
  sizes.observe(element)
  element.addEventListener('scroll', measure, { passive: true })
  return () => {
    sizes.disconnect()
    element.removeEventListener('scroll', measure)
  }
}
