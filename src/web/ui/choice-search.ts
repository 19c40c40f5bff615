export type Choice = {
  value: number
  label: string
  /** The heading of the choice. The choices of one group follow each other. */
  group?: string
  /** Lower-case words that find the choice; without them its label does. */
  words?: string
}

export const matches = ({ words, label }: Choice, typed: string): boolean =>
  (words ?? label.toLowerCase()).includes(typed.trim().toLowerCase())

/**
 * Lists the choices that the typed text finds. Where it finds none, a size in it is left out: "25t crane" finds what "crane" does.
 */
export function choicesFor(choices: readonly Choice[], typed: string): Choice[] {
  for (const reading of readingsOf(typed)) {
    const hits = reading.trim() !== '' || typed.trim() === '' ? choices.filter((choice) => matches(choice, reading)) : []
    if (hits.length > 0) return hits
  }
  return []
}

/** A typed text, then without the numbers of a size in it, then without their units as well. */
export const readingsOf = (typed: string): string[] => [
  typed,
  typed.replaceAll(/\d[\d.]*\s*/g, ''),
  typed.replaceAll(/\d[\d.]*\s*\p{L}?\s*/gu, ''),
]
