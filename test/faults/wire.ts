// A wire between app and database that can be cut or go dead.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export async function startWire(target: URL) {
  const ends = new Set<Socket>()
  let state: 'whole' | 'cut' | 'dead' = 'whole'
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
    if (state === 'dead') near.pause()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(target)
  url.port = String((server.address() as AddressInfo).port)
  // Through the wire and not past it, through the socket of the file system.
  url.searchParams.delete('host')
  return {
    url: url.href,
    /** Breaks every connection and accepts no new one. */
    cut: () => {
      state = 'cut'
      for (const end of ends) end.destroy()
    },
    /** Stops all data without closing a connection. */
    die: () => {
      state = 'dead'
      for (const end of ends) end.pause()
    },
    mend: () => {
      state = 'whole'
      for (const end of ends) end.resume()
    },
    close: () => {
      for (const end of ends) end.destroy()
      server.close()
    },
  }
}
