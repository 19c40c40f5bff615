import { getUserInfo } from '#shared/account/contract.ts'
import { countUnread, type Message } from '#shared/message/contract.ts'
import { certificationSubject, heartbeat, type MessageKind } from '#shared/message/rules.ts'
import { call } from './api.ts'
import { getSession, isCurrent, setUnread, storeInfo } from './session.ts'

export async function refetchUser(): Promise<void> {
  storeInfo(await call(getUserInfo, {}))
}

export async function refetchUnread(quiet = false): Promise<void> {
  setUnread(await call(countUnread, {}, quiet))
}

/** With its kind and parameters it can be said in another language than the stored one. */
export type Pushed = Message & { kind?: MessageKind; params?: Record<string, string> }

/**
 * The websocket of the specification: ping every 5 s, an answer within 5 s or it is closed and opened again, a failed
 * connection retried after 3 s; only while signed in. Returns how to stop.
 */
export function openSocket(onMessage: (message: Pushed) => void): () => void {
  let socket: WebSocket | null = null
  let stopped = false
  let beat: ReturnType<typeof setInterval> | undefined
  let overdue: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    const { token } = getSession()
    if (stopped || !token) return
    socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/schedule/websocket`, [token])
    socket.addEventListener('open', () => {
      beat = setInterval(() => {
        socket?.send('ping')
        overdue ??= setTimeout(() => socket?.close(), heartbeat.replyWithin)
      }, heartbeat.every)
    })
    socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
      clearTimeout(overdue)
      overdue = undefined
      if (data === 'pong') return
      const message = JSON.parse(data) as Pushed & { type: string; quiet?: boolean }
      if (message.type !== 'message') return
      setUnread((unread) => unread + 1)
      if (message.systemSubject === certificationSubject) void refetchUser()
      if (!message.quiet) onMessage(message)
    })
    socket.addEventListener('close', ({ code }) => {
      clearInterval(beat)
      clearTimeout(overdue)
      overdue = undefined
      // 4001: this token is no longer good. Asking for the user tells so, and signs out; unless it was exchanged for
      // another just now, here or in another tab, which shows within a moment.
      if (code === 4001)
        setTimeout(() => {
          if (isCurrent(token)) void refetchUser().catch(() => undefined)
        }, 1000)
      else if (!stopped) retry = setTimeout(connect, heartbeat.retryAfter)
    })
  }
  connect()
  // Where sockets are blocked the count still comes; a failed poll says nothing, the next one is near.
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
