import { Refusal } from './refusal.ts'

type Waiting = { weight: number; start: () => void }

/**
 * Bounds the sum of the weights of what runs at once: bytes held, pixels decoded, workers started. Work starts in the order in which it
 * came. Where more waits than is allowed, `run` throws the refusal "busy" at once.
 */
export class Semaphore {
  private readonly total: number
  private readonly longestQueue: number
  private readonly queue: Waiting[] = []
  private free: number

  constructor({ total, waiting }: { total: number; waiting: number }) {
    this.total = total
    this.free = total
    this.longestQueue = waiting
  }

  /** Work that is heavier than the total runs alone. */
  async run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(weight, this.total)
    await this.take(taken)
    try {
      return await work()
    } finally {
      this.free += taken
      this.startNext()
    }
  }

  private take(weight: number): Promise<void> {
    if (this.queue.length === 0 && weight <= this.free) {
      this.free -= weight
      return Promise.resolve()
    }
    if (this.queue.length >= this.longestQueue) throw new Refusal('busy')
    return new Promise((start) => this.queue.push({ weight, start }))
  }

  private startNext(): void {
    for (let next = this.queue[0]; next && next.weight <= this.free; next = this.queue[0]) {
      this.queue.shift()
      this.free -= next.weight
      next.start()
    }
  }
}
