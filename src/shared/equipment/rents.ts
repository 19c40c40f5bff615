/** So many machines make a market; a median of fewer says nothing. */
export const leastOfMarket = 8

/** Machines count as of one size whose main parameter is at most this share away. */
const sizeStep = 0.15

/**
 * The machines whose rents people of the trade know by heart: a category, its size, and whether such a machine is let with its driver.
 * The home page shows their median.
 */
export const standardMachines = [
  { categoryId: 201, fatherCategoryId: 200, key: 'moment', size: 80, withOperator: false },
  { categoryId: 203, fatherCategoryId: 200, key: 'maxLoad', size: 25, withOperator: true },
  { categoryId: 101, fatherCategoryId: 100, key: 'opWeight', size: 22, withOperator: true },
  { categoryId: 106, fatherCategoryId: 100, key: 'ratedLoad', size: 5, withOperator: true },
  { categoryId: 301, fatherCategoryId: 300, key: 'platHeight', size: 12, withOperator: false },
  { categoryId: 601, fatherCategoryId: 600, key: 'opWeight', size: 26, withOperator: true },
] as const

/** The sizes that count as one of the standard size. */
export const sizesAround = (size: number) => ({ min: size * (1 - sizeStep), max: size * (1 + sizeStep) })
