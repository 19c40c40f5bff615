import { maskPhones } from '#shared/account/rules.ts'

/** An error for the log. The database quotes the values that it refuses, so numbers of phones are masked. */
export const describeError = (error: Error & { code?: string; detail?: string }) => ({
  type: error.name,
  code: error.code,
  message: maskPhones(error.message),
  detail: maskPhones(error.detail ?? ''),
  stack: maskPhones(error.stack ?? ''),
})
