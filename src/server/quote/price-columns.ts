/** The columns with the price terms of a line, which offers and positions of contracts have alike. */
export const priceColumns = <Table extends string>(table: Table) =>
  [
    `${table}.unitPriceFen`,
    `${table}.rentUnit`,
    `${table}.includesOperator`,
    `${table}.includesFuel`,
    `${table}.entryFeeFen`,
    `${table}.exitFeeFen`,
    `${table}.erectionFeeFen`,
    `${table}.inspectionFeeFen`,
    `${table}.otherFeeFen`,
    `${table}.taxRate`,
    `${table}.invoiceKind`,
    `${table}.minRentDays`,
  ] as const
