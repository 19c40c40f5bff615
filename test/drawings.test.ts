import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { drawingOf, drawnCategories } from '#web/equipment/drawing.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { tree } = JSON.parse(read('db/seed/categories.json')) as { tree: { id: number; children: { id: number }[] }[] }
const symbols = new Map(
  [...read('src/web/equipment/drawings.svg').matchAll(/<symbol id="([^"]+)" viewBox="([^"]+)">([\s\S]*?)<\/symbol>/g)].map(
    ([, id = '', box = '', content = '']) => [id, { box, content }],
  ),
)

describe('the drawings of machines', () => {
  test('every category of the catalogue has a drawing of its own, and no two look the same', () => {
    const categories = tree.flatMap(({ id, children }) => children.map((category) => ({ group: id, id: category.id })))
    const contents = categories.map(({ group, id }) => {
      expect(drawingOf(group, id)).toBe(`c${id}`)
      return symbols.get(`c${id}`)?.content
    })
    expect(contents.every((content) => content !== undefined)).toBe(true)
    expect(new Set(contents).size).toBe(categories.length)
    expect(contents.length).toBeGreaterThanOrEqual(30)
    expect(drawnCategories().map(([, id]) => id)).toEqual(categories.map(({ id }) => id))
  })

  test('a category that an operator adds has the drawing of its class, and a class of its own that of a crate', () => {
    for (const { id, children } of tree) {
      const drawing = drawingOf(id, id + 90)
      expect(children.map((category) => `c${category.id}`)).toContain(drawing)
      expect(drawingOf(id)).toBe(drawing)
    }
    expect(drawingOf(1400, 1401)).toBe('c1209')
  })

  test('they are one family: the same sheet, strokes without a colour of their own, and one amber part', () => {
    for (const [id, { box, content }] of symbols) {
      if (['sheet', 'hero'].includes(id)) continue
      expect(box, id).toBe('0 0 120 80')
      expect(content.match(/fill="var\(--amber\)"/g)?.length, id).toBe(1)
      expect(content, id).not.toMatch(/stroke|<use|NaN/)
    }
  })
})
