/** The name of the unique constraint that a statement has violated; undefined where the error is another one. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint = '' } = error as { code?: string; constraint?: string }
  return code === '23505' ? constraint : undefined
}
