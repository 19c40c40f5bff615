/** The parameter by which machines of a category are told apart first, such as the lifting capacity of cranes. */
export const mainParam = <P extends { main: boolean }>(params: readonly P[] | undefined): P | undefined => params?.find(({ main }) => main)
