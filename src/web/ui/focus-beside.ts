/** Gives the focus to a button of the next item of a list that has one, when this button removes its own item; otherwise it would be lost with the item. */
export function focusBeside(button: HTMLElement): void {
  const item = button.closest('li')
  const items = [...(item?.parentElement?.children ?? [])]
  const at = item ? items.indexOf(item) : -1
  const beside = [...items.slice(at + 1), ...items.slice(0, at).toReversed(), item?.parentElement?.nextElementSibling]
  const controls = beside.map((one) => [...(one?.querySelectorAll('button') ?? [])]).find((found) => found.length > 0)
  controls?.at(-1)?.focus()
}
