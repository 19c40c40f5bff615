export const contactStatus = { waiting: '0', handled: '1' } as const
export const contactStatuses = Object.values(contactStatus)
