import { Fragment, useState, type ReactNode } from 'react'
import { useAmendmentWords } from './amendment-words.ts'

/**
 * A form whose content belongs to one version of the contract. With the next version it opens anew and says so, because what was typed would be
 * about other terms and positions; its draft offers what still holds.
 */
export function FormOfVersion({ version, children }: { version: string; children: ReactNode }) {
  const words = useAmendmentWords()
  const [first] = useState(version)
  return (
    <>
      {version !== first && (
        <p className="notice notice-warn" role="alert">
          {words.openedAnew}
        </p>
      )}
      <Fragment key={version}>{children}</Fragment>
    </>
  )
}
