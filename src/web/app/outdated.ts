import { ApiError, maySendAgain } from './api.ts'

/**
 * Whether a refusal means that the object is no longer as the page shows it: it names no field, and the same call would be refused again. A dialog
 * then closes, and the page fetches how the object stands now.
 */
export const isOutdated = (error: unknown): boolean => error instanceof ApiError && error.fields.length === 0 && !maySendAgain(error)

/** Whether a call was refused because somebody else was faster. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 409
