import type { FastifyRequest } from 'fastify'

/** A name or an address, perhaps with a port: all that a Host may be (RFC 9110, section 7.2). */
const hostForm = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/** Only a request of HTTP/1.0 may leave it out. */
export const isHost = (host: string | undefined, httpVersion: string): boolean =>
  // An address is made of it, which numbers too large, or at the end of a name, are no part of.
  host === undefined ? httpVersion === '1.0' : hostForm.test(host) && URL.canParse(`http://${host}`)

/** The address people reach the site at: as configured, or else as this request names it. */
export function originOf({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string {
  return publicUrl ? new URL(publicUrl).origin : `${protocol}://${host || 'localhost'}`
}

/** The addresses of the API, known calls and others. */
export const ofApi = /^\/prod-api(?:[/?]|$)/

/** Stands for every address that cannot be read; nothing has this path. */
export const unreadablePath = '/.unreadable'

/** The path and query of a request, without the origin that a proxy may send along; `unreadablePath` where it does not decode. */
export function readablePath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
  if (!path.startsWith('/')) return unreadablePath
  try {
    decodeURIComponent(path.split('?')[0] ?? '')
    return path
  } catch {
    return unreadablePath
  }
}
