/** The parameter by which machines of a category are told apart first, such as the lifting capacity of cranes. */
export const mainParam = <P extends { main: boolean }>(params: readonly P[] | undefined): P | undefined => params?.find(({ main }) => main)

/** Whether the line of a demand asks for nothing of the main parameter of its category. */
export function lacksMain(
  requirements: readonly { key: string }[],
  params: readonly { key: string; main: boolean }[] | undefined,
): boolean {
  const main = mainParam(params)
  return main !== undefined && !requirements.some(({ key }) => key === main.key)
}
