import { useEffect, useState, type RefObject } from 'react'

/** A field of a form that is marked: its label, what is wrong with it, and where it is. */
type Mark = { label: string; message: string; element: Element }

/** Fields whose value is wrong. */
export const wrongFields = '.field-bad, .paper-bad, .field-error'
/** These, and what the law forbids although the values are possible. */
export const allProblems = `${wrongFields}, [data-problem]`

/**
 * The marked fields of the form or section around an element. They are read from the page, so a list of them never says another number than the
 * reader counts.
 */
export function useMarks(
  place: RefObject<HTMLElement | null>,
  { within, marked, on = true }: { within: 'form' | 'section'; marked: string; on?: boolean },
): readonly Mark[] {
  const [marks, setMarks] = useState<readonly Mark[]>([])
  useEffect(() => {
    const root = place.current?.closest(within)
    if (!root || !on) {
      setMarks([])
      return
    }
    const read = () => {
      const found = marksIn(root, marked)
      setMarks((before) => (isSame(before, found) ? before : found))
    }
    read()
    const observer = new MutationObserver(read)
    observer.observe(root, { childList: true, subtree: true, characterData: true, attributeFilter: ['class', 'data-problem'] })
    return () => observer.disconnect()
  }, [place, within, marked, on])
  return marks
}

const isSame = (before: readonly Mark[], found: readonly Mark[]) =>
  before.length === found.length &&
  found.every(({ element, message }, at) => element === before[at]?.element && message === before[at]?.message)

function marksIn(root: Element, marked: string): Mark[] {
  return [...root.querySelectorAll(marked)]
    .filter((element) => !element.parentElement?.closest(`${marked}, .action-bar`))
    .map((element) => {
      const named = element.querySelector('legend, .legend, label, strong') ?? element.closest('section')?.querySelector('h2')
      const wrong = element.matches('.field-error') ? element : element.querySelector('.field-error, [data-problem-text]')
      return {
        label: (named?.firstChild?.textContent ?? element.textContent ?? '').trim(),
        message: (wrong?.textContent ?? '').trim(),
        element,
      }
    })
}

/** Scrolls to a marked field and gives it the focus. */
export function goToMark(element: Element): void {
  element.scrollIntoView({ block: 'center' })
  const field =
    element.querySelector<HTMLElement>('[aria-invalid=true]') ?? element.querySelector<HTMLElement>('input, select, textarea, button')
  field?.focus({ preventScroll: true })
}
