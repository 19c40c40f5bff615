/** How much of a process its clients may take. Tests set lower bounds. */
export const edgeBounds = {
  /** Requests that wait for their answer (decision 26). With a few milliseconds each that is some seconds of work. */
  inHand: 400,
  /** Requests whose body is still arriving: counted apart, because a slow sender is no work. */
  arriving: 2000,
  /** A whole company may share one. */
  arrivingFromAddress: 300,
  /** A body has this long, and longer only while it brings `bodyBytesPerSecond`. */
  bodyMs: 10_000,
  bodyBytesPerSecond: 16_384,
  /** Requests on one connection before the first of them is answered. Browsers and proxies send one at a time. */
  pipelined: 10,
  /** Bytes that all connections together have not read; beyond that, those who have waited longest are ended. */
  allUnreadBytes: 256 * 1024 * 1024,
  /** A connection on which nothing moves for this long is ended, and one that has not read its answer after the second time. */
  stalledMs: 75_000,
  readingMs: 600_000,
  /** How often slow bodies and unread answers are looked for. */
  checkMs: 1000,
  /** Websockets of one session in a process: one for each open tab. */
  socketsOfSession: 20,
  /** A websocket that sends nothing for this long is gone. Of a page in the background, browsers run the timers once a minute. */
  socketSilentMs: 90_000,
  /** Messages, pings and pongs of one websocket in a second; the page sends one ping in five seconds. */
  socketFramesPerSecond: 20,
  socketUnreadBytes: 256 * 1024,
  /** How often it is asked whether the sessions of the open websockets still hold. */
  sessionCheckMs: 30_000,
  /** How long a server that ends waits for answers under way and for websockets to close. */
  closingMs: 5000,
}

export type EdgeBounds = typeof edgeBounds
