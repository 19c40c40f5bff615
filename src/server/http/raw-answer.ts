import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** Answers a malformed request, or one whose body does not arrive, before the framework sees it. */
export function rawAnswer(status: 400 | 408 | 431): string {
  const body = JSON.stringify({ code: status, msg: STATUS_CODES[status] })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
    'X-Content-Type-Options: nosniff',
    '',
    body,
  ].join('\r\n')
}

/** For 'clientError': what the parser of Node refuses. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code !== 'ECONNRESET' && socket.writable)
    socket.write(rawAnswer(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400))
  socket.destroySoon()
}
