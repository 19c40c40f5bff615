import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/**
 * Expects no accessibility violation on the page, or in the dialog that is open, because nobody reaches the page below it. `colours` chooses the
 * rules that depend on colours: alone, for the dark variant of a page that was checked completely in light, or none of them, for they take two
 * thirds of the time.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { colours = 'too' }: { colours?: 'too' | 'alone' | 'none' } = {},
): Promise<void> {
  // The bar of a page that is on its way lies outside the landmarks.
  await page.locator('.progress').waitFor({ state: 'detached' })
  // Colours in the middle of a transition would give false violations. One in a part that is folded away never ends by itself, and the end of one
  // may begin those of the elements inside. What moves with the scrolling of a strip rests where that rests.
  await page.evaluate(async () => {
    const ends = ({ timeline, effect }: Animation) =>
      timeline instanceof DocumentTimeline && effect?.getComputedTiming().iterations !== Infinity
    const moving = () => document.getAnimations().filter(ends)
    do {
      for (const animation of moving()) animation.finish()
      await new Promise(requestAnimationFrame)
    } while (moving().length > 0)
  })
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const ofColours = ['color-contrast', 'link-in-text-block']
  const options = {
    // Leaves out results that this test does not read (passes, style sheets fetched again).
    resultTypes: ['violations'],
    preload: false,
    ...(colours === 'alone' && { runOnly: ofColours }),
    ...(colours === 'none' && { rules: Object.fromEntries(ofColours.map((rule) => [rule, { enabled: false }])) }),
  }
  const violations = await page.evaluate(async (chosen) => {
    const { violations: found } = await (
      globalThis as unknown as {
        axe: {
          run(
            what: Document | Element,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>
        }
      }
    ).axe.run(document.querySelector('dialog:modal') ?? document, chosen)
    return found.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`).join(' | ')}`,
    )
  }, options)
  expect(violations, what).toEqual([])
}
