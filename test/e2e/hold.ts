import type { Page } from 'playwright-core'

/** Holds the calls to that address until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  await page.route(`**/prod-api${url.replaceAll(/:\w+/g, '*')}`, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}
