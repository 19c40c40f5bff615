import { useEffect } from 'react'

/**
 * Puts the cursor into the first field of a form that people open in order to type, unless another field has it. On a phone the keyboard would
 * cover half of the page. `when`: runs again when it changes.
 */
export function useFirstField(when: unknown = true): void {
  useEffect(() => {
    const focused = document.activeElement
    const isFree = focused === document.body || focused?.matches('main, main h1')
    if (isFree && matchMedia('(pointer: fine)').matches) document.querySelector<HTMLInputElement>('main form input')?.focus()
  }, [when])
}
