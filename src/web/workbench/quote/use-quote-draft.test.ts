import { afterEach, expect, test, vi } from 'vitest'
import { readTab, writeTab } from '../../app/tab-storage.ts'
import { storedQuote } from './use-quote-draft.ts'

afterEach(() => vi.unstubAllGlobals())

test('a page goes on in a browser that refuses to store, or whose storage somebody has edited', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  expect(readTab('quote:7:9')).toBeUndefined()
  expect(writeTab('quote:7:9', { at: 1 })).toBe(true)
  expect(storedQuote(7, 9)).toEqual({ at: 1 })
  expect(writeTab('quote:7:9', undefined)).toBe(true)
  expect(stored.size).toBe(0)
  stored.set('quote:7:9', '{"at":')
  expect(storedQuote(7, 9)).toBeUndefined()
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  expect(storedQuote(7, 9)).toBeUndefined()
  expect(writeTab('quote:7:9', { at: 1 })).toBe(false)
})
