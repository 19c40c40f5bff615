/** JSON that is the same for the same values: the database returns keys in an order of its own. */
export const sortedJson = (values: unknown): string =>
  JSON.stringify(values, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
