import { certificationSubject, heartbeat } from '#shared/message/rules.ts'
import { spread, type Pushed } from './news.ts'
import { refetchUnread, refetchUser } from './refetch.ts'
import { getSession, isCurrent, setUnread } from './session.ts'

/**
 * Opens the websocket of the specification: it pings every 5 s, reconnects if no answer comes within 5 s, and tries a failed connection again
 * after 3 s. It needs a session. Returns the function that closes it.
 */
export function openSocket(onMessage: (message: Pushed) => void): () => void {
  let socket: WebSocket | null = null
  let stopped = false
  let hadGap = false
  let beat: ReturnType<typeof setInterval> | undefined
  let overdue: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    const { token } = getSession()
    if (stopped || !token) return
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/schedule/websocket`, [token])
    socket.addEventListener('open', () => {
      if (hadGap) spread(null)
      beat = setInterval(() => {
        socket?.send('ping')
        overdue ??= setTimeout(() => socket?.close(), heartbeat.replyWithin)
      }, heartbeat.every)
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      clearTimeout(overdue)
      overdue = undefined
      if (data === 'pong') return
      const message = readMessage(data)
      if (!message) return
      setUnread((unread) => unread + 1)
      spread(message)
      if (message.systemSubject === certificationSubject) void refetchUser()
      if (!message.quiet) onMessage(message)
    })
    socket.addEventListener('close', ({ code }) => {
      hadGap = true
      clearInterval(beat)
      clearTimeout(overdue)
      overdue = undefined
      // 4001: the token is no longer valid. Fetching the user then answers 401, which signs out. The second of delay is for a token that was
      // exchanged in another tab: the new one arrives here within that time.
      if (code === 4001)
        setTimeout(() => {
          if (isCurrent(token)) void refetchUser().catch(() => undefined)
        }, 1000)
      else if (!stopped) retry = setTimeout(connect, heartbeat.retryAfter)
    })
  }
  connect()
  // Polls for networks that block websockets. A failed poll is not reported, because the next one follows.
  const poll = setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN && getSession().token) void refetchUnread(true).catch(() => undefined)
  }, heartbeat.poll)
  return () => {
    clearInterval(poll)
    stopped = true
    clearTimeout(retry)
    clearInterval(beat)
    clearTimeout(overdue)
    socket?.close()
  }
}

/** Returns undefined for what is no message: a text that is no JSON, or news of another type. */
function readMessage(data: string): (Pushed & { quiet?: boolean }) | undefined {
  try {
    const news = JSON.parse(data) as (Pushed & { type?: string; quiet?: boolean }) | null
    return news && typeof news === 'object' && (news.type ?? 'message') === 'message' ? news : undefined
  } catch {
    return undefined
  }
}
