type Placed = { getBoundingClientRect(): Pick<DOMRect, 'left' | 'width'> }
type Strip = Placed & { scrollLeft: number; querySelector(selectors: string): Placed | null }

/** Scrolls a strip of links sideways, and never the page, so that the current one stands in its middle. */
export function centreCurrent(strip: Strip): void {
  const current = strip.querySelector('[aria-current]')?.getBoundingClientRect()
  if (!current) return
  const { left, width } = strip.getBoundingClientRect()
  strip.scrollLeft += current.left + current.width / 2 - left - width / 2
}
