export const outboxStatus = { waiting: '0', sent: '1', failed: '2' } as const
/** What the list shows: an SMS that the local stand-in for a provider took has left nowhere. */
export const outboxStates = [...Object.values(outboxStatus), 'local'] as const
