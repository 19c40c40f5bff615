import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { compareLimit } from '#shared/equipment/contract.ts'
import { paths } from '#shared/paths.ts'
import { useText } from '../app/text.tsx'
import { createStore } from '../ui/store.ts'
import { toast } from '../ui/toast.tsx'
import { Link } from '../ui/link.tsx'

const key = 'compare'
const none: readonly number[] = []
const ids = createStore(none)
let loaded = false

function read(): readonly number[] {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? '[]') as unknown
    return Array.isArray(stored) ? stored.filter((id): id is number => Number.isInteger(id)).slice(0, compareLimit) : none
  } catch {
    // Somebody edited the storage, so the basket starts empty.
    return none
  }
}

/** Reads what is stored, once for a page that was loaded. */
function openBasket(): void {
  if (loaded) return
  loaded = true
  set(read())
}

function set(next: readonly number[]): void {
  ids.set(next)
  localStorage.setItem(key, JSON.stringify(next))
}

/** The machines to compare. All tabs of the browser share them. */
function useBasket(): readonly number[] {
  useEffect(() => {
    openBasket()
    const follow = (event: StorageEvent) => {
      if (event.key === key) ids.set(read())
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  return ids.use()
}

export function removeFromBasket(gone: readonly number[]): void {
  openBasket()
  set(ids.get().filter((id) => !gone.includes(id)))
}

export function CompareToggle({ id, name }: { id: number; name: string }) {
  const { compare } = useText().equipment
  const basket = useBasket()
  const inside = basket.includes(id)
  return (
    <button
      type="button"
      className="keep"
      aria-pressed={inside}
      onClick={() => {
        if (inside) removeFromBasket([id])
        else if (basket.length >= compareLimit) toast('warning', compare.full)
        else set([...basket, id])
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M4 6h7v12H4zM13 6h7v12h-7z" />
      </svg>
      {inside ? compare.added : compare.add}
      <span className="visually-hidden"> {name}</span>
    </button>
  )
}

/** The bar at the foot of the public pages, shown while the basket holds a machine. */
export function CompareBar() {
  const { compare } = useText().equipment
  const basket = useBasket()
  const { pathname } = useLocation()
  if (basket.length === 0 || pathname.startsWith(paths.comparePage)) return null
  return (
    <aside className="compare-bar" aria-label={compare.title}>
      <span className="num">{compare.bar(basket.length)}</span>
      <Link className="button button-primary button-small" to={paths.compare(basket)}>
        {compare.go}
      </Link>
      <button type="button" className="link" onClick={() => set([])}>
        {compare.clear}
      </button>
    </aside>
  )
}
