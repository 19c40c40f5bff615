import { useEffect, type RefObject } from 'react'

/** Closes an open menu on Escape, which gives its button, its first element, the focus, on a press beside it and when the focus goes elsewhere. */
export function useLeave(menu: RefObject<HTMLElement | null>, isOpen: boolean, close: (none: null) => void): void {
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      // Other keys leave it open wherever the focus is: not every browser gives it to a button that is clicked, and the next key leads into the menu.
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return
        ;(menu.current?.firstElementChild as HTMLElement | null)?.focus()
      } else if (menu.current?.contains(event.target as Node)) return
      close(null)
    }
    const events = ['keydown', 'pointerdown', 'focusin']
    for (const event of events) document.addEventListener(event, leave)
    return () => {
      for (const event of events) document.removeEventListener(event, leave)
    }
  }, [menu, isOpen, close])
}
