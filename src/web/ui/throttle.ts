import { useCallback, useRef } from 'react'

/** Milliseconds within which the repeated press of a button counts as one (specification 9). A button overrides it by `data-repeat-ms`. */
export const repeatMs = 1000

let pressed: HTMLElement | null = null

/** The button that was pressed last, for the toast of a call that does not get through. It is asked for before the call, during which others are pressed. */
export const lastPressed = (): HTMLElement | null => pressed

/** What is disabled and keeps the focus, which an element with the attribute `disabled` loses. */
const disabled = '[aria-disabled="true"]'

/** Buttons that act. Those of other looks only change the view: tabs, arrows of a calendar, the eye of a password. */
const acting = 'button.button, button[type="submit"], button[data-repeat-ms]'

/**
 * Ignores presses of what is disabled by `aria-disabled`, and repeated presses of each button of the page, also by a key that is held. A press after
 * something else was pressed or typed is no repetition. Returns the function that ends it.
 */
export function ignoreRepeats(page: EventTarget): () => void {
  let last: { button: HTMLElement; at: number } | null = null
  const press = (event: Event) => {
    const target = event.target instanceof Element ? event.target : null
    const button = target?.closest<HTMLElement>(acting) ?? null
    const isRepeated = button && last?.button === button && event.timeStamp - last.at < Number(button.dataset.repeatMs ?? repeatMs)
    if (isRepeated || target?.closest(disabled)) {
      event.preventDefault()
      event.stopImmediatePropagation()
      return
    }
    last = button && { button, at: event.timeStamp }
    pressed = button ?? pressed
  }
  // What typing sends has no button.
  const type = () => {
    last = null
    pressed = null
  }
  // Enter that is held presses once, but for a button that may be pressed as often as one likes.
  const hold = (event: Event) => {
    const { key, repeat, target } = event as KeyboardEvent
    if (!repeat || key !== 'Enter' || !(target instanceof Element)) return
    const button = target.closest<HTMLElement>(acting)
    if (button && button.dataset.repeatMs !== '0') event.preventDefault()
  }
  page.addEventListener('keydown', hold, true)
  page.addEventListener('click', press, true)
  page.addEventListener('input', type, true)
  return () => {
    page.removeEventListener('keydown', hold, true)
    page.removeEventListener('click', press, true)
    page.removeEventListener('input', type, true)
  }
}

/** Ignores repeated calls within `ms`. */
export function useThrottle<A extends unknown[]>(run: (...args: A) => void, ms = repeatMs): (...args: A) => void {
  const last = useRef(-Infinity)
  return useCallback(
    (...args: A) => {
      const now = performance.now()
      if (now - last.current < ms) return
      last.current = now
      run(...args)
    },
    [run, ms],
  )
}
