/** Milliseconds for which the next step of a draft waits for a save under way. */
export const answerMs = 5000

/** Resolves when that has ended, well or not, or after so many milliseconds. */
export async function within(ms: number, done: Promise<unknown> | undefined): Promise<void> {
  if (!done) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((end) => (timer = setTimeout(end, ms)))
  await Promise.race([done.catch(() => undefined), over])
  clearTimeout(timer)
}
