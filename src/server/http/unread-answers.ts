import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { EdgeBounds } from './bounds.ts'

/** `since`: when there were first bytes to read. `answers`: those that are not sent yet. */
type Connection = { since: number | null; answers: Set<ServerResponse> }

/** Ends connections that send requests and do not read the answers, which would otherwise stay in memory for as long as they like. */
export class UnreadAnswers {
  private readonly bounds: EdgeBounds
  private readonly connections = new Map<Socket, Connection>()

  constructor(bounds: EdgeBounds) {
    this.bounds = bounds
  }

  watch(server: Server): void {
    server.setTimeout(this.bounds.stalledMs)
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { since: null, answers: new Set() })
      socket.once('close', () => this.connections.delete(socket))
    })
    const timer = setInterval(() => this.end(), this.bounds.checkMs).unref()
    server.once('close', () => clearInterval(timer))
  }

  /** Counts an answer that is not sent at once. False: the connection has asked for too many before it read one, and is ended. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    const answers = this.connections.get(socket)?.answers
    if (!answers || answers.size >= this.bounds.pipelined) {
      socket.destroy()
      return false
    }
    answers.add(response)
    response.once('close', () => answers.delete(response))
    return true
  }

  private end(): void {
    const now = performance.now()
    const waiting: { socket: Socket; since: number; bytes: number }[] = []
    for (const [socket, connection] of this.connections) {
      const bytes = unreadBytes(socket, connection)
      if (bytes === 0) connection.since = null
      else waiting.push({ socket, since: (connection.since ??= now), bytes })
    }
    let all = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const { socket, since, bytes } of waiting.toSorted((a, b) => a.since - b.since)) {
      if (all <= this.bounds.allUnreadBytes && now - since < this.bounds.readingMs) return
      socket.destroy()
      all -= bytes
    }
  }
}

/** An answer that has the connection has its bytes there; the others hold theirs until it is their turn. */
function unreadBytes(socket: Socket, { answers }: Connection): number {
  let bytes = socket.writableLength
  for (const answer of answers) if (answer.socket === null) bytes += answer.writableLength
  return bytes
}
