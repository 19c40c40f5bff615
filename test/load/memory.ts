// The memory of a server while something is asked of it.
import type { Running } from './product.ts'

const lookEveryMs = 5

/** The most that the server held while the work ran, in MB, looked at every few milliseconds. */
export async function peakMbDuring<T>(server: Running, work: () => Promise<T>): Promise<{ result: T; peakMb: number }> {
  let peakMb = server.memoryMb()
  const look = () => void (peakMb = Math.max(peakMb, server.memoryMb()))
  const looks = setInterval(look, lookEveryMs)
  try {
    const result = await work()
    look()
    return { result, peakMb }
  } finally {
    clearInterval(looks)
  }
}
