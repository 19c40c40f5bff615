import { expect, test } from 'vitest'
import { centreCurrent } from './centre-current.ts'

/** Where a strip of 300 px stands that begins at 16 px and was scrolled by 40, with its current link of 80 px at `left` on the screen. */
function scrolledTo(left: number | null): number {
  const current = left === null ? null : { getBoundingClientRect: () => ({ left, width: 80 }) }
  const strip = { scrollLeft: 40, querySelector: () => current, getBoundingClientRect: () => ({ left: 16, width: 300 }) }
  centreCurrent(strip)
  return strip.scrollLeft
}

test('the middle of the current link stands in the middle of its strip', () => {
  expect(scrolledTo(126)).toBe(40)
  expect(scrolledTo(426)).toBe(340)
  expect(scrolledTo(106)).toBe(20)
})

test('a strip without a current link stays', () => {
  expect(scrolledTo(null)).toBe(40)
})
