/** The presets of a field for a deadline. One that still holds only moves later, so they count from it; any other counts from today. */
export const deadlinePresets = (held: string | null, now: string) =>
  held !== null && held > now ? ({ presets: 'extension', since: held.slice(0, 10) } as const) : ({ presets: 'deadline' } as const)
