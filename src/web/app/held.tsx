import { useLayoutEffect, useRef, type ReactNode } from 'react'

/** The fields of a form that take no text while it is sent, as it would be lost. Whoever sent it by Enter is in the same field again afterwards. */
export function Held({ when, children }: { when: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const left = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (when) left.current = focused instanceof HTMLElement && place.current?.contains(focused) ? focused : null
    else if (focused === document.body) left.current?.focus()
  }, [when])
  return (
    <div ref={place} className="stack" inert={when}>
      {children}
    </div>
  )
}
