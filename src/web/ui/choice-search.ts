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
 * Lists the choices that the typed text finds. Where it finds none, a size in it is left out, first without and then with its unit: "25t crane"
 * finds what "crane" does.
 */
export function choicesFor(choices: readonly Choice[], typed: string): Choice[] {
  const readings = [typed, typed.replaceAll(/\d[\d.]*\s*/g, ''), typed.replaceAll(/\d[\d.]*\s*\p{L}?\s*/gu, '')]
  for (const reading of readings) {
    const hits = reading.trim() !== '' || typed.trim() === '' ? choices.filter((choice) => matches(choice, reading)) : []
    if (hits.length > 0) return hits
  }
  return []
}
