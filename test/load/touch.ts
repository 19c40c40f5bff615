// A first visit in use: a throttled phone whose owner touches the page one second after its address was opened, and goes on using it.
import type { BrowserContext } from 'playwright-core'
import { pause } from './product.ts'

/** Lighthouse's phone, throttled in the browser and not by simulation, because a simulation has no touch. */
const phone = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true }
const network = { offline: false, latency: 562.5, downloadThroughput: (1474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 }
const slowdown = 4

const firstTouchMs = 1000
/** Further touches while the scripts start, and the time in which they must have started. */
const touches = 4
const betweenMs = 400
const restMs = 4000

/** The longest time from a touch to the next paint, and the time that long tasks blocked the page from the first touch on, in milliseconds. */
export type Use = { inp: number; tbt: number }

type Seen = { events: { at: number; ms: number }[]; tasks: { at: number; ms: number }[] }

/** Runs in the page before its own programs. */
const observe = () => {
  const seen: Seen = { events: [], tasks: [] }
  Object.assign(window, { seenInUse: seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if ((entry as PerformanceEventTiming).interactionId) seen.events.push({ at: entry.startTime, ms: entry.duration })
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.tasks.push({ at: entry.startTime, ms: entry.duration })
  }).observe({ type: 'longtask', buffered: true })
}

export async function visitInUse(browser: BrowserContext, url: string, storage: Record<string, string>): Promise<Use> {
  const page = await browser.newPage()
  try {
    await page.goto(new URL('/favicon.svg', url).href)
    await page.evaluate((values) => {
      localStorage.clear()
      for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value)
    }, storage)
    const devtools = await browser.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.clearBrowserCache')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await devtools.send('Emulation.setDeviceMetricsOverride', phone)
    await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await page.addInitScript(observe)
    const opened = Date.now()
    await page.goto(url, { waitUntil: 'commit' })
    const heading = page.locator('main h1, h1').first()
    await heading.waitFor()
    await pause(Math.max(0, firstTouchMs - (Date.now() - opened)))
    const first = await page.evaluate(() => performance.now())
    for (let n = 0; n < touches; n++) {
      // A heading leads nowhere, so the page that was opened is the page that is measured.
      const box = (await heading.boundingBox()) ?? { x: 100, y: 100, width: 0, height: 0 }
      const point = { x: box.x + Math.min(20, box.width / 2), y: box.y + box.height / 2 }
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await pause(betweenMs)
    }
    await pause(restMs)
    const seen = await page.evaluate(() => (window as unknown as { seenInUse: Seen }).seenInUse)
    return {
      inp: Math.max(0, ...seen.events.map(({ ms }) => ms)),
      tbt: seen.tasks.filter(({ at, ms }) => at + ms > first).reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0),
    }
  } finally {
    await page.close()
  }
}
