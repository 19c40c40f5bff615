import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listFavouriteIds, setFavourite, type FavouriteType } from '#shared/favourite/contract.ts'
import { ApiError, call } from '../app/api.ts'
import { paths } from '#shared/paths.ts'
import { useSession } from '../app/session.ts'
import { useText } from '../app/text.tsx'
import { createStore } from '../ui/store.ts'
import { repeatMs } from '../ui/throttle.ts'
import { toast } from '../ui/toast.tsx'

const none: ReadonlySet<string> = new Set()
/** The favourites of the person as "type:id", fetched once for each token. */
const favouriteIds = createStore(none)
/** What the person marked in this tab. It is newer than a list that was asked for before. */
const marked = new Map<string, boolean>()
let loadedFor: string | null = null

const withMark = (ids: ReadonlySet<string>, key: string, isFavourite: boolean): ReadonlySet<string> =>
  new Set(isFavourite ? [...ids, key] : [...ids].filter((one) => one !== key))

function load(token: string | null): void {
  if (token === loadedFor) return
  loadedFor = token
  marked.clear()
  if (favouriteIds.get().size > 0) favouriteIds.set(none)
  if (token) setTimeout(() => fetchIds(token))
}

function fetchIds(token: string): void {
  call(listFavouriteIds, {}).then(
    (ids) => {
      if (loadedFor !== token) return
      let all: ReadonlySet<string> = new Set(ids.map(({ bizType, bizId }) => `${bizType}:${bizId}`))
      for (const [key, isFavourite] of marked) all = withMark(all, key, isFavourite)
      favouriteIds.set(all)
    },
    (error: unknown) => {
      loadedFor = null
      if (!(error instanceof ApiError)) throw error
    },
  )
}

/** Shows the mark at once and removes it again if the server refuses. Returns whether it was stored. */
async function mark(bizType: FavouriteType, bizId: number, isFavourite: boolean): Promise<boolean> {
  const key = `${bizType}:${bizId}`
  marked.set(key, isFavourite)
  favouriteIds.set(withMark(favouriteIds.get(), key, isFavourite))
  try {
    await call(setFavourite, { body: { bizType, bizId, kept: isFavourite } })
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    marked.delete(key)
    favouriteIds.set(withMark(favouriteIds.get(), key, !isFavourite))
    return false
  }
}

/** The star beside a machine, a lessor or a demand. */
export function FavouriteButton({
  bizType,
  bizId,
  name,
  onChange,
}: {
  bizType: FavouriteType
  bizId: number
  name: string
  onChange?: () => void
}) {
  const text = useText()
  const { favourite } = text.personal
  const { token } = useSession()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(() => load(token), [token])
  const isFavourite = favouriteIds.use().has(`${bizType}:${bizId}`)
  const toggle = async () => {
    if (!token) {
      toast('info', favourite.login)
      return navigate(paths.login(pathname + search))
    }
    if (!(await mark(bizType, bizId, !isFavourite))) return
    onChange?.()
    if (isFavourite)
      toast('success', favourite.removed, {
        label: favourite.undo,
        run: () => void mark(bizType, bizId, true).then(() => onChange?.()),
      })
    else toast('success', favourite.kept)
  }
  return (
    <button type="button" className="keep" data-repeat-ms={repeatMs} aria-pressed={isFavourite} onClick={() => void toggle()}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z" />
      </svg>
      {isFavourite ? favourite.kept : favourite.keep}
      <span className="visually-hidden"> {name}</span>
    </button>
  )
}
