import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Message } from '#shared/message/contract.ts'
import { findLiveSessions } from '../actor/actor.ts'
import { hashToken } from '../actor/hash.ts'
import { keepAliveMs, type Db, type Read } from '../db/connect.ts'
import { edgeBounds, type EdgeBounds } from '../http/bounds.ts'

export type Socket = {
  /** Bytes that the other side has not read. */
  readonly bufferedAmount: number
  send(text: string): void
  close(code: number, reason: string): void
  terminate(): void
}
type Listener = { socket: Socket; session: string; tokenHash: Buffer }

const channel = 'zhujitong'
type Bounds = Pick<EdgeBounds, 'socketsOfSession' | 'socketUnreadBytes'>
/** 4001 makes the page ask for its user, and so sign out. */
const endSocket = (socket: Socket) => socket.close(4001, 'token invalid')
const sessionKey = (tokenHash: Buffer) => tokenHash.toString('hex').slice(0, 16)

/**
 * A message as it goes over the socket. `kind` and `params` let the page word it in its own language; with `quiet` it counts as unread and
 * changes menus, but nothing pops up. `replaces` is how many unread messages it takes the place of.
 */
type Push = Message & { kind?: string; params?: Record<string, string>; quiet: boolean; replaces: number }

/** PostgreSQL carries less than 8000 bytes. */
const payloadBytes = 7500
/** The bytes that one recipient takes in a signal. */
const recipientBytes = 50
/** Signals that one statement sends. */
const signalsAtOnce = 500
/** How often the connection that listens is asked for a sign of life, and how long it may take to give one. */
const lifeMs = { every: 10_000, within: 5000 }

/** Whom a message goes to. `messageId`: of the message stored for them. `quiet`: nothing is to pop up. */
export type Recipient = { accountId: number; messageId: string; quiet: boolean; replaces: number }
/** What a push says the same to everybody. */
type Common = Omit<Push, 'messageId' | 'quiet' | 'replaces'>
type To = [accountId: number, messageId: string, quiet: 0 | 1, replaces?: number]
type Signal =
  | { kind: 'messages'; message: Common; to: To[] }
  /** Messages of the account were read or deleted, so its pages count the unread ones again. */
  | { kind: 'unread'; accountId: number }
  | { kind: 'end'; session: string }

/** The websockets of this process, and the fan-out between processes through LISTEN/NOTIFY. */
export class Hub {
  private readonly listeners = new Map<number, Set<Listener>>()
  private client: pg.Client | null = null
  private stopped = false
  private waiting: string[] = []
  private sending: Promise<void> | null = null
  private log: (error: unknown) => void = () => undefined
  private readonly db: Db
  private readonly bounds: Bounds
  private readonly life: typeof lifeMs

  constructor(db: Db, bounds: Bounds = edgeBounds, life = lifeMs) {
    this.db = db
    this.bounds = bounds
    this.life = life
  }

  /** Gives how to take the socket away again; null where the session has as many as it may have. */
  add(accountId: number, token: string, socket: Socket): (() => void) | null {
    const tokenHash = hashToken(token)
    const listener = { socket, session: sessionKey(tokenHash), tokenHash }
    const own = this.listeners.get(accountId) ?? new Set()
    const ofSession = [...own].filter(({ session }) => session === listener.session)
    if (ofSession.length >= this.bounds.socketsOfSession) return null
    own.add(listener)
    this.listeners.set(accountId, own)
    return () => {
      own.delete(listener)
      if (own.size === 0) this.listeners.delete(accountId)
    }
  }

  get size(): number {
    return [...this.listeners.values()].reduce((sum, own) => sum + own.size, 0)
  }

  /**
   * Sends a stored message to the sockets of its recipients, here and in every other process. It is called once the message is committed: a
   * NOTIFY within the transaction would make all of them commit one after the other (decision 51).
   */
  announce(message: Common, recipients: readonly Recipient[]): void {
    this.sendSoon(signalsOf(message, recipients))
  }

  /** Has every open page of the account count its unread messages again. Called once they are read or deleted for good, like `announce`. */
  announceUnread(accountId: number): void {
    this.sendSoon([JSON.stringify({ kind: 'unread', accountId } satisfies Signal)])
  }

  private sendSoon(signals: readonly string[]): void {
    for (const signal of signals) this.waiting.push(signal)
    this.sending ??= this.sendWaiting().finally(() => (this.sending = null))
  }

  /** One statement at a time: what comes in meanwhile goes with the next one. It does not wait for the disk, since no signal is stored. */
  private async sendWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const signals = this.waiting.splice(0, signalsAtOnce)
      try {
        await sql`with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
          select pg_notify(${channel}, signal) from relaxed, unnest(${signals}::text[]) signal`.execute(this.db)
      } catch (error) {
        this.log(error)
        // A process that has stopped gives up: people find the message when they ask for it. Any other sends the signals again.
        if (this.stopped) return
        this.waiting.unshift(...signals)
        await pause(1000, undefined, { ref: false })
      }
    }
  }

  /** Sessions that have ended lose their sockets everywhere; the close code keeps the client from reconnecting with them. */
  async endSessions(db: Read, tokenHashes: readonly Buffer[]): Promise<void> {
    if (tokenHashes.length === 0) return
    const signals = tokenHashes.map((hash) => JSON.stringify({ kind: 'end', session: sessionKey(hash) } satisfies Signal))
    await sql`select pg_notify(${channel}, signal) from unnest(${signals}::text[]) signal`.execute(db)
  }

  /**
   * Listens until stopped, and reconnects when the database was away. Signals that were sent before it listens are lost, so it then closes all sockets
   * that are open already: their pages connect again and fetch what they missed.
   */
  async listen(url: string, log: (error: unknown) => void): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      connectionTimeoutMillis: this.life.within,
      query_timeout: this.life.within,
    })
    this.client = client
    this.log = log
    let failed = false
    // A line that is dead may not report it for minutes.
    const life = setInterval(() => void client.query('select 1').catch(again), this.life.every).unref()
    // A broken connection may emit several errors, while connecting as well; an error without a listener ends the process.
    const again = (error: unknown) => {
      if (failed || this.stopped) return
      failed = true
      clearInterval(life)
      log(error)
      void client.end().catch(() => undefined)
      setTimeout(() => void this.listen(url, log), 1000).unref()
    }
    client.on('error', again)
    client.on('end', () => clearInterval(life))
    client.on('notification', ({ payload }) => {
      // Another version may be running beside this one while instances are replaced.
      try {
        this.deliver(JSON.parse(payload ?? 'null') as Signal)
      } catch (error) {
        log(error)
      }
    })
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      this.closeAll('signals may be missed')
    } catch (error) {
      again(error)
    }
  }

  private deliver(signal: Signal): void {
    switch (signal.kind) {
      case 'messages':
        for (const [accountId, messageId, quiet, replaces = 0] of signal.to)
          for (const { socket } of this.listeners.get(accountId) ?? [])
            this.send(socket, JSON.stringify({ type: 'message', messageId, ...signal.message, quiet: quiet === 1, replaces }))
        return
      case 'unread':
        for (const { socket } of this.listeners.get(signal.accountId) ?? []) this.send(socket, JSON.stringify({ type: 'unread' }))
        return
      case 'end':
        for (const own of this.listeners.values()) for (const { socket, session } of own) if (session === signal.session) endSocket(socket)
    }
  }

  /** Sends to a socket, or ends it when it does not read. The page connects again and fetches what it missed. */
  send(socket: Socket, text: string): void {
    if (socket.bufferedAmount > this.bounds.socketUnreadBytes) socket.terminate()
    else socket.send(text)
  }

  /**
   * Closes the sockets whose session no longer holds: it ran out, its account or company was locked, or the signal of its end was lost while the
   * database was away.
   */
  async closeEnded(db: Read, now: Date): Promise<void> {
    const open = [...this.listeners.values()].flatMap((own) => [...own])
    if (open.length === 0) return
    const live = await findLiveSessions(
      { db, now },
      open.map(({ tokenHash }) => tokenHash),
    )
    for (const { socket, tokenHash } of open) if (!live.has(tokenHash.toString('hex'))) endSocket(socket)
  }

  /** Closes all sockets with the code after which their pages connect again. */
  private closeAll(reason: string): void {
    for (const own of this.listeners.values()) for (const { socket } of own) socket.close(1012, reason)
  }

  async stop(): Promise<void> {
    this.stopped = true
    await this.sending
    this.closeAll('restarting')
    await this.client?.end().catch(() => undefined)
  }
}

/** One message to many people, in as few payloads as they fit into. */
function signalsOf(message: Common, recipients: readonly Recipient[]): string[] {
  const bytes = (one: typeof message) => Buffer.byteLength(JSON.stringify(one))
  const { kind: _, params: __, ...plain } = message
  // Without its parameters it is shown in the language it is stored in.
  const sent = bytes(message) + recipientBytes <= payloadBytes ? message : plain
  const atOnce = Math.max(1, Math.floor((payloadBytes - bytes(sent)) / recipientBytes))
  const signals: string[] = []
  for (let at = 0; at < recipients.length; at += atOnce) {
    const to = recipients
      .slice(at, at + atOnce)
      .map(({ accountId, messageId, quiet, replaces }): To => [accountId, messageId, quiet ? 1 : 0, replaces])
    signals.push(JSON.stringify({ kind: 'messages', message: sent, to } satisfies Signal))
  }
  return signals
}
