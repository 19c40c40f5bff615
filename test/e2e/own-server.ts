import { afterAll } from 'vitest'
import { openWorld, type Person } from '#test/world.ts'
import { setTime } from './page-time.ts'
import { closeVisitors, openPages, visitWithToken, type Look } from './product.ts'
import { ownPort } from './server-process.ts'

/** The pages of a server of this process, so that its clock can be moved by hand. It ends with the file that opens it. */
export async function openOwnServer() {
  const world = await openWorld({ pages: true })
  const port = await ownPort()
  await world.server.listen({ port, host: '127.0.0.1' })
  const origin = `http://127.0.0.1:${port}`
  afterAll(async () => {
    try {
      await closeVisitors()
    } finally {
      // A connection that the browser has opened and not used yet would be waited for.
      world.server.server.closeAllConnections()
      await world.close()
    }
  })
  const { clock } = world
  return {
    world,
    origin,
    /** Opens a page that has the time of the server. */
    visitAs: (person: Person, path: string, look: Look) =>
      visitWithToken(origin, { token: person.token ?? '', path, now: clock.now(), ...look }),
    /** Gives the open pages the time of the server, after a step that moves its clock by days. */
    followClock: () => setTime(openPages(), clock.now()),
  }
}
