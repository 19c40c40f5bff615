/**
 * The ref of a bar that sticks to the end of the window. It keeps as much room for what is scrolled into view, so a field that gets the focus is
 * never under the bar.
 */
export function keepRoom(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('scroll-padding-bottom', `${bar.offsetHeight + 12}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('scroll-padding-bottom')
  }
}
