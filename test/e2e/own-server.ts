import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { openWorld, type Person } from '#test/world.ts'
import { setTime } from './page-time.ts'
import { launchBrowser, visitWithToken, type Look } from './product.ts'

/** The pages of a server of this process, so that its clock can be moved by hand, and a browser; both end with the file that opens them. */
export async function openOwnServer() {
  const world = await openWorld({ pages: true })
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${(world.server.server.address() as AddressInfo).port}`
  const browser = await launchBrowser()
  afterAll(async () => {
    await browser.close()
    await world.close()
  })
  const { clock } = world
  return {
    world,
    origin,
    browser,
    /** Opens a page that has the time of the server. */
    visitAs: (person: Person, path: string, look: Look) =>
      visitWithToken(browser, origin, { token: person.token ?? '', path, now: clock.now(), ...look }),
    /** Gives the open pages the time of the server, after a step that moves its clock by days. */
    followClock: () => Promise.all(browser.contexts().map((context) => setTime(context, clock.now()))),
  }
}
