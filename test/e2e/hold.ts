import type { Page } from 'playwright-core'

/** Holds the calls to that address until the returned function is called; with `isAsked` the server answers at once, and the answers are held. */
export async function hold(page: Page, url: string, { isAsked = false } = {}): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(`**/prod-api${url.replaceAll(/:\w+/g, '*')}`, async (route) => {
    const response = isAsked ? await route.fetch() : undefined
    await held
    await (response ? route.fulfill({ response }) : route.continue())
  })
  return letGo
}
