import { lazy, Suspense } from 'react'
import type { WorkList } from '#shared/saved-view/contract.ts'
import { useText } from './text.tsx'
import { Popup } from '../ui/popup.tsx'

// The views come with their schemas when somebody opens them.
const OwnViews = lazy(async () => ({ default: (await import('./own-views.tsx')).OwnViews }))

export type Views = { name: WorkList; hidden: ReadonlySet<string>; onHide: (hidden: readonly string[]) => void }

/** The own views of a list: filters, sorting and columns under a name. They are stored with the account, so every device has them. */
export function SavedViews(views: Views) {
  const { list } = useText()
  return (
    <Popup label={list.views} button={list.views}>
      {(close) => (
        <Suspense>
          <OwnViews {...views} onDone={close} />
        </Suspense>
      )}
    </Popup>
  )
}
