/** The fields that a refusal names, in its order; none of an answer that refuses no field. */
export const refusedFields = (data: unknown): string[] =>
  ((data as { errors?: { field: string }[] } | null)?.errors ?? []).map(({ field }) => field)
