import { useEffect, type RefObject } from 'react'

/** Closes an open menu on Escape, which gives its button, its first element, the focus, on a press beside it and when the focus goes elsewhere. */
export function useLeave(menu: RefObject<HTMLElement | null>, isOpen: boolean, close: (none: null) => void): void {
  useEffect(() => {
    if (!isOpen) return
    const leave = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      if (!isEscape && menu.current?.contains(event.target as Node)) return
      if (isEscape) (menu.current?.firstElementChild as HTMLElement | null)?.focus()
      close(null)
    }
    const events = ['keydown', 'pointerdown', 'focusin']
    for (const event of events) document.addEventListener(event, leave)
    return () => {
      for (const event of events) document.removeEventListener(event, leave)
    }
  }, [menu, isOpen, close])
}
