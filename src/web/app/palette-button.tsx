import { useCallback, useEffect, useState, type ComponentType } from 'react'
import { createPortal } from 'react-dom'
import { useOwnText } from './own-text.ts'
import { loadPrivateWords, useText } from './text.tsx'
import { toast } from '../ui/toast.tsx'

type PalettePanel = ComponentType<{ open: boolean; onClose: () => void }>

/** Opens the palette by a press, or by Ctrl-K and on a Mac by Command-K. Its code is fetched when it is opened for the first time. */
export function PaletteButton() {
  const { error } = useText().site
  const { paletteLabel } = useOwnText()
  const [panel, setPanel] = useState<{ Panel: PalettePanel } | null>(null)
  const [isOpen, setOpen] = useState(false)
  const show = useCallback(() => {
    setOpen(true)
    // It names pages of the private areas, whose words somebody on a public page may not have yet.
    Promise.all([import('./palette.tsx'), loadPrivateWords()]).then(
      ([{ Palette }]) => setPanel((before) => before ?? { Panel: Palette }),
      () => {
        setOpen(false)
        toast('warning', error.stillUnreached)
      },
    )
  }, [error])
  useEffect(() => {
    const shortcut = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      // The dialog of another task stays in front.
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      show()
    }
    document.addEventListener('keydown', shortcut)
    return () => document.removeEventListener('keydown', shortcut)
  }, [show])
  return (
    <>
      <button
        type="button"
        className="icon-button palette-button"
        aria-label={paletteLabel}
        aria-keyshortcuts="Control+K"
        title={paletteLabel}
        onClick={show}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L20 20" />
        </svg>
      </button>
      {/* Not inside the header, because a dialog has a heading of its own. */}
      {panel && createPortal(<panel.Panel open={isOpen} onClose={() => setOpen(false)} />, document.body)}
    </>
  )
}
