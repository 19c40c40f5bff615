import { expect, test, vi } from 'vitest'
import { placeBeside } from './place-beside.ts'

test('a panel stands below its element, in the lower part of the window above it, and the free height of that side is known', () => {
  vi.stubGlobal('window', { innerHeight: 900 })
  vi.stubGlobal('document', { documentElement: { clientWidth: 1440 } })
  const placed = (top: number, bottom: number) => {
    const panel = { style: { inset: '', top: '', bottom: '', left: '', right: '' } }
    const anchor = { getBoundingClientRect: () => ({ top, bottom, left: 100, right: 200 }) }
    const room = placeBeside(panel, anchor)
    return [room, panel.style.top, panel.style.bottom]
  }
  expect(placed(430, 466)).toEqual([422, '470px', ''])
  expect(placed(700, 736)).toEqual([688, '', '204px'])
})
