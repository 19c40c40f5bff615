import { useLocation } from 'react-router'
import { useText } from './text.tsx'
import { focusOn } from '../ui/focus-on.ts'
import { Link } from '../ui/link.tsx'

/** Says that the filters are those of the last visit, which the browser remembered, and offers the whole list. */
export function RestoredFilters() {
  const { search } = useText()
  const { pathname, state } = useLocation()
  if (!isRestored(state)) return null
  return (
    <p className="notice row between" role="status">
      {search.restored}
      <Link to={pathname} onClick={toHeading}>
        {search.clear}
      </Link>
    </p>
  )
}

const isRestored = (state: unknown) => typeof state === 'object' && state !== null && 'restored' in state

/** The link goes with its notice, so the focus moves to the heading of the list. */
function toHeading() {
  const heading = document.querySelector<HTMLElement>('#main h1')
  if (heading) focusOn(heading)
}
