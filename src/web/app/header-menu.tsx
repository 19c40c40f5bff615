import { useId, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useText } from './text.tsx'
import { toast } from '../ui/toast.tsx'
import { useLeave } from '../ui/use-leave.ts'

type HeaderMenuProps = {
  label: string
  className: string
  children: ReactNode
  /** Fetches the panel when the menu is opened for the first time. */
  load: () => Promise<ComponentType>
}

/** A button of the header with a panel below it. The panel closes on Esc, on a press beside it, when the focus leaves it and when another page opens. */
export function HeaderMenu({ label, className, children, load }: HeaderMenuProps) {
  const text = useText()
  const { key } = useLocation()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [panel, setPanel] = useState<{ Panel: ComponentType } | null>(null)
  /** The page on which the panel was opened. */
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const isOpen = openedAt === key
  useLeave(box, isOpen, setOpenedAt)
  const toggle = () => {
    setOpenedAt(isOpen ? null : key)
    if (panel) return
    load().then(
      (Panel) => setPanel({ Panel }),
      () => {
        setOpenedAt(null)
        toast('warning', text.site.error.stillUnreached)
      },
    )
  }
  return (
    <div ref={box} className="header-menu">
      <button type="button" className={className} aria-label={label} aria-expanded={isOpen} aria-controls={`${id}-panel`} onClick={toggle}>
        {children}
      </button>
      <div id={`${id}-panel`} className="header-panel" hidden={!isOpen || !panel}>
        {isOpen && panel && <panel.Panel />}
      </div>
    </div>
  )
}
