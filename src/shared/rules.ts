/** A deleted row stays in its table, so that what points to it can still be read. */
export const delFlag = { present: '0', deleted: '2' } as const

/** Of a department, a category and a dictionary entry: a disabled one can no longer be chosen. */
export const enableStatus = { enabled: '0', disabled: '1' } as const
export const enableStatuses = Object.values(enableStatus)
export type EnableStatus = (typeof enableStatus)[keyof typeof enableStatus]

/** Flags that older clients write as a digit. */
export const yesNo = { no: '0', yes: '1' } as const
export const yesNoFlags = Object.values(yesNo)
export type YesNo = (typeof yesNo)[keyof typeof yesNo]

/** Rows of an exported list. */
export const exportLimit = 10_000
