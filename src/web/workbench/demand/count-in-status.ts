import { mostInStatus } from '#shared/demand/rules.ts'
import { countText } from '../../app/format.ts'

/** How many demands of a status hold the words that are searched for, as their list says it: with a plus beyond the bound. */
export const countInStatus = (count: number, words: string | undefined): string => {
  const capped = Boolean(words) && count > mostInStatus
  return countText({ total: capped ? mostInStatus : count, capped })
}
