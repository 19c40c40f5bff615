import { useState, type ReactNode } from 'react'

/** The actions of a record. A phone shows the main ones and opens the others, so that they do not push the record out of sight. */
export function FoldedActions({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="folded-actions row no-print" data-open={isOpen || undefined}>
      {children}
      <button type="button" className="button folded-more" aria-label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        ⋯
      </button>
    </div>
  )
}
