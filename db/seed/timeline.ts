import { dayMs } from '#shared/calendar.ts'
import { FieldRefusal, Refusal } from '#server/http/refusal.ts'

/** The moment so many days before `now`. */
export const since = (now: Date, daysAgo: number): Date => new Date(now.getTime() - daysAgo * dayMs)

type Step = { at: Date; run: (at: Date) => Promise<void> }

/** How the line of a step that was left out begins. */
export const leavesOut = 'The demo market leaves out'

/** Plays what happened in the order in which it happened, so that everything is numbered by time. A step may plan later ones. */
export class Timeline {
  /** The latest first. */
  private readonly steps: Step[] = []

  add(at: Date, run: Step['run']): void {
    const time = at.getTime()
    let low = 0
    let high = this.steps.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.steps[middle] as Step).at.getTime() > time) low = middle + 1
      else high = middle
    }
    this.steps.splice(low, 0, { at, run })
  }

  /** A step that a rule refuses, because the dice or the hour do not fit it, is told and left out: the others go on. */
  async play(writeLine: (line: string) => void): Promise<void> {
    for (let step = this.steps.pop(); step; step = this.steps.pop())
      try {
        await step.run(step.at)
      } catch (error) {
        if (!(error instanceof Refusal || error instanceof FieldRefusal)) throw error
        writeLine(`${leavesOut} a step of ${step.at.toISOString()}: ${error.message}`)
      }
  }
}
