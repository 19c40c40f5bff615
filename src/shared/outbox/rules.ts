export const outboxStatus = { waiting: '0', sent: '1', failed: '2' } as const
export const outboxStatuses = Object.values(outboxStatus)
