import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { Form, useNavigate } from 'react-router'
import { paths } from '#shared/paths.ts'
import { suggest, type Suggestion } from '#shared/search/contract.ts'
import { suggestionKinds } from '#shared/search/rules.ts'
import { ApiError, call } from '../app/api.ts'
import { money } from '../app/format.ts'
import { useText } from '../app/text.tsx'

const scopes = {
  equipment: { action: paths.equipment(), name: 'name' },
  demand: { action: paths.demands(), name: 'keyword' },
  supplier: { action: paths.lessors, name: 'enterpriseName' },
} as const

/** Searches machines, demands and lessors with one field: a plain form, to which the script adds suggestions. */
export function SiteSearch() {
  const text = useText()
  const { home } = text.site
  const id = useId()
  const navigate = useNavigate()
  const [scope, setScope] = useState<keyof typeof scopes>('equipment')
  // The browser holds the text, so nothing is lost that is typed before the script runs.
  const input = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState('')
  useEffect(() => setWords(input.current?.value ?? ''), [])
  const [list, setList] = useState<Suggestion[]>([])
  const [at, setAt] = useState(-1)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const keyword = words.trim()
    if (!keyword) {
      setList([])
      return
    }
    let late = false
    const timer = setTimeout(() => {
      call(suggest, { query: { keyword } }, true).then(
        (found) => {
          if (late) return
          setList(found)
          setAt(-1)
        },
        (error: unknown) => {
          if (!(error instanceof ApiError)) throw error
        },
      )
    }, 180)
    return () => {
      late = true
      clearTimeout(timer)
    }
  }, [words])
  const shown = open && list.length > 0
  const keys = (event: KeyboardEvent) => {
    // The keys choose a word of the input method.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') {
      // The key closes the suggestions; pressed once more it empties the field, as everywhere.
      if (open) event.preventDefault()
      return setOpen(false)
    }
    if (!shown) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt((before) => (before + step + list.length + 1) % (list.length + 1) || (step > 0 ? 0 : list.length - 1))
    }
    const chosen = list[at]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      setOpen(false)
      void navigate(chosen.link)
    }
  }
  return (
    <div className="site-search">
      <div className="scopes" role="radiogroup" aria-label={home.scopeLabel}>
        {(Object.keys(scopes) as (keyof typeof scopes)[]).map((one) => (
          <label key={one}>
            <input type="radio" name="scope" value={one} checked={scope === one} onChange={() => setScope(one)} />
            <span>{home.scopes[one]}</span>
          </label>
        ))}
      </div>
      <Form
        className="hero-search"
        action={scopes[scope].action}
        method="get"
        role="search"
        onSubmit={(event) => {
          if (input.current?.value.trim()) return
          // An empty field would stand in the address, and be remembered, as a filter.
          event.preventDefault()
          void navigate(scopes[scope].action)
        }}
      >
        <label className="visually-hidden" htmlFor={`${id}-input`}>
          {home.searchPlaceholder}
        </label>
        <input
          id={`${id}-input`}
          className="input"
          name={scopes[scope].name}
          type="search"
          role="combobox"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown && at >= 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          placeholder={home.searchPlaceholder}
          maxLength={40}
          ref={input}
          onChange={(event) => {
            setWords(event.target.value)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setTimeout(() => setOpen(false), 150)}
          onKeyDown={keys}
        />
        <button type="submit" className="button">
          {home.search}
        </button>
      </Form>
      <Suggestions id={id} list={list} at={at} isOpen={shown} onChoose={(link) => void navigate(link)} />
    </div>
  )
}

/** What was found, by kind, over everything below it. The field above names the chosen row to screen readers. */
function Suggestions({
  id,
  list,
  at,
  isOpen,
  onChoose,
}: {
  id: string
  list: readonly Suggestion[]
  at: number
  isOpen: boolean
  onChoose: (link: string) => void
}) {
  const text = useText()
  const { home } = text.site
  return (
    <div id={`${id}-list`} className="suggestions" role="listbox" aria-label={home.suggestions} hidden={!isOpen}>
      {suggestionKinds.map((kind) => {
        const found = list.flatMap((one, index) => (one.kind === kind ? { one, index } : []))
        return (
          found.length > 0 && (
            <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
              <p id={`${id}-${kind}`}>{home.kinds[kind]}</p>
              {found.map(({ one, index }) => (
                // Only the mouse uses this handler; the keyboard chooses in the field above.
                <div
                  key={one.link}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === at}
                  onMouseDown={({ button }) => button === 0 && onChoose(one.link)}
                >
                  <span>{one.label}</span>
                  {one.size && <strong className="num">{one.size}</strong>}
                  <span className="small soft">{one.note}</span>
                  {one.monthPrice && (
                    <span className="small num">
                      {money(one.monthPrice)} {text.equipment.unit.M}
                    </span>
                  )}
                </div>
              ))}
            </div>
          )
        )
      })}
    </div>
  )
}
