import { afterEach, expect, test, vi } from 'vitest'
import { ignoreRepeats, pressAgain, repeatMs } from './throttle.ts'

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
  #dispatch(name: string, at: number) {
    const event = new Event(name, { cancelable: true })
    Object.defineProperty(event, 'timeStamp', { value: at })
    this.dispatchEvent(event)
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

test('the last button can be pressed again while it is on the page', () => {
  vi.stubGlobal('Element', FakeButton)
  const button = new FakeButton()
  button.press(0)
  pressAgain()?.()
  expect(button.presses).toBe(2)
  button.isConnected = false
  expect(pressAgain()).toBeUndefined()
})
