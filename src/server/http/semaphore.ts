import { Refusal } from './refusal.ts'

/** `busy` speaks of files, `crowded` of any work. */
type Bounds = { total: number; waiting: number; waitingOfOne?: number; refusal?: 'busy' | 'crowded' }
type Waiting = { weight: number; by: string | undefined; start: () => void }

/**
 * Bounds the sum of the weights of what runs at once: bytes held, pixels decoded, workers started. Work starts in the order in which it
 * came. Where more waits than is allowed, `run` throws the refusal at once.
 *
 * With `by`, the person behind the work, nobody starts a second piece while others wait, and nobody holds more than `waitingOfOne` places of the queue.
 */
export class Semaphore {
  private readonly total: number
  private readonly longestQueue: number
  private readonly longestOfOne: number
  private readonly refusal: 'busy' | 'crowded'
  private readonly running = new Map<string, number>()
  private readonly queue: Waiting[] = []
  private free: number

  constructor({ total, waiting, waitingOfOne = waiting, refusal = 'busy' }: Bounds) {
    this.total = total
    this.free = total
    this.longestQueue = waiting
    this.longestOfOne = waitingOfOne
    this.refusal = refusal
  }

  /** Work that is heavier than the total runs alone. */
  async run<T>(weight: number, work: () => Promise<T>, by?: string): Promise<T> {
    const taken = Math.min(weight, this.total)
    await this.take(taken, by)
    try {
      return await work()
    } finally {
      this.free += taken
      this.count(by, -1)
      this.startNext()
    }
  }

  private count(by: string | undefined, more: 1 | -1): void {
    if (by === undefined) return
    const now = (this.running.get(by) ?? 0) + more
    if (now > 0) this.running.set(by, now)
    else this.running.delete(by)
  }

  private take(weight: number, by: string | undefined): Promise<void> {
    if (this.queue.length === 0 && weight <= this.free) {
      this.free -= weight
      this.count(by, 1)
      return Promise.resolve()
    }
    const ofOne = by === undefined ? 0 : this.queue.filter((one) => one.by === by).length
    if (this.queue.length >= this.longestQueue || ofOne >= this.longestOfOne) throw new Refusal(this.refusal)
    return new Promise((start) => {
      this.queue.push({ weight, by, start })
      // Where those before it are of somebody who has work running, it may be the next.
      this.startNext()
    })
  }

  private startNext(): void {
    for (let at = this.nextAt(); at !== null; at = this.nextAt()) {
      const [next] = this.queue.splice(at, 1)
      if (!next) return
      this.free -= next.weight
      this.count(next.by, 1)
      next.start()
    }
  }

  /** The first whose person has nothing running, or else the first. */
  private nextAt(): number | null {
    const fair = this.queue.findIndex(({ by }) => by === undefined || !this.running.has(by))
    const at = Math.max(fair, 0)
    const next = this.queue[at]
    return next && next.weight <= this.free ? at : null
  }
}
