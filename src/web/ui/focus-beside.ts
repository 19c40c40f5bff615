/** Gives the focus to what stands beside the item of a list that this button removes, or below the list; otherwise it would be lost with the item. */
export function focusBeside(button: HTMLElement): void {
  const item = button.closest('li')
  const beside = item?.nextElementSibling ?? item?.previousElementSibling ?? item?.parentElement?.nextElementSibling
  const controls = beside?.querySelectorAll('button') ?? []
  ;[...controls].at(-1)?.focus()
}
