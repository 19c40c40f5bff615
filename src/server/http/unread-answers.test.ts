import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { edgeBounds } from './bounds.ts'
import { UnreadAnswers } from './unread-answers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const bounds = { ...edgeBounds, allUnreadBytes: 1000, readingMs: 60_000, checkMs: 1000, pipelined: 3 }

/** A connection as far as it is watched, with as many bytes as the other side has not read. */
class Line extends Socket {
  override writableLength = 0
  isEnded = false
  override destroy(): this {
    this.isEnded = true
    this.emit('close')
    return this
  }
}

/** An answer with as many bytes; without a socket it waits behind the one before it. */
class WaitingAnswer extends ServerResponse {
  override writableLength: number
  constructor(request: IncomingMessage, bytes: number) {
    super(request)
    this.writableLength = bytes
  }
}

function watching() {
  const server = new Server()
  // Nothing is parsed here.
  server.removeAllListeners('connection')
  const unread = new UnreadAnswers(bounds)
  unread.watch(server)
  const dial = (): Line => {
    const line = new Line()
    server.emit('connection', line)
    return line
  }
  const ask = (line: Line, bytes = 0) => {
    const request = new IncomingMessage(line)
    const answer = new WaitingAnswer(request, bytes)
    const isAdmitted = unread.admit(request, answer)
    return { isAdmitted, answer }
  }
  return { dial, ask }
}

test('of all that is unread those who have waited longest are ended, and no more of them than it takes', () => {
  const { dial } = watching()
  const [late, early, next] = [dial(), dial(), dial()]
  early.writableLength = 400
  vi.advanceTimersByTime(1000)
  next.writableLength = 400
  vi.advanceTimersByTime(1000)
  late.writableLength = 400
  vi.advanceTimersByTime(1000)
  expect([early, next, late].map(({ isEnded }) => isEnded)).toEqual([true, false, false])
})

test('answers that wait behind another one count as well', () => {
  const { dial, ask } = watching()
  const line = dial()
  ask(line, 600)
  const { answer } = ask(line, 600)
  answer.emit('close')
  vi.advanceTimersByTime(1000)
  expect(line.isEnded).toBe(false)
  ask(line, 600)
  vi.advanceTimersByTime(1000)
  expect(line.isEnded).toBe(true)
})

test('who has not read the rest of an answer for minutes is ended, however little it is; who has read meanwhile is not', () => {
  const { dial } = watching()
  const [stuck, reading] = [dial(), dial()]
  for (const line of [stuck, reading]) line.writableLength = 1
  vi.advanceTimersByTime(30_000)
  reading.writableLength = 0
  vi.advanceTimersByTime(1000)
  reading.writableLength = 1
  vi.advanceTimersByTime(28_000)
  expect([stuck.isEnded, reading.isEnded]).toEqual([false, false])
  vi.advanceTimersByTime(3000)
  expect([stuck.isEnded, reading.isEnded]).toEqual([true, false])
})

test('a request beyond those that one connection may have unanswered ends it; an answered one makes room', () => {
  const { dial, ask } = watching()
  const line = dial()
  const [first] = [ask(line), ask(line), ask(line)]
  first?.answer.emit('close')
  expect(ask(line).isAdmitted).toBe(true)
  expect(line.isEnded).toBe(false)
  expect(ask(line).isAdmitted).toBe(false)
  expect(line.isEnded).toBe(true)
})
