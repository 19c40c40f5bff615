export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that tests move by hand. */
export function handClock(start: Date): Clock & { set(at: Date): void } {
  let current = start
  return { now: () => current, set: (at) => void (current = at) }
}
