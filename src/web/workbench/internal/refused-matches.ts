import { matchInternal } from '#shared/internal/contract.ts'
import { ApiError } from '../../app/api.ts'
import { invalidate } from '../../app/queries.ts'

/** Fetches the matching idle machines anew where a demand was refused for want of an answer to one, which may be offered since the last fetch. */
export async function refreshMatches(refusal: unknown): Promise<void> {
  if (refusal instanceof ApiError && refusal.fields.some(({ field }) => field.startsWith('internalAnswers')))
    await invalidate(matchInternal)
}
