import { useRevalidator } from 'react-router'
import type { Page } from './own-view.ts'
import { useText } from './text.tsx'

/** Says where a page stayed that of the visitor, because the person's own could not be loaded, and loads that again. */
export function IncompletePage({ page }: { page: Page }) {
  const { error, common } = useText().site
  const { revalidate } = useRevalidator()
  if (!page.isIncomplete) return null
  return (
    <p className="notice notice-warn row between no-print">
      {error.incomplete}
      <button type="button" className="button button-small" onClick={() => void revalidate()}>
        {common.retry}
      </button>
    </p>
  )
}
