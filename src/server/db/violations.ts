/** Whether a statement has violated the constraint of this name: a unique one, an exclusion or a check. */
export const violates = (error: unknown, constraint: string): boolean => (error as { constraint?: string }).constraint === constraint

/** The name of the unique constraint that a statement has violated; undefined where the error is another one. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint = '' } = error as { code?: string; constraint?: string }
  return code === '23505' ? constraint : undefined
}
