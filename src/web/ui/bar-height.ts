/**
 * Reserves the height of a bar that sticks to the end of the window when something is scrolled into view, so a field that gets the focus is never
 * under the bar. It is the ref of that bar.
 */
export function reserveBarHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('scroll-padding-bottom', `${bar.offsetHeight + 12}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty('scroll-padding-bottom')
  }
}
