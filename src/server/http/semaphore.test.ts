import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from './refusal.ts'
import { Semaphore } from './semaphore.ts'

test('the weights of what runs never exceed the total, everything runs in its order, and nothing is lost when work fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ weight: fc.integer({ min: 1, max: 15 }), fails: fc.boolean() }), { maxLength: 20 }),
      async (scheduler, works) => {
        const semaphore = new Semaphore({ total: 10, waiting: 20 })
        const started: number[] = []
        let running = 0
        const all = Promise.allSettled(
          works.map(({ weight, fails }, index) =>
            semaphore.run(weight, async () => {
              started.push(index)
              running += Math.min(weight, 10)
              expect(running).toBeLessThanOrEqual(10)
              await scheduler.schedule(Promise.resolve())
              running -= Math.min(weight, 10)
              if (fails) throw new Error('failed')
            }),
          ),
        )
        await scheduler.waitFor(all)
        expect((await all).map(({ status }) => status)).toEqual(works.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')))
        expect(started).toEqual(works.map((_, index) => index))
        expect(running).toBe(0)
      },
    ),
  )
})

test('where too much waits already, the next is refused at once', async () => {
  const semaphore = new Semaphore({ total: 1, waiting: 2 })
  const { promise, resolve } = Promise.withResolvers<void>()
  const accepted = Promise.all([1, 2, 3].map(() => semaphore.run(1, () => promise)))
  await expect(semaphore.run(1, () => promise)).rejects.toEqual(new Refusal('busy'))
  resolve()
  await accepted
  await expect(semaphore.run(1, () => Promise.resolve('again'))).resolves.toBe('again')
})

test('of those who wait, nobody starts a second piece of work before others have their first, nor fills the queue', async () => {
  const semaphore = new Semaphore({ total: 2, waiting: 20, waitingOfOne: 5 })
  const started: string[] = []
  const ends: (() => void)[] = []
  const ask = (by: string) =>
    semaphore.run(
      1,
      () => {
        started.push(by)
        return new Promise<void>((end) => ends.push(end))
      },
      by,
    )
  const all = Array.from({ length: 7 }, () => ask('greedy'))
  await expect(ask('greedy')).rejects.toEqual(new Refusal('busy'))
  all.push(ask('a'), ask('b'))
  // Both places were free when only one person asked; from the first end on nobody has two while others wait.
  for (let n = 0; n < all.length; n++) {
    await expect.poll(() => ends.length).toBeGreaterThan(n)
    ends[n]?.()
  }
  await Promise.all(all)
  expect(started).toEqual(['greedy', 'greedy', 'a', 'greedy', 'b', 'greedy', 'greedy', 'greedy', 'greedy'])
})
