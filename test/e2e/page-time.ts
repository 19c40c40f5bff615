import type { BrowserContext } from 'playwright-core'

/** Sets the clock of these pages and of each that is loaded in their context later. Timers run on as they are. */
export async function setTime(context: BrowserContext, now: Date): Promise<void> {
  await context.addInitScript(setDate, now.getTime())
  await Promise.all(context.pages().map((page) => page.evaluate(setDate, now.getTime())))
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
