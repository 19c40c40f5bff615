import { afterEach, expect, test, vi } from 'vitest'
import { ignoreRepeats, lastPressed, repeatMs } from './throttle.ts'

/** As much of a button as the page's listener asks for. */
class FakeButton extends EventTarget {
  dataset: Record<string, string> = {}
  isConnected = true
  isDisabled = false
  presses = 0
  readonly #acts: boolean
  constructor(acts = true) {
    super()
    this.#acts = acts
    ignoreRepeats(this)
    this.addEventListener('click', () => this.presses++)
  }
  closest(selector: string) {
    return (selector.includes('aria-disabled') ? this.isDisabled : this.#acts) ? this : null
  }
  click() {
    this.press(1e9)
  }
  press(at: number) {
    this.#dispatch('click', at)
  }
  type(at: number) {
    this.#dispatch('input', at)
  }
  /** A key that is pressed and held; each of its events that is not prevented is a press. */
  hold(key: string, at: number) {
    for (const [index, repeat] of [false, true, true].entries())
      if (this.#dispatch('keydown', at, { key, repeat })) this.press(at + index * repeatMs)
  }
  #dispatch(name: string, at: number, more: object = {}): boolean {
    const event = new Event(name, { cancelable: true })
    for (const [key, value] of Object.entries({ timeStamp: at, ...more })) Object.defineProperty(event, key, { value })
    return this.dispatchEvent(event)
  }
}

afterEach(() => vi.unstubAllGlobals())

test('[S9.5] a repeated press within a second is ignored, after that and after typing it counts', () => {
  vi.stubGlobal('Element', FakeButton)
  const button = new FakeButton()
  for (const at of [0, 300, repeatMs - 1]) button.press(at)
  expect(button.presses).toBe(1)
  button.press(repeatMs)
  expect(button.presses).toBe(2)
  button.type(repeatMs + 1)
  button.press(repeatMs + 2)
  expect(button.presses).toBe(3)
})

test('[S9.5] a button states its own time, and one that only changes the view has none', () => {
  vi.stubGlobal('Element', FakeButton)
  const quick = new FakeButton()
  quick.dataset.repeatMs = '100'
  for (const at of [0, 50, 100]) quick.press(at)
  expect(quick.presses).toBe(2)
  const view = new FakeButton(false)
  for (const at of [0, 1, 2]) view.press(at)
  expect(view.presses).toBe(3)
})

test('a press on what is disabled by its attribute of accessibility does nothing, and counts as none', () => {
  vi.stubGlobal('Element', FakeButton)
  const button = new FakeButton()
  button.isDisabled = true
  button.press(0)
  expect(button.presses).toBe(0)
  button.isDisabled = false
  button.press(1)
  expect(button.presses).toBe(1)
})

test('[S9.5] Enter that is held presses a button once, unless it may be pressed as often as one likes; another key goes on', () => {
  vi.stubGlobal('Element', FakeButton)
  const [button, zoom, view] = [new FakeButton(), new FakeButton(), new FakeButton(false)]
  zoom.dataset.repeatMs = '0'
  for (const one of [button, zoom, view]) one.hold('Enter', 0)
  expect([button, zoom, view].map(({ presses }) => presses)).toEqual([1, 3, 3])
  button.hold('Tab', 10_000)
  expect(button.presses).toBe(4)
})

test('the last button is the one that was pressed, whatever was pressed beside it', () => {
  vi.stubGlobal('Element', FakeButton)
  const [button, view] = [new FakeButton(), new FakeButton(false)]
  button.press(0)
  view.press(1)
  expect(lastPressed()).toBe(button)
})

test('what typing sends has no button that could be pressed again', () => {
  vi.stubGlobal('Element', FakeButton)
  const button = new FakeButton()
  button.press(0)
  button.type(1)
  expect(lastPressed()).toBeNull()
})
