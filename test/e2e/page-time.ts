import type { Page } from 'playwright-core'

/** Sets the clock of these pages, and of what is loaded in them later; other pages of their visitors keep theirs. Timers run on as they are. */
export async function setTime(pages: Page[], now: Date): Promise<void> {
  for (const page of pages) {
    await page.addInitScript(setDate, now.getTime())
    await page.evaluate(setDate, now.getTime())
  }
}

/** Runs in the page. The clock of Playwright would replace its timers, its frames and its measurements as well. */
function setDate(begin: number): void {
  const page = globalThis as typeof globalThis & { realDate?: DateConstructor }
  const real = (page.realDate ??= Date)
  const ahead = begin - real.now()
  const now = () => real.now() + ahead
  page.Date = new Proxy(real, {
    construct: (target, given, made) => Reflect.construct(target, given.length > 0 ? given : [now()], made) as Date,
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
  })
}
