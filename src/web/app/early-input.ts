type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The choices made in selects before React took over the page, which sets them back to the rendered ones. */
const choices = new Map<HTMLSelectElement, number>()

/** Called once, before hydration. */
export function noteEarlyChoices(): void {
  for (const select of document.querySelectorAll('select')) {
    const rendered = Math.max(
      0,
      [...select.options].findIndex(({ defaultSelected }) => defaultSelected),
    )
    // A form with an address works without scripts; there a restored choice would send the form again.
    if (select.selectedIndex !== rendered && !select.form?.hasAttribute('action')) choices.set(select, select.selectedIndex)
  }
}

/**
 * Gives React the values that the fields had before it took over the page: typed on a slow line, filled in by a password manager, or restored
 * by the browser. React leaves such a value in the document but does not know it, so the next rendering of the field would wipe it. Called once,
 * after hydration and before anything renders again; `done` runs when all fields have their values.
 */
export function adoptEarlyInput(done: () => void): void {
  const adoptions = [...document.querySelectorAll<Control>('input, textarea, select')].flatMap((control) => adoptionOf(control) ?? [])
  // Events that are dispatched while React runs effects would be undone by React's own restoring of the field.
  queueMicrotask(() => {
    for (const adopt of adoptions) adopt()
    done()
  })
}

/** Returns undefined for a field that has the value of the rendered page. */
function adoptionOf(control: Control): (() => void) | undefined {
  if (control instanceof HTMLSelectElement) {
    const chosen = choices.get(control)
    if (chosen === undefined) return undefined
    return () => {
      control.selectedIndex = chosen
      control.dispatchEvent(new Event('change', { bubbles: true }))
    }
  }
  if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
    const { checked } = control
    if (checked === control.defaultChecked || (control.type === 'radio' && !checked)) return undefined
    return () => {
      control.checked = !checked
      control.click()
    }
  }
  const { value, selectionStart, selectionEnd } = control
  // React may render the field, and so empty it, before the text is typed again: the caret is where it was now.
  return value === control.defaultValue ? undefined : () => retype(control, { value, selectionStart, selectionEnd })
}

/** React compares a field with the value that was last set through the field itself, so the text is set behind its back. */
function retype(
  control: HTMLInputElement | HTMLTextAreaElement,
  { value, selectionStart, selectionEnd }: Pick<HTMLInputElement, 'value' | 'selectionStart' | 'selectionEnd'>,
): void {
  const type = control instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement
  control.value = ''
  Object.getOwnPropertyDescriptor(type.prototype, 'value')?.set?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  // Fields of e-mail and numbers have no caret that a script may set.
  if (document.activeElement === control && selectionStart !== null) control.setSelectionRange(selectionStart, selectionEnd)
}
