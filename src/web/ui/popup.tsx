import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { placeBeside } from './place-beside.ts'
import './popup.css'

/**
 * A button with a panel in the top layer, where no scrolling parent cuts it off. The panel follows its button when the page scrolls; it closes on
 * Escape, on a click beside it and when its button leaves the window. As a `menu`, its items are walked through with the arrow keys.
 */
export function Popup({
  label,
  button,
  className = 'button button-small',
  menu = false,
  children,
}: {
  label: string
  button: ReactNode
  className?: string
  menu?: boolean
  children: (close: () => void) => ReactNode
}) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => document.getElementById(id)?.hidePopover()
  useEffect(() => {
    if (!isOpen || !panel.current) return
    panel.current.querySelector<HTMLElement>('[role=menuitem], input, button, a')?.focus()
  }, [isOpen])
  useEffect(() => {
    const whenScrolled = (event: Event) => {
      const shown = panel.current
      if (!shown?.matches(':popover-open') || shown.contains(event.target as Node) || !opener.current) return
      const { top, bottom } = opener.current.getBoundingClientRect()
      if (bottom > 0 && top < window.innerHeight) return fitBeside(shown, opener.current)
      // A phone scrolls by itself when its keyboard comes up for a field of the panel.
      if (!shown.querySelector('input[type=text]:focus')) shown.hidePopover()
    }
    window.addEventListener('scroll', whenScrolled, { capture: true, passive: true })
    return () => window.removeEventListener('scroll', whenScrolled, { capture: true })
  }, [])
  const walk = (event: KeyboardEvent<HTMLDivElement>) => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = items.findIndex((item) => item === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    items.at(to % items.length)?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup={menu ? 'menu' : 'dialog'}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        className="popup"
        role={menu ? 'menu' : 'dialog'}
        aria-label={label}
        onBeforeToggle={(event) => {
          if (event.newState === 'open' && opener.current) fitBeside(event.currentTarget, opener.current)
        }}
        onToggle={(event) => setOpen(event.newState === 'open')}
        {...(menu && { onKeyDown: walk })}
      >
        {isOpen && children(close)}
      </div>
    </>
  )
}

/** A panel that is too high for its side of the button scrolls, so that it never covers the button. */
function fitBeside(panel: HTMLElement, button: HTMLElement): void {
  panel.style.maxHeight = `min(56vh, ${placeBeside(panel, button)}px)`
}
