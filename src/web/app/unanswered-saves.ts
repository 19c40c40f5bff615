import { sortedJson } from '#shared/sorted-json.ts'

/** How many unanswered saves are remembered; the network has lost older ones long ago. */
const rememberedSaves = 5

/** The saves without an answer, by draft: a save that was given up, or whose form was left, may still have reached the server. */
const unanswered = new Map<string, readonly { sent: string }[]>()

/** Notes that values are being sent for the draft of that key; the function returned says that they were stored. */
export function noteSave(key: string, values: object): () => void {
  // The same text may be sent twice, and the answer to the first says nothing about the second.
  const save = { sent: sortedJson(values) }
  unanswered.set(key, [...(unanswered.get(key) ?? []), save].slice(-rememberedSaves))
  return () => {
    // Saves follow each other, so the ones before have ended.
    const waiting = unanswered.get(key) ?? []
    unanswered.set(key, waiting.slice(waiting.indexOf(save) + 1))
  }
}

/** What was sent for that draft without an answer, each as `sortedJson`. */
export const unansweredSaves = (key: string): string[] => (unanswered.get(key) ?? []).map(({ sent }) => sent)
