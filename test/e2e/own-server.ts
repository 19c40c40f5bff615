import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'
import { openWorld } from '#test/world.ts'
import { launchBrowser } from './product.ts'

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
  return { world, origin, browser }
}
