import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { pagesOf, searchAll, type PaletteItem } from './palette-search.ts'
import { useOwnText } from './own-text.ts'
import { useSession } from './session.ts'
import { useText } from './text.tsx'
import { Dialog } from '../ui/dialog.tsx'
import './palette.css'

const maxLength = 40
/** Pages that are listed before anything is typed, and at most while something is. */
const shownPages = 8

/** A field that leads to every page and object that the person may open. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const text = useText()
  const { palette } = useOwnText()
  return (
    <Dialog open={open} onClose={onClose} title={palette.title} closeLabel={text.site.action.close} wide>
      <PaletteField onClose={onClose} />
    </Dialog>
  )
}

function PaletteField({ onClose }: { onClose: () => void }) {
  const text = useText()
  const session = useSession()
  const navigate = useNavigate()
  const { common } = text.site
  const { palette } = useOwnText()
  const id = useId()
  const [words, setWords] = useState('')
  const found = useFound(words.trim())
  const [at, setAt] = useState(0)
  const needle = words.trim().toLowerCase()
  const pages = pagesOf(text, session)
    .filter(({ label, note }) => `${label} ${note}`.toLowerCase().includes(needle))
    .slice(0, shownPages)
  const items = [...pages, ...found.items]
  const chosen = items[Math.min(at, items.length - 1)]
  const go = ({ link }: PaletteItem) => {
    onClose()
    void navigate(link)
  }
  const keys = (event: KeyboardEvent) => {
    // The keys choose a word of the input method.
    if (event.nativeEvent.isComposing) return
    const last = items.length - 1
    const steps: Record<string, number> = { ArrowDown: at >= last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt(step)
      document.getElementById(`${id}-${step}`)?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      go(chosen)
    }
  }
  return (
    <div className="palette">
      <input
        // The browser focuses it when it opens the dialog.
        ref={(field) => field?.setAttribute('autofocus', '')}
        className="input"
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${id}-${items.indexOf(chosen)}` : undefined}
        aria-label={palette.placeholder}
        placeholder={palette.placeholder}
        autoComplete="off"
        maxLength={maxLength}
        value={words}
        onChange={(event) => {
          setWords(event.target.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={palette.title}>
        {items.map((item, index) => (
          // Only the mouse uses this handler; the keyboard chooses in the field above.
          <li
            key={`${item.kind} ${item.link}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={item === chosen}
            onMouseDown={(event) => {
              if (event.button !== 0) return
              event.preventDefault()
              go(item)
            }}
          >
            <span className="tag tag-plain">{palette.kinds[item.kind]}</span>
            <span>{item.label}</span>
            <span className="small faint">{item.note}</span>
          </li>
        ))}
      </ul>
      <p className="small soft" role="status">
        {found.state === 'loading'
          ? common.loading
          : found.failed > 0
            ? palette.partly
            : items.length === 0
              ? palette.nothing
              : palette.keys}
      </p>
    </div>
  )
}

type Found = { state: 'idle' | 'loading' | 'done'; items: readonly PaletteItem[]; failed: number }
const nothing: Found = { state: 'idle', items: [], failed: 0 }

/** What the server finds for the words, a moment after the last letter. The earlier results stay until then. */
function useFound(words: string): Found {
  const text = useText()
  const session = useSession()
  const asker = useRef({ text, session })
  useEffect(() => {
    asker.current = { text, session }
  }, [text, session])
  const [found, setFound] = useState(nothing)
  useEffect(() => {
    if (!words) {
      setFound(nothing)
      return
    }
    let late = false
    setFound((before) => ({ ...before, state: 'loading' }))
    const timer = setTimeout(() => {
      void searchAll(asker.current.text, asker.current.session, words).then((answer) => {
        if (!late) setFound({ state: 'done', ...answer })
      })
    }, 180)
    return () => {
      late = true
      clearTimeout(timer)
    }
  }, [words])
  return found
}
