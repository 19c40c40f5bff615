import { certificationSubject, heartbeat } from '#shared/message/rules.ts'
import { ignoreShown } from './api.ts'
import { spread, type Pushed } from './news.ts'
import { countArrived, refetchUnread, refetchUser } from './refetch.ts'
import { getSession, isCurrent } from './session.ts'

/** `replaces`: how many unread messages it takes the place of. With the type "unread" it is no message: others were read or deleted elsewhere. */
type Arrived = Pushed & { type?: 'message' | 'unread'; quiet?: boolean; replaces?: number }

/** The session has as many connections as it may have. */
const tooMany = 1013

/**
 * Opens the websocket of the specification: it pings every 5 s, opens another connection if no answer comes within 5 s, and tries
 * one that failed again after 3 s, one too many after a minute. It needs a session. Returns the function that closes it.
 */
export function openSocket(onMessage: (message: Pushed) => void): () => void {
  let socket: WebSocket | null = null
  let stopped = false
  let hadGap = false
  let beat: ReturnType<typeof setInterval> | undefined
  let overdue: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    const { token, info } = getSession()
    if (stopped || !token) return
    // Refused until the person has finished their setup. Nothing is sent until then.
    if (info?.setup) return void (retry = setTimeout(connect, heartbeat.retryAfter))
    const own = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/schedule/websocket`, [token])
    socket = own
    own.addEventListener('open', () => {
      if (hadGap) fetchMissed()
      else void fetchUncounted().catch(ignoreShown)
      beat = setInterval(() => {
        own.send('ping')
        overdue ??= setTimeout(reopen, heartbeat.replyWithin)
      }, heartbeat.every)
    })
    own.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (socket !== own) return
      clearTimeout(overdue)
      overdue = undefined
      if (data === 'pong') return
      const message = readMessage(data)
      if (!message) return
      if (message.type === 'unread') return void refetchUnread(true).catch(ignoreShown)
      const { replaces = 0 } = message
      countArrived({ replaces })
      spread(message)
      if (message.systemSubject === certificationSubject) void refetchUser().catch(ignoreShown)
      if (!message.quiet) onMessage(message)
    })
    own.addEventListener('close', ({ code }) => {
      if (socket !== own) return
      stopBeating()
      // 4001: the token is no longer valid. Fetching the user then answers 401, which signs out. The second of delay is for a token that was
      // exchanged in another tab: the new one arrives here within that time.
      if (code === 4001)
        setTimeout(() => {
          if (isCurrent(token)) void refetchUser().catch(() => undefined)
        }, 1000)
      else if (!stopped) retry = setTimeout(connect, code === tooMany ? heartbeat.poll : heartbeat.retryAfter)
    })
  }
  const stopBeating = () => {
    hadGap = true
    clearInterval(beat)
    clearTimeout(overdue)
    overdue = undefined
  }
  /** A line that is dead may take a minute to report that its connection is closed, so the next one does not wait for that. */
  const reopen = () => {
    const silent = socket
    socket = null
    stopBeating()
    connect()
    silent?.close()
  }
  connect()
  // Polls for networks that block websockets. A failed poll is not reported, because the next one follows.
  const poll = setInterval(() => {
    const { token, info } = getSession()
    if (socket?.readyState !== WebSocket.OPEN && token && !info?.setup) void fetchUncounted().catch(() => undefined)
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

/** Fetches what a message may have changed that came while there was no connection, if the unread count says that one came. */
async function fetchUncounted(): Promise<void> {
  const { unread } = getSession()
  await refetchUnread(true)
  if (getSession().unread !== unread) spread(null)
}

/** Fetches what messages that were missed may have changed. */
function fetchMissed(): void {
  spread(null)
  void refetchUnread(true).catch(ignoreShown)
  void refetchUser().catch(ignoreShown)
}

/** Returns undefined for a text that is no JSON, and for news of an unknown type. */
function readMessage(data: string): Arrived | undefined {
  try {
    const news = JSON.parse(data) as Arrived | null
    return news && typeof news === 'object' && ['message', 'unread'].includes(news.type ?? 'message') ? news : undefined
  } catch {
    return undefined
  }
}
