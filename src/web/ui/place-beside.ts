type Panel = { style: Pick<CSSStyleDeclaration, 'inset' | 'top' | 'bottom' | 'left' | 'right'> }
type Anchor = { getBoundingClientRect(): Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'> }

/**
 * Places a panel of the top layer below an element, or above it in the lower part of the window; the panel's height need not be known. Returns how
 * many pixels of height are free on that side.
 */
export function placeBeside(panel: Panel, anchor: Anchor): number {
  const { top, bottom, left, right } = anchor.getBoundingClientRect()
  const { innerHeight } = window
  // Without the scrollbar, as the offsets of the panel count.
  const { clientWidth } = document.documentElement
  const isLow = bottom > innerHeight * 0.6 && top > innerHeight - bottom
  const isRight = left > clientWidth / 2
  panel.style.inset = 'auto'
  panel.style[isLow ? 'bottom' : 'top'] = `${isLow ? innerHeight - top + 4 : bottom + 4}px`
  panel.style[isRight ? 'right' : 'left'] = `${Math.max(8, isRight ? clientWidth - right : left)}px`
  return (isLow ? top : innerHeight - bottom) - 12
}

/** Moves a panel that is shown up or down until the window holds it, where it is too high to stand beside its element. */
export function keepInWindow(panel: HTMLElement): void {
  const { top, bottom } = panel.getBoundingClientRect()
  if (bottom <= window.innerHeight && top >= 0) return
  panel.style.bottom = 'auto'
  panel.style.top = `${Math.max(8, Math.min(top, window.innerHeight - (bottom - top) - 8))}px`
}

/**
 * Shows a panel as wide as its element in the top layer, where no bar covers it and no dialog cuts it off. It follows the element until the
 * returned function hides it.
 */
export function showBeside(panel: HTMLElement, anchor: HTMLElement): () => void {
  const place = () => {
    panel.style.width = `${anchor.offsetWidth}px`
    placeBeside(panel, anchor)
  }
  place()
  panel.showPopover()
  const observer = new ResizeObserver(place)
  observer.observe(anchor)
  window.addEventListener('scroll', place, { capture: true, passive: true })
  return () => {
    observer.disconnect()
    window.removeEventListener('scroll', place, { capture: true })
    panel.hidePopover()
  }
}
