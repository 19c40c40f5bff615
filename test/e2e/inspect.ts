import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './accessible.ts'
import { heightAt, settled, type Language, type Look } from './product.ts'

const shots = fileURLToPath(new URL('../../test-results/', import.meta.url))

/** Takes a screenshot when SHOTS=1 is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, name), fullPage: true })
}

/** Expects that nothing is wider than the screen once the page rests, and names what is. */
export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const tooWide = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement
      if (scrollWidth <= clientWidth) return []
      const wide = [...document.body.querySelectorAll('*')].filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      return [`${scrollWidth} of ${clientWidth} px`, ...wide.slice(-3).map((element) => element.outerHTML.slice(0, 200))]
    })
  await expect.poll(tooWide, { message: what }).toEqual([])
}

/** Every field that is shown is at least 48 px high (specification 9). */
export async function expectHighFields(page: Page, what: string): Promise<void> {
  const low = await page
    .locator('input.input, select.select, textarea.textarea, .picker-box')
    .evaluateAll((fields) =>
      fields
        .map((field) => [field.getAttribute('aria-label') ?? field.getAttribute('name') ?? field.id, field.getBoundingClientRect().height])
        .filter(([, height]) => Number(height) > 0 && Number(height) < 48),
    )
  expect(low, what).toEqual([])
}

/** The same page in the other language and in another width, without loading it anew: what is typed and what is open stays. */
export async function showIn(page: Page, { width, language }: Look): Promise<void> {
  await page.setViewportSize({ width, height: heightAt(width) })
  if ((await page.locator('html').getAttribute('lang')) === language) return
  await page.evaluate((locale) => {
    localStorage.setItem('locale', locale)
    // As when the person changes the language in another window.
    dispatchEvent(new StorageEvent('storage', { key: 'locale' }))
  }, language)
  await page.locator(`html[lang="${language}"]`).waitFor()
}

/** LOOKS=all has axe look at every page in both languages and widths, and in dark, instead of once. */
export const looksAtAll = process.env.LOOKS === 'all'

/**
 * Waits until the page has settled, checks that it fits and is accessible, and takes a screenshot under that name. The colours are those of one
 * page, in either language: they are checked in Chinese.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const { what, language } = await inspectFit(page, name)
  await expectAccessible(page, what, { colours: language === 'en-US' ? 'none' : 'too' })
}

/**
 * Inspects the page as it is, and then in the other language and the other width: a narrow screen after a wide one, and the other way round. In both
 * together axe looks once: at the colours in Chinese and at the elements in English, which the other width shows.
 */
export async function inspectBoth(page: Page, name: string, narrow = 375): Promise<void> {
  const own = await lookOf(page)
  const inspectHere = async (language: Language) => {
    if (looksAtAll) return inspect(page, name)
    const { what } = await inspectFit(page, name)
    return expectAccessible(page, what, { colours: language === 'zh-CN' ? 'alone' : 'none' })
  }
  const other: Look = { width: own.width < 1440 ? 1440 : narrow, language: own.language === 'zh-CN' ? 'en-US' : 'zh-CN' }
  await inspectHere(own.language)
  await showIn(page, other)
  await inspectHere(other.language)
  await showIn(page, own)
}

/** Waits until the page has settled, checks that it fits, and takes a screenshot under that name. */
async function inspectFit(page: Page, name: string): Promise<Look & { what: string }> {
  const look = await lookOf(page)
  const what = `${name}, in ${look.language} at ${look.width} px`
  await settled(page)
  await expectNoOverflow(page, what)
  await picture(page, `${name}-${look.language}-${look.width}.png`)
  return { ...look, what }
}

async function lookOf(page: Page): Promise<Look> {
  const language = (await page.locator('html').getAttribute('lang')) as Language
  return { width: page.viewportSize()!.width, language }
}
