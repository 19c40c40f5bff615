/** How many categories of each first-level class have a drawing: those of the catalogue, whose numbers follow that of their class. */
const drawn: Readonly<Record<number, number>> = {
  100: 11,
  200: 12,
  300: 8,
  400: 10,
  500: 13,
  600: 13,
  700: 11,
  800: 8,
  900: 9,
  1000: 6,
  1100: 6,
  1200: 9,
  1300: 5,
}

/** The symbol of `drawings.svg` for a category, or for its class: the first of the class stands for a category that an operator added. */
export function drawingOf(group: number, category = 0): string {
  const known = drawn[group] ?? 0
  if (known === 0) return 'c1209'
  return category > group && category <= group + known ? `c${category}` : `c${typical[group] ?? group + 1}`
}

/** Classes of which most people expect another machine than their first. */
const typical: Readonly<Record<number, number>> = { 400: 405, 1300: 1302 }

/** Every category with a drawing of its own, with its class. */
export const drawnCategories = (): [group: number, category: number][] =>
  Object.entries(drawn).flatMap(([group, count]) =>
    Array.from({ length: count }, (_, at): [number, number] => [Number(group), Number(group) + at + 1]),
  )
