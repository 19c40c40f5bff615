import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '../http/refusal.ts'
import { Semaphore } from '../http/semaphore.ts'
import type { Encoded } from './picture-encoding.ts'
import type { Answer, Given } from './picture-process.ts'

/** One picture is decoded at a time: the pixels in memory are those of one, and the other cores serve everybody else. */
const decoding = new Semaphore({ total: 1, waiting: 40 })

/** Longer than the decoder gives itself; a process that does not answer by then is killed. */
const timeMs = 30_000
const idleMs = 30_000
const heapMb = 64
/** glibc returns the memory of a picture when it is freed, instead of keeping it for the next: 87 MB stay instead of 343 (decision 36). */
const environment = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' }

let decoder: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Encodes a picture anew and makes its thumbnail, in a process of its own that has no secret, no connection and no share in the server's
 * threads. Throws file_kind for what cannot be decoded, picture_pixels for what is too large, busy when too many wait.
 */
export function encodePicture(content: Uint8Array, { turn = 0 } = {}): Promise<Encoded> {
  return decoding.run(1, () => ask({ content, turn }))
}

function ask(given: Given): Promise<Encoded> {
  clearTimeout(idle)
  const child = decoder?.connected ? decoder : startDecoder()
  decoder = child
  return new Promise((done, fail) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      child.removeAllListeners()
      idle = setTimeout(stopDecoder, idleMs).unref()
      act()
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), timeMs)
    child.once('message', (answer: Answer) => settle(() => ('refusal' in answer ? fail(new Refusal(answer.refusal)) : done(answer))))
    const lose = (reason: Error) => {
      decoder = undefined
      settle(() => fail(reason))
    }
    // Killed, or ended by the picture itself.
    child.once('exit', () => lose(new Refusal('file_kind')))
    child.once('error', lose)
    child.send(given, (error) => error && lose(error))
  })
}

function startDecoder(): ChildProcess {
  const child = fork(fileURLToPath(new URL('picture-process.ts', import.meta.url)), {
    env: environment,
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // The server ends without waiting for it; without the server it ends itself.
  child.unref()
  child.channel?.unref()
  return child
}

function stopDecoder(): void {
  if (decoder?.connected) decoder.disconnect()
  decoder = undefined
}
