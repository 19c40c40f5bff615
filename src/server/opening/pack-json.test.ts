import { expect, test } from 'vitest'
import { jsonParts } from './pack.ts'

const written = async (parts: AsyncIterable<string>) => {
  let whole = ''
  for await (const part of parts) whole += part
  return whole
}

test('an object is written as JSON in parts, its lists element by element', async () => {
  async function* read() {
    yield await Promise.resolve({ revision: 1, text: '“甲方”\n' })
    yield { revision: 2, text: null }
  }
  const value = { links: [{ seq: 1 }, { seq: 2 }], none: [], nothing: null, day: '2026-12-01', versions: read() }
  expect(JSON.parse(await written(jsonParts(value)))).toEqual({
    ...value,
    versions: [
      { revision: 1, text: '“甲方”\n' },
      { revision: 2, text: null },
    ],
  })
})

test('an element is read when it is written, and no other is held', async () => {
  let asked = 0
  async function* read() {
    for (; asked < 1000;) yield await Promise.resolve(asked++)
  }
  let parts = 0
  for await (const part of jsonParts({ list: read() })) {
    if (/\d/.test(part)) parts++
    expect(asked - parts).toBeLessThanOrEqual(1)
  }
  expect(parts).toBe(1000)
})
