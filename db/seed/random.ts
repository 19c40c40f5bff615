/** mulberry32: the same market from the same seed. */
export class Dice {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T
  }
  some<T>(list: readonly T[], n: number): T[] {
    return list
      .map((value) => ({ value, at: this.next() }))
      .toSorted((a, b) => a.at - b.at)
      .slice(0, n)
      .map(({ value }) => value)
  }
  /** Normal, by the central limit of twelve. */
  normal(mean: number, deviation: number): number {
    return mean + deviation * (Array.from({ length: 12 }, () => this.next()).reduce((a, b) => a + b, 0) - 6)
  }
}
